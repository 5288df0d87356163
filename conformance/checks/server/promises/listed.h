// What a tool has listed: the items in its answer, how many there are, and what bounds them.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::conformance {

// How answers call the number of all that there is, and how parameters call that of those on a
// page.
inline constexpr std::array<std::string_view, 9> kTotals = {
    "total",       "total_count",   "totalCount",   "total_items", "totalItems",
    "total_found", "total_matches", "totalMatches", "totalResults"};
// By the first of them items are counted: by the others it may be places in them.
inline constexpr auto kItemTotals = std::span(kTotals).first<5>();
inline constexpr std::array<std::string_view, 7> kHowMany = {
    "limit", "count", "size", "pageSize", "page_size", "perPage", "per_page"};

// counted_as returns the first of these names that a member of an object has which is a whole
// number; empty: there is none.
template <typename Names>
std::string_view counted_as(const Json& answer, const Names& names) {
  for (const std::string_view name : names) {
    if (int_or(answer, name, -1) >= 0) return name;
  }
  return {};
}

// number_of returns that member; -1: there is none.
template <typename Names>
std::int64_t number_of(const Json& answer, const Names& names) {
  const std::string_view name = counted_as(answer, names);
  return name.empty() ? -1 : int_or(answer, name, -1);
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
