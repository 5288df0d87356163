#include "core/wire/http_body.h"

#include <algorithm>

#include "core/base/percent.h"

namespace plumbline::wire {

namespace {

constexpr std::string_view kCrlf = "\r\n";

}  // namespace

HttpBodyReader::HttpBodyReader(const HttpHead& head, std::uint64_t body_bytes_max,
                               std::size_t line_bytes_max)
    : left_(head.content_length), body_left_(body_bytes_max), line_bytes_max_(line_bytes_max) {
  switch (head.framing) {
    case HttpFraming::kNone:
      state_ = State::kDone;
      break;
    case HttpFraming::kLength:
      state_ = State::kLength;
      break;
    case HttpFraming::kChunked:
      state_ = State::kSize;
      break;
    case HttpFraming::kUntilClose:
      state_ = State::kUntilClose;
      break;
  }
}

void HttpBodyReader::feed(std::string_view& bytes, std::string& body, std::size_t room) {
  while (!bytes.empty() && room != 0 && !done() && !fault_) {
    if (state_ == State::kLength || state_ == State::kChunk || state_ == State::kUntilClose) {
      take_data(bytes, body, room);
    } else {
      take_line(bytes);
    }
  }
}

bool HttpBodyReader::finish() {
  if (state_ == State::kUntilClose) state_ = State::kDone;
  return done();
}

void HttpBodyReader::take_data(std::string_view& bytes, std::string& body, std::size_t& room) {
  std::size_t size = std::min(bytes.size(), room);
  if (state_ != State::kUntilClose) {
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
    left_ -= size;
  }
  body.append(bytes.substr(0, size));
  bytes.remove_prefix(size);
  room -= size;
  if (left_ != 0 || state_ == State::kUntilClose) return;
  state_ = state_ == State::kLength ? State::kDone : State::kChunkEnd;
}

// take_line takes bytes up to the end of a line between chunks and acts on it once it is whole.
void HttpBodyReader::take_line(std::string_view& bytes) {
  const std::size_t newline = bytes.find('\n');
  const bool ended = newline != std::string_view::npos;
  const std::string_view piece = bytes.substr(0, ended ? newline + 1 : bytes.size());
  const std::size_t line_bytes_max =
      state_ == State::kChunkEnd ? kCrlf.size() : line_bytes_max_ - trailer_bytes_;
  if (piece.size() > line_bytes_max - line_.size()) {
    if (state_ == State::kChunkEnd) return fail(400, "a chunk is longer than its size");
    return fail(state_ == State::kTrailers ? 431 : 400, "a line between chunks is too long");
  }
  line_.append(piece);
  bytes.remove_prefix(piece.size());
  if (!ended) return;
  if (!line_.ends_with(kCrlf)) return fail(400, "a line between chunks ends without CR");
  if (state_ == State::kSize) {
    take_size();
  } else if (state_ == State::kChunkEnd) {
    state_ = State::kSize;
  } else if (line_ == kCrlf) {
    state_ = State::kDone;
  } else {
    trailer_bytes_ += line_.size();
  }
  line_.clear();
}

// take_size reads "1f;name=value". Extensions mean nothing to us (RFC 9112, section 7.1.1).
void HttpBodyReader::take_size() {
  constexpr std::size_t digits_max = 15;  // Of a size that cannot overflow.
  std::uint64_t size = 0;
  std::size_t digits = 0;
  for (int digit = 0; digit >= 0 && digits <= digits_max; ++digits) {
    digit = hex_digit(line_[digits]);
    if (digit < 0) break;
    size = size * 16 + static_cast<unsigned>(digit);
  }
  const std::string_view rest = std::string_view(line_).substr(digits);
  const std::size_t after_spaces = rest.find_first_not_of(" \t");
  const bool well = digits != 0 && digits <= digits_max &&
                    (rest == kCrlf || rest[after_spaces] == ';') &&
                    rest.find('\r') == rest.size() - kCrlf.size();
  if (!well) return fail(400, "a chunk has no size");
  if (size > body_left_) return fail(413, "the body is too long");
  body_left_ -= size;
  left_ = size;
  state_ = size == 0 ? State::kTrailers : State::kChunk;
}

}  // namespace plumbline::wire
