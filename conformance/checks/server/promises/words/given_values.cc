// Whether tools take the values that they are given, where their schemas allow them: 0, false and
// an empty text are no arguments that were left out, and a day that no calendar has is not another
// day. Judged is what the answer itself says to have been taken, and what another tool reads.

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/given_nothing.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/promises/values/said_defaults.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kGivenToolsMax = 12;
constexpr std::size_t kGivenOfToolMax = 4;
constexpr std::size_t kDayBytes = 10;
constexpr double kDaySeconds = 86'400;
constexpr double kShiftMax = 5 * kDaySeconds;
constexpr Duration kQuickAnswer = std::chrono::milliseconds(500);
// What a sentence says that gives nothing a meaning of its own.
constexpr std::array<std::string_view, 13> kMeansDefault = {
    "default", "auto",     "automatic", "usual",    "standard", "unlimited", "none",
    "omitted", "omitting", "left out",  "no limit", "unset",    "ignored"};
constexpr std::array<std::string_view, 4> kNothings = {"0", "zero", "false", "empty"};

// Falsy is a value that is taken for none by `||`, the default, and a third value that shows where
// the answer tells of it; null: its name shows that.
struct Falsy {
  Json value;
  Json otherwise;
  Json third;
};

// nothing_means_default returns whether a description says that 0, or an empty text, stands for
// something else.
bool nothing_means_default(const Json& tool, const Json& property) {
  for (const Json* const said : {&tool, &property}) {
    for (const Sentence& one : sentences_in(string_or(*said, "description", ""))) {
      if (says_word(one, kNothings) && mentions_any(one.low, kMeansDefault)) return true;
    }
  }
  return false;
}

bool may_be_cleared(const Json& tool, const Json& property) {
  return mentions(string_or(property, "description", ""), "empty") ||
         mentions(string_or(tool, "description", ""), "empty");
}

std::optional<Falsy> falsy_for(const Json& tool, const std::string& name, const Json& property) {
  const Json* const declared = find(property, "default");
  Json otherwise = declared != nullptr ? *declared : default_in_words(tool, name, property);
  if (choices_of(tool, name) != nullptr || nothing_means_default(tool, property)) return {};
  const std::string type = string_or(property, "type", "");
  if (type == "boolean" && otherwise == Json(true)) return Falsy{false, true, nullptr};
  const bool free = !property.contains("pattern") && !property.contains("format") &&
                    int_or(property, "minLength", 0) == 0;
  if (type == "string" && otherwise.is_string() && otherwise != "" && free) {
    if (!may_be_cleared(tool, property)) return {};
    return Falsy{"", std::move(otherwise), "plumbline"};
  }
  const Json* const least = find(property, "minimum");
  const bool counts = (type == "integer" || type == "number") && otherwise.is_number();
  if (!counts || least == nullptr || !least->is_number() || least->get<double>() > 0) return {};
  const auto usual = otherwise.get<double>();
  const int third = usual == 1 ? 2 : 1;
  const Json* const most = find(property, "maximum");
  const bool fits = most == nullptr || (most->is_number() && most->get<double>() >= third);
  if (usual == 0 || !fits || property.contains("multipleOf")) return {};
  return Falsy{0, std::move(otherwise), third};
}

// at_places returns the values in an answer, by their JSON pointers.
Json at_places(const Json& answer) {
  return answer.is_structured() && !answer.empty() ? answer.flatten() : Json::object();
}

// are_alike returns whether two answers have the same places: one more may say what was done.
bool are_alike(const Json& one, const Json& other) {
  if (one.size() != other.size()) return false;
  for (const auto& [place, value] : one.items()) {
    if (!other.contains(place)) return false;
  }
  return true;
}

std::string name_in(const std::string& place) { return place.substr(place.rfind('/') + 1); }

// taken_for_none returns the place in which an answer shows the default in place of what was given;
// empty: there is none.
std::string taken_for_none(const Falsy& falsy, const std::string& name, const Json& without,
                           const Json& given, const Json& other) {
  const Json a = at_places(without);
  const Json b = at_places(given);
  const Json c = at_places(other);
  if (!are_alike(a, b)) return {};
  for (const auto& [place, value] : a.items()) {
    if (value != falsy.otherwise || b[place] != falsy.otherwise) continue;
    const Json* const third = find(c, place);
    const bool shows =
        falsy.third.is_null() ? name_in(place) == name : third != nullptr && *third == falsy.third;
    if (shows) return place;
  }
  return {};
}

Task<Finding> judge_falsy(Client client, Json params, std::string name, Falsy falsy) {
  Json& arguments = params["arguments"];
  if (!arguments.is_object()) arguments = Json::object();
  arguments.erase(name);
  std::vector<Reply> replies;
  Json given;
  for (const Json& value : {Json(), falsy.value, falsy.third, falsy.value}) {
    Json call = params;
    if (!value.is_null()) call["arguments"][name] = value;
    if (value == falsy.value && !value.is_null()) given = call;
    Reply reply = co_await client.request("tools/call", std::move(call));
    if (!has_gone_well(reply)) co_return not_for_it("");
    replies.push_back(std::move(reply));
  }
  const Json without = answer_in(replies[0]);
  const Json third = answer_in(replies[2]);
  const std::string place = taken_for_none(falsy, name, without, answer_in(replies[1]), third);
  if (place.empty()) co_return passes();
  if (taken_for_none(falsy, name, without, answer_in(replies[3]), third) != place) {
    co_return passes();
  }
  co_return about(
      broken(tool_in(given) + " was given \"" + shortened(name) + "\": " + dump_json(falsy.value) +
             ", which its inputSchema allows, and took " + shortened(dump_json(falsy.otherwise)) +
             ", as its answer says in \"" + shortened(name_in(place)) +
             "\": " + dump_json(falsy.value) + " is no argument that was left out"),
      replies[0], replies[1]);
}

