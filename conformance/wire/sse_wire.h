// SseWire speaks the HTTP+SSE transport of 2024-11-05: one GET whose first event names where to
// POST, and every answer on that stream.
//
// Spec 2024-11-05, basic/transports, HTTP with SSE.

#pragma once

#include <memory>

#include "conformance/wire/http_wire.h"

namespace plumbline::conformance {

class SseWire final : public Wire {
 public:
  // open waits for the endpoint. kDisconnected: the GET was refused or ended before one came, or
  // what came is no URL; kUnsupported: it is at another origin, and nothing is sent there. `client`
  // and `log` must outlive the wire.
  static Task<Result<std::unique_ptr<Wire>>> open(net::HttpClient& client, wire::Url url,
                                                  wire::HttpHeaders always, WireLog& log,
                                                  Instant deadline);

  SseWire(net::HttpClient& client, wire::Url url, wire::HttpHeaders always, WireLog& log);
  ~SseWire() override;

  // implements Wire ---
  //
  // send returns 0: what is posted is answered on the stream. Its status stands in the last
  // exchange of the inbox.
  std::size_t send(std::string text, wire::HttpHeaders headers, std::uint32_t check) override;
  Task<void> close() override;

 private:
  class Stream;
  class Post;

  net::HttpClient& client_;
  wire::Url url_;
  wire::HttpHeaders always_;
  std::optional<wire::Url> endpoint_;
  bool astray_ = false;  // The endpoint is at another origin.
  std::unique_ptr<Stream> stream_;
  std::map<std::size_t, std::unique_ptr<Post>> posts_;
};

}  // namespace plumbline::conformance
