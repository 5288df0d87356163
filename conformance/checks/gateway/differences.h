// Differences between what went in at one side of a gateway and what came out at the other, member
// by member.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::conformance {

struct Difference {
  std::string pointer;         // RFC 6901.
  std::optional<Json> before;  // As it went in; nothing: it was put in on the way.
  std::optional<Json> after;   // As it came out; nothing: it was lost.
};

// differences compares `after` with `before`: objects by their members, lists item by item. Where
// kinds of value differ, the value as a whole does.
std::vector<Difference> differences(const Json& before, const Json& after);

// is_within returns whether `pointer` is at or below what `pattern` names; "*" in it is any one
// step. Several patterns stand with a space between.
bool is_within(std::string_view pointer, std::string_view patterns);

// said_of says one in a few words: what of it was sent, by `sender`, and what `receiver` got.
std::string said_of(const Difference& difference, std::string_view sender,
                    std::string_view receiver);

}  // namespace plumbline::conformance
