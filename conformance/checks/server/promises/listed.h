// What a tool has listed: the items in its answer, how many there are, and what bounds them.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::conformance {

// How answers call the number of all items, and how parameters call that of those on a page.
inline constexpr std::array<std::string_view, 4> kTotals = {"total", "total_count", "totalCount",
                                                            "total_items"};
inline constexpr std::array<std::string_view, 7> kHowMany = {
    "limit", "count", "size", "pageSize", "page_size", "perPage", "per_page"};

// number_of returns the first member of an object that has one of these names and is a whole
// number; -1: there is none.
template <typename Names>
std::int64_t number_of(const Json& answer, const Names& names) {
  for (const std::string_view name : names) {
    const std::int64_t number = int_or(answer, name, -1);
    if (number >= 0) return number;
  }
  return -1;
}

// list_of_page returns the first list in an answer; nullptr: there is none. It is the answer's own.
inline const Json* list_of_page(const Json& answer) {
  if (answer.is_array()) return &answer;
  if (!answer.is_object()) return nullptr;
  for (const Json& inside : answer) {
    if (const Json* const list = list_of_page(inside)) return list;
  }
  return nullptr;
}

// listed_in returns the items of that list; none where there is none.
inline Json listed_in(const Json& answer) {
  const Json* const list = list_of_page(answer);
  return list == nullptr ? Json::array() : *list;
}

}  // namespace plumbline::conformance
