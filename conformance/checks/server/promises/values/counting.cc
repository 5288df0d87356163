#include "conformance/checks/server/promises/values/counting.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kCountedMax = 6;
constexpr std::size_t kListedMax = 100;  // More may well be cut short.
constexpr std::array<std::string_view, 4> kListing = {"list", "search", "find", "get"};
constexpr std::array<std::string_view, 2> kCounting = {"count", "counts"};
constexpr std::array<std::string_view, 5> kCounts = {"count", "total", "totalCount", "total_count",
                                                     "number"};
// What is left out, by the words of a description, and how that is said.
constexpr std::array<std::string_view, 14> kSetAside = {
    "archived", "deleted", "closed",  "cancelled", "canceled", "inactive", "hidden",
    "disabled", "expired", "retired", "sold",      "finished", "removed",  "completed"};
constexpr std::array<std::string_view, 8> kWithout = {
    "not", "left", "without", "except", "excluded", "ignored", "omitted", "excluding"};

// left_out returns what a description says that is left out; empty: nothing, or it is not clear.
std::string left_out(const Json& tool) {
  std::string found;
  for (const Sentence& one : sentences_in(string_or(tool, "description", ""))) {
    for (const std::string_view word : kSetAside) {
      if (!one.words.contains(std::string(word)) || found == word) continue;
      if (!found.empty() || !says_word(one, kWithout)) return {};
      found = word;
    }
  }
  return found;
}

bool needs_none(const Json& tool) {
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  return required == nullptr || required->empty();
}

bool bounds_itself(const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return false;
  return std::ranges::any_of(properties->items(), [](const auto& one) {
    const std::vector<std::string> words = words_of(one.key());
    return std::ranges::find(kHowMany, one.key()) != kHowMany.end() ||
           has_word(words, std::array<std::string_view, 4>{"limit", "page", "cursor", "max"});
  });
}

// is_about_same returns whether a counting tool speaks of what the other one lists.
bool is_about_same(const Json& counter, const Json& lister) {
  const std::vector<std::string> words = words_of(string_or(lister, "name", ""));
  if (words.size() < 2) return false;
  const std::string thing = singular(words.back());
  std::vector<Sentence> said = sentences_in(string_or(counter, "description", ""));
  if (said.empty()) return false;
  return said.front().words.contains(thing) || said.front().words.contains(thing + "s") ||
         said.front().words.contains(words.back());
}

// Counted is a tool that counts and one that lists the same.
struct Counted {
  const Json* counter;
  const Json* lister;
  std::string without;
};

std::vector<Counted> counted_pairs(Probe& probe) {
  std::vector<Counted> found;
  const std::vector<Json>& tools = probe.survey().tools.items;
  const auto reads = [&](const Json& tool) {
    return says_hint(tool, "readOnlyHint", true) && probe.may_call(tool) && needs_none(tool) &&
           !probe.disturbs(string_or(tool, "name", ""));
  };
  for (const Json& counter : tools) {
    if (!reads(counter) || !starts_with_one_of(counter, kCounting)) continue;
    const std::string without = left_out(counter);
    for (const Json& lister : tools) {
      const bool lists = starts_with_one_of(lister, kListing) && reads(lister) &&
                         !bounds_itself(lister) && is_about_same(counter, lister);
      if (!lists || without.empty() || left_out(lister) != without) continue;
      if (found.size() < kCountedMax) found.push_back({&counter, &lister, without});
    }
  }
  return found;
}

// counted_in returns the number that an answer gives of all; nothing: there is none.
std::optional<std::int64_t> counted_in(const Json& answer) {
  if (!answer.is_object()) return std::nullopt;
  const std::int64_t number = number_of(answer, kCounts);
  return number < 0 ? std::nullopt : std::optional(number);
}

Task<Finding> judge_counted(Client client, Counted pair) {
  const Json asks_list = {{"name", string_or(*pair.lister, "name", "")},
                          {"arguments", Json::object()}};
  const Json asks_count = {{"name", string_or(*pair.counter, "name", "")},
                           {"arguments", Json::object()}};
  const Reply before = co_await client.request("tools/call", asks_list);
  const Reply count = co_await client.request("tools/call", asks_count);
  const Reply after = co_await client.request("tools/call", asks_list);
  if (!has_gone_well(before) || !has_gone_well(count) || !has_gone_well(after)) {
    co_return not_for_it("");
  }
  const Json answer = answer_in(before);
  const Json* const list = list_of_page(answer);
  const std::optional<std::int64_t> counted = counted_in(answer_in(count));
  if (answer != answer_in(after) || list == nullptr || list->size() > kListedMax || !counted) {
    co_return not_for_it("");
  }
  const auto listed = static_cast<std::int64_t>(list->size());
  if (listed == *counted) co_return passes();
  co_return about(broken(tool_in(asks_count) + " counts " + std::to_string(*counted) + ", and " +
                         tool_in(asks_list) + " lists " + std::to_string(listed) +
                         "; both say that what is " + pair.without + " is left out"),
                  count, before);
}

}  // namespace

Task<Finding> counts_agree(Probe& probe, Client client) {
  for (const Counted& pair : counted_pairs(probe)) {
    Finding finding = co_await judge_counted(client, pair);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
  }
  co_return passes();
}

}  // namespace plumbline::conformance
