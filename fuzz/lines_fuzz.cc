// Any bytes, cut anywhere: the lines are the same as those of the whole, and none is over the
// limit.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/wire/lines.h"

namespace {

using plumbline::wire::Line;
using plumbline::wire::LineReader;

constexpr std::size_t kLineBytesMax = 64;

std::vector<std::pair<Line::Kind, std::string>> lines_of(std::string_view text, std::size_t piece) {
  LineReader reader(kLineBytesMax);
  std::vector<std::pair<Line::Kind, std::string>> lines;
  const auto drain = [&] {
    while (const std::optional<Line> line = reader.next()) {
      const bool return_left =
          line->kind == Line::Kind::kUnterminated && line->bytes.ends_with('\r');
      plumbline::check(line->bytes.size() <= kLineBytesMax + (return_left ? 1 : 0),
                       "a line is over the limit");
      lines.emplace_back(line->kind, std::string(line->bytes));
    }
  };
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    reader.feed(text.substr(0, piece));
    drain();
  }
  reader.finish();
  drain();
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 16U;
  plumbline::check(lines_of(text, piece) == lines_of(text, size), "where bytes are cut matters");
  return 0;
}
