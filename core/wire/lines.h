// LineReader cuts a stream of bytes into lines, as the stdio transport frames its messages.
//
// It is fed bytes and asked for what they complete:
//
//   reader.feed(bytes);
//   while (const std::optional<Line> line = reader.next()) ...
//
// What comes out depends on the bytes alone, never on how they were cut into feeds.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/limits.h"

namespace plumbline::wire {

// Line is one line without its end, or what was found in place of one.
struct Line {
  enum class Kind {
    kComplete,
    kTooLong,       // More bytes than the limit; skipped up to its newline.
    kUnterminated,  // The stream ended inside it.
  };
  Kind kind = Kind::kComplete;
  // bytes is the line, of a kTooLong one its beginning (at most kLineStartBytesMax, and not
  // more than the limit). A kUnterminated one keeps a carriage return at its end, which may stand
  // just beyond the limit. Lives until the next call of the reader.
  std::string_view bytes;
};

// kLineStartBytesMax is how much is shown of a line that is too long.
inline constexpr std::size_t kLineStartBytesMax = 256;

class LineReader {
 public:
  // `line_bytes_max` counts neither the newline nor a carriage return before it.
  explicit LineReader(std::size_t line_bytes_max = limits::kMessageBytesMax)
      : line_bytes_max_(line_bytes_max) {}

  // feed appends `bytes`, which must live until next() has returned nothing. Call it only then.
  void feed(std::string_view bytes);

  // finish tells that no more bytes come. next() then returns what was left over, if anything.
  void finish();

  // next returns the next line that ends in LF or CRLF. Lines of nothing but spaces, tabs and
  // carriage returns are skipped. A line that is too long is returned once, as soon as it is known
  // to be. Nothing: feed() again.
  std::optional<Line> next();

 private:
  std::optional<Line> take_piece();
  bool is_too_long(std::string_view line) const;

  std::size_t line_bytes_max_;
  std::string_view input_;  // Not looked at yet.
  std::string partial_;     // The line begun in earlier feeds.
  bool partial_returned_ = false;
  bool skipping_ = false;  // Inside a line that was reported as too long.
  bool finished_ = false;
};

}  // namespace plumbline::wire
