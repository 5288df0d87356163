#include "conformance/checks/server/promises/lists/page_totals.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kFewer = 1;
constexpr std::int64_t kSeveral = 3;
// How a description says that all are counted, and how that only those given are.
constexpr std::array<std::string_view, 10> kOfAll = {
    "match",      "in all",   "altogether",   "beyond",       "overall",
    "regardless", "all page", "whatever the", "total number", "before the limit"};
constexpr std::array<std::string_view, 12> kOfPage = {
    "returned", "this page",     "on the page", "shown", "per page", "this answer",
    "response", "in the answer", "listed",      "up to", "at most",  "given"};

// limit_of returns the parameter that says how many to give, and may be 1 and 3; empty: none is.
std::string limit_of(const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return {};
  for (const std::string_view name : kHowMany) {
    const Json* const property = find(*properties, name);
    if (property == nullptr || string_or(*property, "type", "") != "integer") continue;
    const bool few = int_or(*property, "minimum", kFewer) <= kFewer;
    const bool many = int_or(*property, "maximum", kSeveral) >= kSeveral;
    if (few && many) return std::string(name);
  }
  return {};
}

// says_all returns whether a sentence that speaks of a member says that all are counted by it.
bool says_all(const Json& tool, std::string_view member) {
  bool all = false;
  for (const Sentence& one : said_of_answers(tool)) {
    if (!names_member(one, member)) continue;
    if (mentions_any(one.low, kOfPage)) return false;
    all = all || mentions_any(one.low, kOfAll);
  }
  return all;
}

}  // namespace

bool totals_pages(const Json& tool) {
  return !limit_of(tool).empty() &&
         std::ranges::any_of(kTotals, [&](std::string_view name) { return says_all(tool, name); });
}

Task<Finding> judge_page_total(Client client, const Json* tool, Json params) {
  const std::string limit = limit_of(*tool);
  std::array<std::int64_t, 4> totals = {};
  Reply last;
  std::string_view member;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    params["arguments"][limit] = i % 2 == 0 ? kFewer : kSeveral;
    last = co_await client.request("tools/call", params);
    const Json answer = has_gone_well(last) ? answer_in(last) : Json();
    const auto given = static_cast<std::int64_t>(listed_in(answer).size());
    member = answer.is_object() ? counted_as(answer, kTotals) : std::string_view();
    if (member.empty() || !says_all(*tool, member)) co_return not_for_it("");
    totals[i] = int_or(answer, member, -1);
    // Only who counts what it gives is told of: then it was cut before it was counted.
    if (i % 2 == 0 && given != kFewer) co_return not_for_it("");
    if (totals[i] != given) co_return passes();
  }
  if (totals[0] == totals[1] || totals[0] != totals[2] || totals[1] != totals[3])
    co_return passes();
  co_return about(
      broken(tool_in(params) + " says that \"" + std::string(member) +
             "\" counts all that match, and it is " + std::to_string(totals[0]) + " with " + limit +
             " " + std::to_string(kFewer) + " and " + std::to_string(totals[1]) + " with " + limit +
             " " + std::to_string(kSeveral) + ": what was cut off is not counted"),
      last);
}

}  // namespace plumbline::conformance
