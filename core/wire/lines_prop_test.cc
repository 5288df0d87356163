#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/wire/lines.h"

namespace plumbline::wire {
namespace {

constexpr std::size_t kLineMax = 6;
using Lines = std::vector<std::pair<Line::Kind, std::string>>;

// read_in_pieces returns what a reader makes of `pieces`. Each is copied and thrown away after its
// feed, so a reader that kept a view of it would be caught.
Lines read_in_pieces(const std::vector<std::string>& pieces) {
  LineReader reader(kLineMax);
  Lines lines;
  const auto drain = [&] {
    while (const std::optional<Line> line = reader.next()) {
      lines.emplace_back(line->kind, std::string(line->bytes));
    }
  };
  for (const std::string& piece : pieces) {
    const std::string copy = piece;
    reader.feed(copy);
    drain();
  }
  reader.finish();
  drain();
  return lines;
}

// expected_lines says the same in the plainest way, from the whole text.
Lines expected_lines(const std::string& text) {
  Lines lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t newline = text.find('\n', start);
    const bool ended = newline != std::string::npos;
    std::string line = text.substr(start, ended ? newline - start : newline);
    start = ended ? newline + 1 : text.size();
    // Before its newline one carriage return is no part of the line; at the end it may not be.
    std::string content = line;
    if (content.ends_with('\r')) content.pop_back();
    const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
    if (content.size() > kLineMax) {
      lines.emplace_back(Line::Kind::kTooLong, content.substr(0, kLineMax));
    } else if (!blank) {
      lines.emplace_back(ended ? Line::Kind::kComplete : Line::Kind::kUnterminated,
                         ended ? content : line);
    }
  }
  return lines;
}

std::string any_text() {
  const auto letter = rc::gen::element('a', 'b', ' ', '\r', '\n', '\n');
  return *rc::gen::container<std::string>(letter);
}

RC_GTEST_PROP(LineReaderPropTest, AnySplitOfTheBytesGivesTheSameLines, ()) {
  const std::string text = any_text();
  const auto cuts =
      *rc::gen::container<std::set<std::size_t>>(rc::gen::inRange<std::size_t>(0, text.size() + 1));
  std::vector<std::string> pieces;
  std::size_t start = 0;
  for (const std::size_t cut : cuts) {
    pieces.push_back(text.substr(start, cut - start));
    start = cut;
  }
  pieces.push_back(text.substr(start));
  RC_ASSERT(read_in_pieces(pieces) == expected_lines(text));
}

RC_GTEST_PROP(LineReaderPropTest, ByteByByteGivesTheSameLinesAsAtOnce, ()) {
  const std::string text = any_text();
  std::vector<std::string> bytes;
  for (const char byte : text) bytes.emplace_back(1, byte);
  RC_ASSERT(read_in_pieces(bytes) == read_in_pieces({text}));
}

}  // namespace
}  // namespace plumbline::wire