// is_of_days returns whether a schema, or a description, wants a date.
bool is_of_days(const Json& property) {
  const std::string format = string_or(property, "format", "");
  const std::string pattern = string_or(property, "pattern", "");
  return format == "date" || format == "date-time" || mentions(pattern, "{4}-") ||
         mentions(string_or(property, "description", ""), "YYYY-MM-DD");
}

// days_of_none returns a good date with days in its place that are in no calendar.
std::vector<std::string> days_of_none(const std::string& good) {
  const std::string rest = good.substr(kDayBytes);
  const int year = std::stoi(good.substr(0, 4));
  std::vector<std::string> days;
  for (const char* const day : {"-02-30", "-04-31", "-11-31"}) {
    days.push_back(good.substr(0, 4) + day + rest);
  }
  days.push_back(std::to_string(year + 1) + "-02-30" + rest);
  return days;
}

// other_day_in returns the place in which an answer tells of another day than it was given, where
// it told of a day that there is; empty: none.
std::string other_day_in(const Json& usual, const Json& answer, const std::string& good,
                         const std::string& bad) {
  const Json a = at_places(usual);
  const Json b = at_places(answer);
  if (!are_alike(a, b)) return {};
  const std::optional<double> month = instant_of(bad.substr(0, 8) + "28");
  for (const auto& [place, value] : a.items()) {
    const auto* const was = value.get_ptr<const std::string*>();
    const auto* const is = b[place].get_ptr<const std::string*>();
    if (was == nullptr || is == nullptr || !was->starts_with(good.substr(0, kDayBytes))) continue;
    const std::optional<double> day = instant_of(is->substr(0, kDayBytes));
    if (day && month && std::fabs(*day - *month) <= kShiftMax) return place;
  }
  return {};
}

Task<Finding> judge_days(Client client, const Call* usual, std::string name) {
  Json params = usual->params;
  const std::string good = params["arguments"][name].get<std::string>();
  bool refused = false;
  for (const std::string& bad : days_of_none(good)) {
    params["arguments"][name] = bad;
    const Reply reply = co_await client.request("tools/call", params);
    refused = refused || (reply.answered() && !has_gone_well(reply));
    if (!has_gone_well(reply)) continue;
    const std::string place = other_day_in(answer_in(usual->reply), answer_in(reply), good, bad);
    if (place.empty()) continue;
    co_return about(broken(tool_in(params) + " was given \"" + shortened(name) + "\": \"" + bad +
                           "\", a day that is in no calendar, and took another one: \"" +
                           shortened(name_in(place)) + "\" is " +
                           shortened(dump_json(at_places(answer_in(reply))[place])) +
                           " in its answer; expected an error"),
                    reply);
  }
  co_return refused ? passes() : not_for_it("");
}

Task<Finding> judge_given(Client client, const Json* tool, const Call* usual) {
  const Json* const arguments = find(usual->params, "arguments");
  std::size_t judged = 0;
  std::size_t tried = 0;
  for (const auto& [name, property] : properties_of(*tool)->items()) {
    if (!property.is_object() || tried == kGivenOfToolMax) continue;
    const Json* const given = arguments == nullptr ? nullptr : find(*arguments, name);
    Finding finding = not_for_it("");
    if (const std::optional<Falsy> falsy = falsy_for(*tool, name, property)) {
      ++tried;
      finding = co_await judge_falsy(client, usual->params, name, *falsy);
    } else if (given != nullptr && given->is_string() && is_of_days(property) &&
               instant_of(given->get_ref<const std::string&>())) {
      ++tried;
      finding = co_await judge_days(client, usual, name);
    }
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

Task<Finding> takes_values_as_given(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = co_await probe.open_in_turn("made things", probe.usual());
  if (!client.session().usable()) co_return not_for_it("");
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const std::vector<const Call*> calls = good_calls(exercise, name);
    if (calls.empty() || properties_of(tool) == nullptr || !probe.may_call(tool)) continue;
    if (probe.disturbs(name) || !calls.back()->wants.empty()) continue;
    if (calls.back()->reply.took > kQuickAnswer) continue;
    // Others wait for their turn.
    if (judged == probe.as_many(kGivenToolsMax)) break;
    Finding finding = co_await judge_given(client, &tool, calls.back());
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

// are_taken_as_given puts both to the test.
Task<Finding> are_taken_as_given(Probe& probe) {
  Finding made = co_await is_made_as_given(probe);
  if (made.verdict == Verdict::kFail) co_return std::move(made);
  Finding taken = co_await takes_values_as_given(probe);
  co_return taken.verdict == Verdict::kSkip ? std::move(made) : std::move(taken);
}

constexpr ServerCheck kGivenValuesChecks[] = {
    {"tools.made-as-given", Eras::kBoth, SessionUse::kOpens, are_taken_as_given},
};

}  // namespace

ServerChecks given_values_checks() { return kGivenValuesChecks; }

}  // namespace plumbline::conformance
