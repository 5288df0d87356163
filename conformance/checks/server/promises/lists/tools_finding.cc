// Whether a tool finds what its description says that it finds: in upper and in lower case alike,
// at both ends of a range, and as many as its total says. Only what is said is held against it.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/lists/flags.h"
#include "conformance/checks/server/promises/lists/narrowing.h"
#include "conformance/checks/server/promises/lists/page_totals.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kFindersMax = 8;
constexpr std::size_t kSpellingsMax = 6;  // Looked for in both cases, by one tool.
constexpr std::size_t kDaysMax = 6;       // Looked for by a range of one day.
constexpr std::size_t kFiltersMax = 6;    // Values of a tool's filters.
constexpr std::size_t kWordMin = 4;       // Letters.
constexpr std::string_view kTotal = "total";
constexpr std::string_view kEndOfSentence = ". ";
constexpr const char* kFarAway = "2099-12-31";

constexpr std::array<std::string_view, 11> kOfCase = {"case makes no difference",
                                                      "case-insensitive",
                                                      "case insensitive",
                                                      "ignoring case",
                                                      "ignores case",
                                                      "regardless of case",
                                                      "whatever the case",
                                                      "any case",
                                                      "case is ignored",
                                                      "case does not matter",
                                                      "case doesn't matter"};
constexpr std::array<std::string_view, 6> kOfEnds = {"inclusive", "both ends", "both included",
                                                     "both days", "included",  "including both"};
constexpr std::array<std::string_view, 5> kNotOfEnds = {"exclusive", "excluded", "not included",
                                                        "excluding", "half-open"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kRanges = {
    {{"from", "to"},
     {"start", "end"},
     {"startDate", "endDate"},
     {"start_date", "end_date"},
     {"dateFrom", "dateTo"},
     {"date_from", "date_to"},
     {"fromDate", "toDate"},
     {"since", "until"}}};

// said_of returns all that a tool says of itself and of its parameters, in small letters.
std::string said_of(const Json& tool) {
  std::string text = string_or(tool, "description", "");
  if (const Json* const properties = properties_of(tool)) {
    for (const auto& [name, property] : properties->items()) {
      text += ". " + string_or(property, "description", "");
    }
  }
  return lower_case(text);
}

// readers_that returns calls of tools that only read, and whose words `say` so.
template <typename Says>
std::vector<Json> readers_that(Probe& probe, const Exercise& exercise, Says say) {
  std::vector<Json> found;
  for (const Json& params : reading_calls(probe, exercise, 8 * kFindersMax)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    const bool twice = !found.empty() && found.back()["name"] == params["name"];
    if (tool == nullptr || twice || found.size() == kFindersMax) continue;
    if (say(*tool)) found.push_back(params);
  }
  return found;
}

// texts_in gathers the short texts of objects in an answer, each under the member that has it.
void texts_in(const Json& value, std::vector<std::pair<std::string, std::string>>& found) {
  if (!value.is_structured()) return;
  for (const auto& [name, inside] : value.items()) {
    const auto* const text = inside.get_ptr<const std::string*>();
    if (text != nullptr && value.is_object()) found.emplace_back(name, *text);
    texts_in(inside, found);
  }
}

// first_word_of returns the first word of enough letters; empty: there is none.
std::string first_word_of(const std::string& text) {
  const auto letter = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalpha(byte) != 0;
  };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), letter);
    at = std::find_if_not(begin, text.end(), letter);
    if (static_cast<std::size_t>(at - begin) >= kWordMin) return {begin, at};
  }
  return {};
}

bool has_capital(const std::string& word) {
  return std::isupper(static_cast<unsigned char>(word.front())) != 0;
}

// words_known returns words of what tools have listed, one of each member, those with a capital
// first.
std::vector<std::string> words_known(Probe& probe, const Exercise& exercise) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const Json& tool : probe.survey().tools.items) {
    for (const Call* const call : good_calls(exercise, string_or(tool, "name", ""))) {
      texts_in(answer_in(call->reply), texts);
    }
  }
  // What has a capital shows more: a search may have made but one of both sides small.
  std::map<std::string, std::string> by_member;
  for (const auto& [member, text] : texts) {
    std::string word = first_word_of(text);
    std::string& known = by_member[member];
    if (word.empty() || (!known.empty() && has_capital(known) >= has_capital(word))) continue;
    known = std::move(word);
  }
  std::vector<std::string> words;
  for (const bool capital : {true, false}) {
    for (const auto& [member, word] : by_member) {
      if (word.empty() || has_capital(word) != capital || words.size() == kSpellingsMax) continue;
      words.push_back(word);
    }
  }
  return words;
}

