// HttpHeadParser reads the head of one HTTP/1.x message. Inside core/wire: see http.h for the door.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/wire/http.h"

namespace plumbline::wire {

// HttpFault is why a message is refused, with the status that a server answers.
using HttpFault = HttpRequestReader::Problem;

// HttpFraming is how the end of a body is found.
enum class HttpFraming { kNone, kLength, kChunked, kUntilClose };

struct HttpHead {
  std::string method;  // Of a request.
  std::string target;  // Of a request.
  int status = 0;      // Of a response.
  HttpHeaders headers;
  bool keep_alive = false;
  bool expects_continue = false;
  HttpFraming framing = HttpFraming::kNone;
  std::uint64_t content_length = 0;  // With kLength, at least 1.
};

class HttpHeadParser {
 public:
  enum class Kind { kRequest, kResponse, kResponseWithoutBody };

  HttpHeadParser(Kind kind, std::size_t header_bytes_max);
  ~HttpHeadParser();

  // feed takes bytes off `bytes` up to the end of the head, or all of them.
  void feed(std::string_view& bytes);

  // started returns whether a byte of the message has arrived; empty lines before it do not count.
  bool started() const { return !text_.empty(); }
  std::size_t bytes() const { return text_.size(); }
  bool done() const { return done_; }
  const std::optional<HttpFault>& fault() const { return fault_; }

  // head is whole once done().
  HttpHead& head() { return head_; }

 private:
  struct Beast;
  struct BeastRequest;
  struct BeastResponse;

  void take_line();
  void parse_start_line();
  void parse_fields();
  void check_request();
  void fail(int status, std::string what) { fault_ = HttpFault{status, std::move(what)}; }

  Kind kind_;
  std::size_t header_bytes_max_;
  std::unique_ptr<Beast> beast_;
  std::string text_;             // Of the head, as far as it arrived.
  std::size_t line_start_ = 0;   // In text_: the line that is not whole yet.
  std::size_t start_bytes_ = 0;  // Of the start line.
  HttpHead head_;
  bool done_ = false;
  std::optional<HttpFault> fault_;
};

}  // namespace plumbline::wire
