// What can differ between two versions of a server, as a table: each kind says what happened, and
// what that does to the clients of the older one.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::scenarios {

// Weight says what a difference does to a client that was written for the older version.
enum class Weight : std::uint8_t {
  kCompatible,  // It need not know.
  kVisible,     // It may see it: a value is another one.
  kBreaking,    // It relied on what is gone.
};

struct DifferenceKind {
  std::string_view id;  // "diff.tool-lost".
  Weight weight;
  std::string_view what;  // One sentence about the newer version.
};

// difference_kinds returns the table, in the order in which reports show them.
std::span<const DifferenceKind> difference_kinds();

// find_difference_kind returns the one of this id, nullptr when there is none. What stands behind a
// colon is the place: "diff.tool-lost:echo" is the kind "diff.tool-lost".
const DifferenceKind* find_difference_kind(std::string_view id);

struct Difference {
  const DifferenceKind* kind;
  std::string place;         // "echo", "echo/path", "tools/call/echo/content/*/text".
  std::string was;           // In a few words; empty: it was not there.
  std::string is;            // Likewise, now.
  std::size_t exchange = 0;  // That showed it, of the older conversation.
  std::size_t seen = 1;      // How often.
};

// difference makes one of the kind `id`, which there must be.
Difference difference(std::string_view id, std::string place, std::string was, std::string is);

// shown_value returns JSON on one line, clipped.
std::string shown_value(const Json& value);

}  // namespace plumbline::scenarios
