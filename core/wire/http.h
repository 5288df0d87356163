// HTTP/1.1 without I/O: bytes in, messages out, and back. Boost.Beast's parser reads the heads.
//
// A peer can send the bytes in any pieces; the messages are the same. What it may send is bounded
// by HttpLimits. What two readers could understand in two ways is refused: lines that end in LF
// alone, folded lines, Content-Length beside Transfer-Encoding. Trailers are read and dropped.
//
// What we write must be well formed: names and methods are tokens, a target holds no space, none of
// them and no value holds CR, LF or NUL. check() holds the caller to it.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/limits.h"
#include "core/base/text.h"

namespace plumbline::wire {

// HttpHeaders keeps the fields in order. Names are compared without case.
class HttpHeaders {
 public:
  using Field = std::pair<std::string, std::string>;

  HttpHeaders() = default;
  HttpHeaders(std::initializer_list<Field> fields) : fields_(fields) {}

  // get returns the first value of `name`, without outer whitespace. Valid until the next change.
  std::optional<std::string_view> get(std::string_view name) const;

  // count returns how many fields have `name`.
  std::size_t count(std::string_view name) const;

  // set replaces every field of `name` by one; add appends one.
  void set(std::string_view name, std::string value);
  void add(std::string name, std::string value);
  void erase(std::string_view name);

  const std::vector<Field>& fields() const { return fields_; }
  friend bool operator==(const HttpHeaders&, const HttpHeaders&) = default;

 private:
  std::vector<Field> fields_;
};

// equals_ignoring_case compares ASCII text as names and tokens of HTTP are compared.
using plumbline::equals_ignoring_case;

// is_header_value returns whether `text` may be the value of a field and arrives as it is: no
// control character, no space at either end. Ask it of all that somebody else has said.
bool is_header_value(std::string_view text);

struct HttpRequest {
  std::string method;
  std::string target;  // As on the wire: "/mcp?x=1".
  HttpHeaders headers;
  std::string body;
  bool keep_alive = true;  // As the peer asked; the reader fills it in, the writer ignores it.
};

struct HttpResponse {
  int status = 200;
  HttpHeaders headers;
  std::string body;
};

struct HttpLimits {
  std::size_t header_bytes_max = limits::kHttpHeaderBytesMax;  // Start line and all fields.
  std::size_t body_bytes_max = limits::kMessageBytesMax;       // Of a request.
};

// HttpRequestReader is the server's side: whole requests, in order, pipelined or not.
class HttpRequestReader {
 public:
  explicit HttpRequestReader(HttpLimits limits = {});
  ~HttpRequestReader();

  // feed takes the next bytes of the peer. No-op once problem() is set. What follows a whole
  // request is kept unread until next() is asked for one more; when that piles up, it is a problem.
  void feed(std::string_view bytes);

  // next returns the next whole request. Nothing: feed() again, or see problem().
  std::optional<HttpRequest> next();

  // wants_continue returns once, true, when the peer waits for "100 Continue" before its body.
  bool wants_continue();

  // idle returns whether the bytes end between two requests. Ask when next() returned nothing.
  bool idle() const;

  // held_bytes returns how many bytes it holds of requests that next() has not returned.
  std::size_t held_bytes() const;

  // drain gives up the bytes behind the last request that next() returned: after an upgrade they
  // belong to the next protocol. Call it before next() is asked for one more.
  std::string drain();

  // Problem ends the connection: answer `status` and close.
  struct Problem {
    int status = 400;
    std::string what;
  };
  const std::optional<Problem>& problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// HttpResponseReader is the client's side: the head of the response, its body as it comes, its end.
// Interim responses (1xx) are skipped, 101 excepted.
class HttpResponseReader {
 public:
  // Head comes first. Its body is still to come.
  struct Head {
    int status = 0;
    HttpHeaders headers;
  };
  // Body is one or more bytes of it, decoded. At most limits::kMessageBytesMax in one piece; there
  // is no bound on the sum: a stream of events has no end. Take what next() has after each feed(),
  // or it piles up. `bytes` is a copy.
  struct Body {
    std::string bytes;
  };
  // End is the last of a response. `keep_alive`: another request may follow on this connection.
  struct End {
    bool keep_alive = false;
  };
  // Broken: what arrived is no HTTP, exceeds a limit, or ended too early. Nothing follows.
  struct Broken {
    std::string what;
  };
  using Event = std::variant<Head, Body, End, Broken>;

  explicit HttpResponseReader(HttpLimits limits = {});
  ~HttpResponseReader();

  // expect_no_body says that the response to come answers HEAD. Holds for that one.
  void expect_no_body();

  void feed(std::string_view bytes);

  // finish tells that the peer closed: the end of a body without length, or too early. It gives no
  // event when no byte of a response to come has arrived: ask started() before.
  void finish();

  std::optional<Event> next();

  // started returns whether a byte of the response to come has arrived.
  bool started() const;

  // drain gives up the bytes behind the last End: after 101 they belong to the next protocol. Call
  // it before next() is asked again, which would read them as a response, except after 101.
  std::string drain();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// append_request writes a request whole, with Content-Length where it has a body or its method
// (POST, PUT, PATCH) wants one. Host must be among its headers.
//
// This and the other writers decide on Content-Length and Transfer-Encoding: fields of these names
// are left out.
void append_request(std::string& out, const HttpRequest& request);

// append_response writes a response whole, with Content-Length except for 1xx, 204 and 304, which
// have no body.
void append_response(std::string& out, const HttpResponse& response);

// append_stream_head opens a response with a chunked body; append_chunk writes one chunk of it
// (nothing for no bytes), append_last_chunk ends it.
void append_stream_head(std::string& out, int status, const HttpHeaders& headers);
void append_chunk(std::string& out, std::string_view bytes);
void append_last_chunk(std::string& out);

// reason_of returns "Not Found" for 404, "Unknown" for a status that has no name.
std::string_view reason_of(int status);

}  // namespace plumbline::wire
