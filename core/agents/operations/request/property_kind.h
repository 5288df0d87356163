// What a property holds, as its name says, and the value of that kind in a request.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/agents/operations/request/request_text.h"

namespace plumbline::agents {

// PropertyKind groups properties by what their name says they hold.
enum class PropertyKind {
  kPath,
  kOrigin,
  kDestination,
  kUri,
  kRecipient,
  kPerson,
  kPhrase,
  kText,
  kIdentifier,
  kSubject,
  kPlace,
  kOther
};

PropertyKind kind_of(std::string_view property);

// by_kind finds a value by what the property's name says it holds.
std::optional<std::string> by_kind(PropertyKind kind, RequestText& request);

}  // namespace plumbline::agents
