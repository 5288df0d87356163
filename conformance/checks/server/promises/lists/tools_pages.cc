// Whether the pages that a tool gives are parts of the whole: two pages of some items are as many
// again in one. By "limit" and "offset", by "pageSize" and "page", or what they are called.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/lists/going_on.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kOnPage = 2;
constexpr std::size_t kPagersMax = 6;
constexpr std::int64_t kLargestMax = 1'000;
constexpr std::array<std::string_view, 4> kGoesOnAt = {"next_offset", "nextOffset", "next",
                                                       "next_start"};
constexpr std::array<std::string_view, 4> kFromWhere = {"offset", "skip", "start", "from"};
constexpr std::array<std::string_view, 4> kWhichPage = {"page", "page_number", "pageNumber",
                                                        "pageNo"};
// Looked for where too little is found to be cut into pages: what most texts have in them.
constexpr std::array<std::string_view, 3> kInMostTexts = {"e", "a", "o"};

// Pager is a call of a tool, and what its parameters are called.
struct Pager {
  Json params;
  std::string how_many;
  std::string from_where;
  bool counts_pages = false;  // From 1, by `from_where`.
};

// first_of returns the first of these names that is a parameter of whole numbers; empty: none is.
std::string first_of(const Json& properties, const auto& names) {
  for (const std::string_view name : names) {
    const Json* const property = find(properties, name);
    if (property != nullptr && string_or(*property, "type", "") == "integer") {
      return std::string(name);
    }
  }
  return {};
}

std::vector<Pager> pagers_of(Probe& probe, const Exercise& exercise) {
  std::vector<Pager> found;
  for (const Json& params : reading_calls(probe, exercise, 2 * kPagersMax)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    const Json* const properties = properties_of(tool);
    if (properties == nullptr) continue;
    Pager pager{params, first_of(*properties, kHowMany), first_of(*properties, kFromWhere)};
    if (pager.from_where.empty()) {
      pager.from_where = first_of(*properties, kWhichPage);
      pager.counts_pages = true;
    }
    if (pager.how_many.empty() || pager.from_where.empty()) continue;
    if (found.size() < kPagersMax) found.push_back(std::move(pager));
  }
  return found;
}

// Page is what came of one call.
struct Page {
  Reply reply;
  Json items = Json::array();
};

Task<Page> page_of(Client client, Pager pager, std::int64_t how_many, std::int64_t from) {
  pager.params["arguments"][pager.how_many] = how_many;
  pager.params["arguments"][pager.from_where] = pager.counts_pages ? 1 + from / how_many : from;
  Page page;
  page.reply = co_await client.request("tools/call", std::move(pager.params));
  if (!has_gone_well(page.reply)) co_return std::move(page);
  page.items = listed_in(answer_in(page.reply));
  co_return std::move(page);
}

// with_more_found looks for what most texts have in them, where a search finds too little.
Task<Pager> with_more_found(Client client, Pager pager, const Json* tool) {
  const Json* const properties = properties_of(tool);
  const Page own = co_await page_of(client, pager, 2 * kOnPage, 0);
  if (own.items.size() == 2 * kOnPage || properties == nullptr) co_return std::move(pager);
  for (const auto& [name, property] : properties->items()) {
    if (!searches_by(name) || string_or(property, "type", "") != "string") continue;
    for (const std::string_view text : kInMostTexts) {
      Pager other = pager;
      other.params["arguments"][name] = text;
      const Page page = co_await page_of(client, other, 2 * kOnPage, 0);
      if (page.items.size() == 2 * kOnPage) co_return std::move(other);
    }
  }
  co_return std::move(pager);
}

