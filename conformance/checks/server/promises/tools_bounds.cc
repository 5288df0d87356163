// Whether lists keep within the bounds that they are asked for, and whether a moment is one
// whatever offset it is written with. No clause says so much.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/doors/wall_clock.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kBoundedCallsMax = 16;
constexpr int kAnswerDepthMax = 8;

// What says how much of an answer is wanted, and nothing of what is in it.
constexpr std::array<std::string_view, 14> kOfAnswers = {
    "results", "items", "length", "chars", "characters", "tokens", "count",
    "size",    "limit", "depth",  "lines", "bytes",      "rows",   "entries"};
// What a parameter is called that gives a moment.
constexpr std::array<std::string_view, 9> kOfMoments = {"since", "until", "after", "before", "from",
                                                        "to",    "start", "end",   "begin"};
constexpr std::array kOffsets = {std::pair{"+02:00", std::chrono::hours(2)},
                                 std::pair{"+12:00", std::chrono::hours(12)}};

// Limit is a parameter that bounds a number that each item of a list has.
struct Limit {
  std::string name;
  std::string of;  // The words of the member.
  bool most = false;
};

std::optional<Limit> limit_of(const std::string& name, const Json& property) {
  const std::string type = string_or(property, "type", "");
  if (type != "integer" && type != "number") return std::nullopt;
  Limit limit{name, "", false};
  bool bounds = false;
  for (const std::string& word : words_of(name)) {
    const bool most = word == "max" || word == "maximum";
    if (most || word == "min" || word == "minimum") {
      bounds = true;
      limit.most = most;
      continue;
    }
    if (std::ranges::find(kOfAnswers, word) != kOfAnswers.end()) return std::nullopt;
    limit.of += (limit.of.empty() ? "" : " ") + word;
  }
  return bounds && !limit.of.empty() ? std::optional(std::move(limit)) : std::nullopt;
}

// numbers_of gathers the numbers that items of lists have under a name of these words: not those of
// lists within an item, of which one may keep to a bound and another not.
void numbers_of(const Json& value, const std::string& words, bool in_list,
                std::vector<double>& found, int depth_max = kAnswerDepthMax) {
  if (depth_max == 0 || !value.is_structured() || (in_list && value.is_array())) return;
  if (value.is_array()) {
    for (const Json& item : value) numbers_of(item, words, true, found, depth_max - 1);
    return;
  }
  for (const auto& [name, member] : value.items()) {
    if (in_list && member.is_number() && spaced_words_of(name) == words) {
      found.push_back(member.get<double>());
    }
    numbers_of(member, words, in_list, found, depth_max - 1);
  }
}

// bounds_to_try returns values for a limit that some of `numbers` are beyond: the one in the
// middle, and 0 where that is allowed, which is easily taken for none.
std::vector<Json> bounds_to_try(const Limit& limit, const Json& property,
                                std::vector<double> numbers) {
  std::ranges::sort(numbers);
  std::vector<Json> tried;
  const double middle = std::floor(numbers[numbers.size() / 2]);
  const bool whole = string_or(property, "type", "") == "integer";
  tried.push_back(whole ? Json(static_cast<std::int64_t>(middle)) : Json(middle));
  if (limit.most && int_or(property, "minimum", 1) <= 0) tried.emplace_back(0);
  return tried;
}

Task<Finding> judge_limit(Client client, Json params, Limit limit, Json property) {
  params["arguments"].erase(limit.name);
  const Reply all = co_await client.request("tools/call", params);
  std::vector<double> numbers;
  if (has_gone_well(all)) numbers_of(answer_in(all), limit.of, false, numbers);
  if (numbers.size() < 2) co_return not_for_it("");
  for (const Json& bound : bounds_to_try(limit, property, numbers)) {
    params["arguments"][limit.name] = bound;
    const Reply reply = co_await client.request("tools/call", params);
    std::vector<double> within;
    if (has_gone_well(reply)) numbers_of(answer_in(reply), limit.of, false, within);
    const auto value = bound.get<double>();
    const auto beyond = std::ranges::find_if(
        within, [&](double one) { return limit.most ? one > value : one < value; });
    if (beyond == within.end()) continue;
    co_return about(
        broken(tool_in(params) + " with \"" + shortened(limit.name) + "\" " + dump_json(bound) +
               " lists something with \"" + shortened(limit.of) + "\" " + dump_json(Json(*beyond)) +
               (bound == 0 ? "; 0 may be taken for no limit at all" : "")),
        reply);
  }
  co_return passes();
}

// AskedFor is a parameter of a call that has gone well.
struct AskedFor {
  Json params;
  std::string name;
  Json property;
};

// asked_of returns the parameters of tools that only read.
Task<std::vector<AskedFor>> asked_of(Probe& probe) {
  std::vector<AskedFor> found;
  const Exercise& exercise = *co_await probe.exercise();
  for (const Json& params : reading_calls(probe, exercise, kBoundedCallsMax)) {
    const Json* const properties =
        properties_of(probe.survey().tool(string_or(params, "name", "")));
    if (properties == nullptr || !params.contains("arguments")) continue;
    for (const auto& [name, property] : properties->items()) {
      found.push_back({params, name, property});
    }
  }
  co_return std::move(found);
}

