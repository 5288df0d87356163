// HttpBodyReader finds the end of one body and takes the chunks apart. Inside core/wire.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/wire/http_head.h"

namespace plumbline::wire {

class HttpBodyReader {
 public:
  // `body_bytes_max` bounds the sum of the chunks; a declared length is the caller's to refuse.
  // `line_bytes_max` bounds a line between chunks, and all trailers together.
  HttpBodyReader(const HttpHead& head, std::uint64_t body_bytes_max, std::size_t line_bytes_max);

  // feed takes bytes off `bytes` up to the end of the body, or all of them, and appends what they
  // hold to `body`, at most `room` bytes a call. It stops short when that is reached.
  void feed(std::string_view& bytes, std::string& body, std::size_t room);

  // finish tells that the peer closed. Returns whether that ends the body well.
  bool finish();

  bool done() const { return state_ == State::kDone; }
  const std::optional<HttpFault>& fault() const { return fault_; }

 private:
  enum class State { kLength, kUntilClose, kSize, kChunk, kChunkEnd, kTrailers, kDone };

  void take_data(std::string_view& bytes, std::string& body, std::size_t& room);
  void take_line(std::string_view& bytes);
  void take_size();
  void fail(int status, std::string what) { fault_ = HttpFault{status, std::move(what)}; }

  State state_;
  std::uint64_t left_;       // Of the body or the chunk.
  std::uint64_t body_left_;  // Of what the chunks may hold.
  std::size_t line_bytes_max_;
  std::size_t trailer_bytes_ = 0;
  std::string line_;  // Between chunks, as far as it arrived.
  std::optional<HttpFault> fault_;
};

}  // namespace plumbline::wire
