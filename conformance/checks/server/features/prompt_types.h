// What an argument of a prompt has to be that cannot be given: all are texts.

#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "conformance/checks/server/shapes.h"
#include "conformance/peer/reply.h"
#include "core/base/text.h"

namespace plumbline::conformance {

// PromptType is what an argument of a prompt cannot be, as the errors of validators call it, and a
// text that is one.
struct PromptType {
  std::array<std::string_view, 4> complaints;
  std::string_view text;
};

inline constexpr std::array kPromptTypes = {
    PromptType{{"expected number, received string", "must be number\"", "not of type 'number'",
                "valid number\""},
               "4"},
    PromptType{{"expected integer, received string", "must be integer\"", "not of type 'integer'",
                "expected int, received string"},
               "4"},
    PromptType{{"expected boolean, received string", "must be boolean\"", "not of type 'boolean'",
                "valid boolean\""},
               "true"},
    PromptType{{"expected array, received string", "must be array\"", "not of type 'array'",
                "valid list\""},
               R"(["a","b"])"},
    PromptType{{"expected object, received string", "must be object\"", "not of type 'object'",
                "valid dictionary\""},
               "{}"},
};

// type_asked_for returns what type the error of a reply asks for in place of a text; nullptr: none.
inline const PromptType* type_asked_for(const Reply& reply) {
  if (reply.error() == nullptr) return nullptr;
  const std::string text = lower_case(dump_json(*reply.error()));
  const auto asks = [&](const PromptType& type) {
    return std::ranges::any_of(type.complaints,
                               [&](std::string_view one) { return mentions(text, one); });
  };
  const auto found = std::ranges::find_if(kPromptTypes, asks);
  return found == kPromptTypes.end() ? nullptr : &*found;
}

}  // namespace plumbline::conformance
