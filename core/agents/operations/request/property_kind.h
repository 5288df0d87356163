// What a property holds, as its name says, and the value of that kind in a request.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/agents/operations/request/request_text.h"
#include "core/json/json.h"

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

// wants_bytes returns whether a property holds encoded bytes: no words of a request are those.
bool wants_bytes(const std::string& name, const Json& schema);

// by_kind finds a value by what the property's name says it holds.
std::optional<std::string> by_kind(PropertyKind kind, RequestText& request);

// tells_of_a_place returns whether a property is described as a place where people are.
bool tells_of_a_place(const Json& schema);

// tells_of_a_path returns whether a property is described as the path of a file.
bool tells_of_a_path(const Json& schema);

// shows_a_comma returns whether the description of a place shows one within another: 'Paris,
// France'.
bool shows_a_comma(const Json& schema);

// takes_addresses returns whether a property that is not called so says that it may hold an URL.
bool takes_addresses(const Json& schema);

}  // namespace plumbline::agents
