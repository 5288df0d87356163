#include "core/wire/lines.h"

#include <algorithm>

#include "core/base/check.h"

namespace plumbline::wire {

namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

void LineReader::feed(std::string_view bytes) {
  check(input_.empty() && !finished_, "feed() before next() returned nothing");
  input_ = bytes;
}

void LineReader::finish() {
  check(input_.empty(), "finish() before next() returned nothing");
  finished_ = true;
}

std::optional<Line> LineReader::next() {
  if (partial_returned_) {
    partial_ = std::string();  // Gives the memory back: one long line must not be kept for ever.
    partial_returned_ = false;
  }
  while (!input_.empty()) {
    if (const std::optional<Line> line = take_piece()) {
      partial_returned_ = true;
      return line;
    }
  }
  if (!finished_ || is_blank(partial_)) return std::nullopt;
  partial_returned_ = true;
  return Line{Line::Kind::kUnterminated, partial_};
}

// take_piece takes the input up to its next newline, and returns the line that it completes or
// makes too long. Nothing: the line goes on, was reported already, or is blank.
std::optional<Line> LineReader::take_piece() {
  const std::size_t newline = input_.find('\n');
  const bool ended = newline != std::string_view::npos;
  std::string_view line = input_.substr(0, newline);
  input_.remove_prefix(ended ? newline + 1 : input_.size());
  if (skipping_) {
    skipping_ = !ended;
    return std::nullopt;
  }
  if (!partial_.empty() || !ended) {
    // Two bytes beyond the limit are enough to know that it is one.
    partial_.append(line.substr(0, line_bytes_max_ + 2 - partial_.size()));
    line = partial_;
  }
  if (is_too_long(line)) {
    skipping_ = !ended;
    return Line{Line::Kind::kTooLong,
                line.substr(0, std::min(line_bytes_max_, kLineStartBytesMax))};
  }
  if (!ended) return std::nullopt;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!is_blank(line)) return Line{Line::Kind::kComplete, line};
  partial_.clear();
  return std::nullopt;
}

// is_too_long returns whether `line` is beyond the limit, or must be whatever follows. One byte
// more than the limit may be the carriage return before the newline.
bool LineReader::is_too_long(std::string_view line) const {
  if (line.size() <= line_bytes_max_) return false;
  return line.size() > line_bytes_max_ + 1 || line.back() != '\r';
}

}  // namespace plumbline::wire
