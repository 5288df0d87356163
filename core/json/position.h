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

// describe returns "line 3 column 7".
std::string describe(Position at);

}  // namespace plumbline
