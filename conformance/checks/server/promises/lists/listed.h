// What a tool has listed: the items in its answer.

#pragma once

#include "core/json/json.h"

namespace plumbline::conformance {

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