// judge_pager compares two pages with the whole of them, which has to stand still.
Task<Finding> judge_pager(Client client, Pager pager) {
  const Page whole = co_await page_of(client, pager, 2 * kOnPage, 0);
  const Page first = co_await page_of(client, pager, kOnPage, 0);
  const Page second = co_await page_of(client, pager, kOnPage, kOnPage);
  const Page again = co_await page_of(client, pager, 2 * kOnPage, 0);
  const bool full = whole.items.size() == 2 * kOnPage && whole.items == again.items;
  if (!full || first.items.size() != kOnPage) co_return not_for_it("");
  // Who counts pages, or from 1, begins elsewhere: then the first page is another one.
  if (!std::equal(first.items.begin(), first.items.end(), whole.items.begin())) {
    co_return not_for_it("");
  }
  const bool same =
      second.items.size() == kOnPage &&
      std::equal(second.items.begin(), second.items.end(), whole.items.begin() + kOnPage);
  if (same) co_return passes();
  if (!pager.counts_pages) {
    // Who counts pages by it gives the third of them.
    const Page more = co_await page_of(client, pager, 3 * kOnPage, 0);
    const bool third = more.items.size() == 3 * kOnPage &&
                       std::equal(second.items.begin(), second.items.end(),
                                  more.items.begin() + 2 * kOnPage, more.items.end());
    if (third) co_return not_for_it("");
  }
  co_return about(
      broken(tool_in(pager.params) + " with " + pager.how_many + " 2 and " + pager.from_where +
             " 2 gave " + shortened(dump_json(second.items)) + ", and with " + pager.how_many +
             " 4 and " + pager.from_where + (pager.counts_pages ? " 1" : " 0") +
             " the third and fourth item are others: an item is given twice, or " + "left out"),
      second.reply);
}

// judge_largest asks for as many as may be asked for: who gives fewer, of what is there, and goes
// on as if all had been given, leaves some out.
Task<Finding> judge_largest(Probe& probe, Client client, Pager pager) {
  const Json* const tool = probe.survey().tool(string_or(pager.params, "name", ""));
  const Json* const property =
      tool == nullptr ? nullptr : at_pointer(*tool, "/inputSchema/properties/" + pager.how_many);
  const std::int64_t most = property == nullptr ? 0 : int_or(*property, "maximum", 0);
  if (most <= kOnPage || most > kLargestMax) co_return not_for_it("");
  const Page page = co_await page_of(client, pager, most, 0);
  const Json answer = has_gone_well(page.reply) ? answer_in(page.reply) : Json();
  const auto given = static_cast<std::int64_t>(page.items.size());
  const std::int64_t all = number_of(answer, kTotals);
  if (given == 0 || given >= most || given >= all) co_return passes();
  if (number_of(answer, kGoesOnAt) != most) co_return passes();
  co_return about(
      broken(tool_in(pager.params) + " with " + pager.how_many + " " + std::to_string(most) +
             " gave " + std::to_string(given) + " of " + std::to_string(all) +
             ", and says to go on at " + std::to_string(most) + ": what lies between is left out"),
      page.reply);
}

Task<Finding> pages_make_the_whole(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = probe.client();
  std::size_t judged = 0;
  for (const Pager& known : pagers_of(probe, exercise)) {
    const Json* const tool = probe.survey().tool(string_or(known.params, "name", ""));
    const Pager pager = co_await with_more_found(client, known, tool);
    Finding finding = co_await judge_pager(client, pager);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    Finding largest = co_await judge_largest(probe, client, pager);
    if (largest.verdict == Verdict::kFail) co_return std::move(largest);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  Finding on = co_await goes_on_as_given(probe, client);
  if (on.verdict == Verdict::kFail) co_return std::move(on);
  judged += on.verdict == Verdict::kPass ? 1 : 0;
  co_return judged > 0 ? passes() : not_for_it("no tool that only reads gives pages");
}

constexpr ServerCheck kToolsPagesChecks[] = {
    {"tools.pages-make-the-whole", Eras::kBoth, SessionUse::kShared, pages_make_the_whole},
};

}  // namespace

ServerChecks tools_pages_checks() { return kToolsPagesChecks; }

}  // namespace plumbline::conformance
