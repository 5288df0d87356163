// Where in a text something stands: for messages that name a line and a column.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plumbline {

// Position counts from 1. The column counts bytes.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
  friend bool operator==(const Position&, const Position&) = default;
};

// position_of returns where byte `offset` of `text` stands; the end of the text for one past it.
Position position_of(std::string_view text, std::size_t offset);

// locate returns where the value that the RFC 6901 `pointer` names begins in `text`: at its key
// for a member of an object, at its first byte for an item of an array. `text` is JSON that
// parse_json accepts, comments included. A pointer that leads nowhere gives the deepest value on
// its way that does exist.
//
// It reads the text again from the start: for error messages, not for hot paths.
Position locate(std::string_view text, std::string_view pointer);

// describe returns "line 3 column 7".
std::string describe(Position at);

}  // namespace plumbline
