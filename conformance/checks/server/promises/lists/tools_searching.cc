// Whether a text that is searched for is a text: one that goes into a pattern, or into a query, as
// it is breaks the search where its signs mean something there.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSearchesMax = 8;
// As they may stand in a title: of regular expressions, of SQL, of full text queries.
constexpr std::array<std::string_view, 3> kWithSigns = {"c++ (a [b", "it's 5\" wide", "a\\"};
// A text that means something else than itself is called so.
constexpr std::array<std::string_view, 12> kLanguages = {
    "regex",  "regular",        "pattern",    "glob",   "wildcard", "sql",
    "syntax", "query language", "expression", "lucene", "fts",      "operator"};
// What engines say of a pattern, or of a query, that they cannot read.
constexpr std::array<std::string_view, 16> kEngines = {"regular expression",
                                                       "regexp",
                                                       "regex",
                                                       "unterminated",
                                                       "nothing to repeat",
                                                       "missing )",
                                                       "unbalanced",
                                                       "syntax error",
                                                       "fts5",
                                                       "unrecognized token",
                                                       "parse error",
                                                       "parsing error",
                                                       "bad escape",
                                                       "re.error",
                                                       "malformed match",
                                                       "unclosed"};

// Search is a call of a tool, and which argument says what to look for.
struct Search {
  Json params;
  std::string parameter;
};

std::vector<Search> plain_searches(Probe& probe, const Exercise& exercise) {
  std::vector<Search> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool reads = says_hint(tool, "readOnlyHint", true) && probe.may_call(tool);
    const Json* const properties = properties_of(tool);
    const std::vector<const Call*> calls = good_calls(exercise, name);
    if (!reads || properties == nullptr || calls.empty()) continue;
    if (mentions_any(lower_case(string_or(tool, "description", "")), kLanguages)) continue;
    for (const auto& [parameter, property] : properties->items()) {
      const std::string about =
          lower_case(parameter + " " + string_or(property, "description", ""));
      const bool plain = searches_by(parameter) && string_or(property, "type", "") == "string" &&
                         !mentions_any(about, kLanguages) && find(property, "pattern") == nullptr;
      if (plain && found.size() < kSearchesMax) found.push_back({calls.front()->params, parameter});
    }
  }
  return found;
}

// complaint_of returns what an engine says of a text; empty: nothing, or it only quotes it.
std::string complaint_of(const Reply& reply) {
  const std::string text = text_of_failure(reply);
  return mentions_any(lower_case(text), kEngines) ? text : std::string();
}

Task<Finding> judge_search(Client client, Search search) {
  for (const std::string_view signs : kWithSigns) {
    Json params = search.params;
    params["arguments"][search.parameter] = signs;
    const Reply reply = co_await client.request("tools/call", std::move(params));
    const std::string complaint = complaint_of(reply);
    if (complaint.empty()) continue;
    co_return about(
        broken("the tool \"" + shortened(string_or(search.params, "name", "")) +
               "\" fails where \"" + search.parameter + "\" is the text " +
               dump_json(Json(std::string(signs))) + ": \"" + shortened(trimmed(complaint)) +
               "\"; its signs have to be escaped, or the text looked for as it is"),
        reply);
  }
  co_return passes();
}

Task<Finding> takes_texts_as_they_are(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Search> searches = plain_searches(probe, exercise);
  if (searches.empty()) co_return not_for_it("no tool searches for a text");
  Client client = probe.client();
  for (const Search& search : searches) {
    Finding finding = co_await judge_search(client, search);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  co_return passes();
}

constexpr ServerCheck kToolsSearchingChecks[] = {
    {"tools.searched-text-is-text", Eras::kBoth, SessionUse::kShared, takes_texts_as_they_are},
};

}  // namespace

ServerChecks tools_searching_checks() { return kToolsSearchingChecks; }

}  // namespace plumbline::conformance
