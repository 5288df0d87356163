#include "conformance/checks/server/promises/lists/narrowing.h"

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

namespace plumbline::conformance {

namespace {

constexpr std::size_t kPairsTried = 3;
constexpr std::size_t kNarrowedMax = 4;

// Words of a description that may well mean the one or the other.
constexpr std::array<std::string_view, 4> kEither = {"or", "any", "either", "union"};

// A list as long as one of these may be cut.
constexpr std::array<std::size_t, 7> kUsualPages = {5, 10, 20, 25, 30, 50, 100};

// filters_in returns the parameters that are texts and not required: each may be left out.
std::vector<std::string> filters_in(const Json& tool) {
  std::vector<std::string> found;
  const Json* const properties = properties_of(tool);
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  if (properties == nullptr || (required != nullptr && !required->empty())) return found;
  for (const auto& [name, property] : properties->items()) {
    if (string_or(property, "type", "") == "string") found.push_back(name);
  }
  return found;
}

bool says_either(const Json& tool) {
  return std::ranges::any_of(sentences_in(string_or(tool, "description", "")),
                             [](const Sentence& one) { return says_word(one, kEither); });
}

// FilteredList is what a call with some filters lists, if it lists all.
struct FilteredList {
  Json items = Json::array();
  Json params;
  Reply reply;
  bool whole = false;
};

Task<FilteredList> list_with(Client client, std::string tool, Json arguments) {
  FilteredList list;
  list.params = {{"name", std::move(tool)}, {"arguments", std::move(arguments)}};
  list.reply = co_await client.request("tools/call", list.params);
  if (!has_gone_well(list.reply)) co_return std::move(list);
  const Json answer = answer_in(list.reply);
  list.items = listed_in(answer);
  const auto total = answer.is_object() ? number_of(answer, kTotals) : -1;
  const auto size = static_cast<std::int64_t>(list.items.size());
  const bool usual = std::ranges::find(kUsualPages, list.items.size()) != kUsualPages.end();
  const bool cut = total > size || (total < 0 && usual);
  list.whole = !cut && is_objects(list.items);
  co_return std::move(list);
}

// value_of returns the text that an item has under the name of a filter; empty: it has none.
std::string value_of(const Json& item, const std::string& filter) {
  return string_or(item, filter, "");
}

// more_than returns the first item of `both` that is not in `alone`.
const Json* more_than(const FilteredList& both, const FilteredList& alone) {
  for (const Json& item : both.items) {
    if (std::ranges::find(alone.items, item) == alone.items.end()) return &item;
  }
  return nullptr;
}

// judge_both compares what two filters list together with what each lists alone.
Task<Finding> judge_both(Client client, std::string tool, const FilteredList* all, Json one,
                         Json other) {
  const FilteredList first = co_await list_with(client, tool, one);
  const FilteredList second = co_await list_with(client, tool, other);
  const auto narrows = [&](const FilteredList& list) {
    return list.whole && !list.items.empty() && list.items.size() < all->items.size();
  };
  if (!narrows(first) || !narrows(second)) co_return not_for_it("");
  Json joined = one;
  joined.update(other);
  const FilteredList both = co_await list_with(client, tool, std::move(joined));
  if (!has_gone_well(both.reply)) co_return not_for_it("");
  const bool more = more_than(both, first) != nullptr;
  const FilteredList& alone = more ? first : second;
  const Json* const odd = more_than(both, alone);
  if (odd == nullptr) co_return passes();
  co_return about(
      broken(tool_in(both.params) + ", called with " + given_in(both.params) + ", lists " +
             std::to_string(both.items.size()) + ", and with " + given_in(alone.params) +
             " alone " + std::to_string(alone.items.size()) + ", without " +
             shortened(dump_json(*odd)) + ": one filter more leaves no more"),
      alone.reply, both.reply);
}

}  // namespace

bool has_filters(const Json& tool) { return filters_in(tool).size() >= 2 && !says_either(tool); }

Task<Finding> judge_narrowing(Client client, const Json* tool, Json params) {
  const std::string name = string_or(params, "name", "");
  std::vector<std::string> filters = filters_in(*tool);
  filters.resize(std::min(filters.size(), kNarrowedMax));
  const FilteredList all = co_await list_with(client, name, Json::object());
  if (!all.whole || all.items.size() < 3) co_return not_for_it("");
  std::size_t tried = 0;
  std::size_t held = 0;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    for (std::size_t j = i + 1; j < filters.size() && tried < kPairsTried; ++j) {
      const std::string one = value_of(all.items.front(), filters[i]);
      const auto differs = std::ranges::find_if(all.items, [&](const Json& item) {
        const std::string other = value_of(item, filters[j]);
        return !other.empty() && value_of(item, filters[i]) != one;
      });
      if (one.empty() || differs == all.items.end()) continue;
      ++tried;
      Json first = {{filters[i], one}};
      Json second = {{filters[j], value_of(*differs, filters[j])}};
      Finding finding =
          co_await judge_both(client, name, &all, std::move(first), std::move(second));
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      held += finding.verdict == Verdict::kPass ? 1 : 0;
    }
  }
  co_return held > 0 ? passes() : not_for_it("");
}

}  // namespace plumbline::conformance
