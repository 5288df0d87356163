// What those who watch events read in their details.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::scenarios {

// text_of reads a string member without copying it; empty when there is none.
inline std::string_view text_of(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  const auto* const text = member ? member->get_ptr<const std::string*>() : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}

// is_call returns whether a request of this method makes a server do something for the user.
inline bool is_call(std::string_view method) {
  return method == "tools/call" || method == "resources/read" || method == "prompts/get";
}

}  // namespace plumbline::scenarios
