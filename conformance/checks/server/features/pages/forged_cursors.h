// Cursors like those of a server, with an offset that it has never given.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::conformance {

struct ForgedCursor {
  std::string cursor;
  std::string offset;        // As it stands in it: -2.
  bool is_an_offset = true;  // Of a kind that no lenient reader takes for another one.
};

// forged_cursors returns what becomes of the first `cursor` of a list where its offset is negative,
// a fraction or a text. None where nothing in it is the number of `items` on the first page: then
// it may be a key, of which any value has something behind it.
std::vector<ForgedCursor> forged_cursors(std::string_view cursor, std::size_t items);

}  // namespace plumbline::conformance