// first_failure returns what the first wrong one comes to; `none` where none was put to the test.
Finding first_failure(std::vector<Finding> findings, const char* none) {
  bool judged = false;
  for (Finding& finding : findings) {
    if (finding.verdict == Verdict::kFail) return std::move(finding);
    judged = judged || finding.verdict == Verdict::kPass;
  }
  return judged ? passes() : not_for_it(none);
}

Task<Finding> keeps_within_bounds(Probe& probe) {
  const std::vector<AskedFor> all = co_await asked_of(probe);
  std::vector<Finding> findings;
  for (const AskedFor& one : all) {
    const std::optional<Limit> limit = limit_of(one.name, one.property);
    if (!limit) continue;
    findings.push_back(co_await judge_limit(probe.client(), one.params, *limit, one.property));
    if (findings.back().verdict == Verdict::kFail) break;
  }
  co_return first_failure(std::move(findings), "no tool that only reads bounds what it lists");
}

// gives_moment returns whether a parameter is a time with an offset.
bool gives_moment(const std::string& name, const Json& property) {
  if (string_or(property, "type", "") != "string" || property.contains("enum")) return false;
  if (string_or(property, "format", "") == "date-time") return true;
  const std::vector<std::string> words = words_of(name);
  const bool named = std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::find(kOfMoments, word) != kOfMoments.end();
  });
  const std::string description = string_or(property, "description", "");
  return named && std::ranges::any_of(std::array{"3339", "8601", "offset"}, [&](const char* word) {
           return description.find(word) != std::string::npos;
         });
}

// moments_in gathers the times in an answer, to the second.
void moments_in(const Json& value, std::vector<double>& found, int depth_max = kAnswerDepthMax) {
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    if (text->size() <= 10) return;
    if (const std::optional<double> moment = instant_of(*text)) found.push_back(*moment);
    return;
  }
  if (depth_max == 0 || !value.is_structured()) return;
  for (const Json& inside : value) moments_in(inside, found, depth_max - 1);
}

std::string in_utc(double moment) {
  return rfc3339(std::chrono::seconds(static_cast<std::int64_t>(moment)));
}

// with_offset writes the same moment as people do who are so far ahead of UTC.
std::string with_offset(double moment, std::string_view offset, std::chrono::hours ahead) {
  std::string text = in_utc(moment + static_cast<double>(std::chrono::seconds(ahead).count()));
  text.pop_back();
  return text + std::string(offset);
}

Task<Finding> judge_moment(Client client, Json params, std::string name) {
  params["arguments"].erase(name);
  const Reply all = co_await client.request("tools/call", params);
  std::vector<double> moments;
  if (has_gone_well(all)) moments_in(answer_in(all), moments);
  if (moments.size() < 2) co_return not_for_it("");
  std::ranges::sort(moments);
  const double moment = std::floor(moments[moments.size() / 2]);
  Json plain = params;
  plain["arguments"][name] = in_utc(moment);
  const Reply usual = co_await client.request("tools/call", plain);
  if (!has_gone_well(usual)) co_return not_for_it("");
  for (const auto& [offset, ahead] : kOffsets) {
    params["arguments"][name] = with_offset(moment, offset, ahead);
    const Reply reply = co_await client.request("tools/call", params);
    const Reply again = co_await client.request("tools/call", plain);
    const bool still = answer_in(again) == answer_in(usual);
    if (!has_gone_well(reply) || !still || answer_in(reply) == answer_in(usual)) continue;
    const FirstDifference difference = first_difference_of(answer_in(usual), answer_in(reply));
    if (!difference.any || !(difference.before.is_array() || difference.before.is_number()))
      continue;
    co_return about(broken(tool_in(params) + " answers otherwise for \"" + shortened(name) + "\" " +
                           string_or(params["arguments"], name, "") + " than for " +
                           in_utc(moment) + ", which is the same moment: " + shown(difference)),
                    usual, reply);
  }
  co_return passes();
}

Task<Finding> knows_moments(Probe& probe) {
  const std::vector<AskedFor> all = co_await asked_of(probe);
  std::vector<Finding> findings;
  for (const AskedFor& one : all) {
    if (!gives_moment(one.name, one.property)) continue;
    findings.push_back(co_await judge_moment(probe.client(), one.params, one.name));
    if (findings.back().verdict == Verdict::kFail) break;
  }
  co_return first_failure(std::move(findings), "no tool that only reads asks for a moment");
}

constexpr ServerCheck kToolsBoundsChecks[] = {
    {"tools.bounds-are-kept", Eras::kBoth, SessionUse::kShared, keeps_within_bounds},
    {"tools.moments-are-moments", Eras::kBoth, SessionUse::kShared, knows_moments},
};

}  // namespace

ServerChecks tools_bounds_checks() { return kToolsBoundsChecks; }

}  // namespace plumbline::conformance