std::string searched_by(const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return {};
  for (const auto& [name, property] : properties->items()) {
    if (searches_by(name) && string_or(property, "type", "") == "string") return name;
  }
  return {};
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

Task<Finding> judge_cases(Client client, Json params, std::string parameter,
                          std::vector<std::string> words) {
  std::size_t judged = 0;
  for (const std::string& word : words) {
    std::size_t found = 0;
    for (const std::string& written : {word, lower_case(word), upper_case(word)}) {
      params["arguments"][parameter] = written;
      const Reply reply = co_await client.request("tools/call", params);
      if (!has_gone_well(reply)) co_return not_for_it("");
      const std::size_t now = listed_in(answer_in(reply)).size();
      if (written == word) found = now;
      if (found == 0) break;
      if (now == found) continue;
      co_return about(broken(tool_in(params) + " says that case makes no difference, and finds " +
                             std::to_string(found) + " by \"" + word + "\" and " +
                             std::to_string(now) + " by \"" + written + "\""),
                      reply);
    }
    if (found > 0) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

// DayRange is a call of a tool, and the parameters that say from when to when.
struct DayRange {
  std::string from;
  std::string to;
  bool days = false;  // Whole ones: else it wants times.
};

std::optional<DayRange> range_of(const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return std::nullopt;
  for (const auto& [from, to] : kRanges) {
    const Json* const begin = find(*properties, from);
    const Json* const end = find(*properties, to);
    if (begin == nullptr || end == nullptr || string_or(*end, "type", "") != "string") continue;
    const std::string about =
        lower_case(string_or(*end, "format", "") + " " + string_or(*end, "description", ""));
    if (!mentions(about, "date") && !mentions(about, "day") && !mentions(about, "yyyy")) continue;
    return DayRange{std::string(from), std::string(to), !mentions(about, "time")};
  }
  return std::nullopt;
}

// days_known returns the points in time of which tools have told, as a range has them.
std::vector<std::string> days_known(Probe& probe, const Exercise& exercise, bool days) {
  constexpr std::size_t kDayBytes = 10;
  std::vector<std::pair<std::string, std::string>> texts;
  for (const Json& params : reading_calls(probe, exercise, 8 * kFindersMax)) {
    for (const Call* const call : good_calls(exercise, string_or(params, "name", ""))) {
      texts_in(answer_in(call->reply), texts);
    }
  }
  std::vector<std::string> found;
  for (auto& [member, text] : texts) {
    if (!instant_of(text) || found.size() == kDaysMax) continue;
    if (days) text.resize(std::min(text.size(), kDayBytes));
    if (!days && text.size() <= kDayBytes) continue;
    if (std::ranges::find(found, text) == found.end()) found.push_back(text);
  }
  return found;
}

Task<Finding> judge_ends(Client client, Json params, DayRange range,
                         std::vector<std::string> days) {
  std::size_t judged = 0;
  for (const std::string& day : days) {
    params["arguments"][range.from] = day;
    params["arguments"][range.to] = range.days ? kFarAway : std::string(kFarAway) + "T00:00:00Z";
    const Reply wide = co_await client.request("tools/call", params);
    params["arguments"][range.to] = day;
    const Reply narrow = co_await client.request("tools/call", params);
    if (!has_gone_well(wide) || !has_gone_well(narrow)) continue;
    const std::string all = dump_json(listed_in(answer_in(wide)));
    if (!mentions(all, day)) continue;  // Nothing that it lists is of that day.
    ++judged;
    if (!listed_in(answer_in(narrow)).empty()) continue;
    co_return about(broken(tool_in(params) + " says that the ends are included, and finds " +
                           "nothing from " + day + " to " + day + "; from " + day +
                           " to a later time it lists what is of " + day),
                    narrow);
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

// filters_of returns calls with one value more of each parameter that says which there are.
std::vector<Json> filters_of(const Json& tool, const Json& params) {
  std::vector<Json> found;
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return found;
  for (const auto& [name, property] : properties->items()) {
    const Json* const choices = find(property, "enum");
    if (choices == nullptr || !choices->is_array()) continue;
    for (const Json& choice : *choices) {
      if (choice.is_null() || found.size() == kFiltersMax) continue;
      found.push_back(params);
      found.back()["arguments"][name] = choice;
    }
  }
  return found;
}

// most_of returns how many items a call asks for at most; -1: it sets no bound.
std::int64_t most_of(const Json& tool, const Json& params) {
  for (const std::string_view name : kHowMany) {
    const Json* const property = at_pointer(tool, "/inputSchema/properties/" + std::string(name));
    if (property == nullptr) continue;
    const std::int64_t usual = int_or(*property, "default", 0);
    return int_or(params["arguments"], name, usual);
  }
  return -1;
}

Task<Finding> judge_total(Client client, const Json* tool, std::vector<Json> calls) {
  std::size_t judged = 0;
  for (const Json& params : calls) {
    const Reply reply = co_await client.request("tools/call", params);
    if (!has_gone_well(reply)) continue;
    const Json answer = answer_in(reply);
    const auto given = static_cast<std::int64_t>(listed_in(answer).size());
    const std::int64_t total = answer.is_object() ? number_of(answer, kItemTotals) : -1;
    const std::int64_t most = most_of(*tool, params);
    if (total < 0 || given == 0 || (most >= 0 && given >= most)) continue;
    ++judged;
    if (total == given) continue;
    co_return about(broken(tool_in(params) + ", called with " + given_in(params) + ", gave all " +
                           std::to_string(given) + " that match, and says that they are " +
                           std::to_string(total)),
                    reply);
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

bool ignores_case(const Json& tool) {
  const std::string said = said_of(tool);
  const bool both = mentions(said, "upper and lower case make no difference");
  return (both || mentions_any(said, kOfCase)) && !searched_by(tool).empty();
}

bool includes_ends(const Json& tool) {
  const std::string said = said_of(tool);
  return mentions_any(said, kOfEnds) && !mentions_any(said, kNotOfEnds) &&
         range_of(tool).has_value();
}

bool totals_matches(const Json& tool) {
  const std::string text = said_of(tool);
  const std::size_t at = text.find(kTotal);
  return at != std::string::npos &&
         mentions(text.substr(at, text.find(kEndOfSentence, at) - at), "match");
}

// Judged is what came of all tools that make one promise.
struct Judged {
  std::size_t held = 0;
  std::optional<Finding> broken;

  bool take(Finding finding) {
    if (finding.verdict == Verdict::kPass) ++held;
    if (finding.verdict == Verdict::kFail) broken = std::move(finding);
    return broken.has_value();
  }
};

Task<Finding> finds_as_described(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = probe.client();
  Judged judged;
  for (const Json& params : readers_that(probe, exercise, ignores_case)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    std::vector<std::string> words = words_known(probe, exercise);
    Finding finding = co_await judge_cases(client, params, searched_by(*tool), std::move(words));
    if (judged.take(std::move(finding))) co_return *std::move(judged.broken);
  }
  for (const Json& params : readers_that(probe, exercise, includes_ends)) {
    const DayRange range = *range_of(*probe.survey().tool(string_or(params, "name", "")));
    std::vector<std::string> days = days_known(probe, exercise, range.days);
    Finding finding = co_await judge_ends(client, params, range, std::move(days));
    if (judged.take(std::move(finding))) co_return *std::move(judged.broken);
  }
  for (const Json& params : readers_that(probe, exercise, totals_matches)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    std::vector<Json> calls = filters_of(*tool, params);
    Finding finding = co_await judge_total(client, tool, std::move(calls));
    if (judged.take(std::move(finding))) co_return *std::move(judged.broken);
  }
  for (const Json& params : readers_that(probe, exercise, totals_pages)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    Finding finding = co_await judge_page_total(client, tool, params);
    if (judged.take(std::move(finding))) co_return *std::move(judged.broken);
  }
  for (const Json& params : readers_that(probe, exercise, has_flags)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    Finding finding = co_await judge_flags(client, tool, params);
    if (judged.take(std::move(finding))) co_return *std::move(judged.broken);
  }
  for (const Json& params : readers_that(probe, exercise, has_filters)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    Finding finding = co_await judge_narrowing(client, tool, params);
    if (judged.take(std::move(finding))) co_return *std::move(judged.broken);
  }
  co_return judged.held > 0 ? passes() : not_for_it("no tool says so much of what it finds");
}

constexpr ServerCheck kToolsFindingChecks[] = {
    {"tools.found-as-described", Eras::kBoth, SessionUse::kShared, finds_as_described},
};

}  // namespace

ServerChecks tools_finding_checks() { return kToolsFindingChecks; }

}  // namespace plumbline::conformance
