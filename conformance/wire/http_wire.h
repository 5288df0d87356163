// HttpWire speaks Streamable HTTP with the subject: a POST for each frame, and whatever else a
// check asks for. It carries no session id and no version by itself.

#pragma once

#include <map>
#include <memory>
#include <string_view>

#include "conformance/wire/wire.h"
#include "core/net/http_client.h"
#include "core/wire/sse.h"
#include "core/wire/url.h"

namespace plumbline::conformance {

// kJsonForEvents is what the log notes of a body that is called a stream of events and is JSON.
inline constexpr std::string_view kJsonForEvents = "JSON that is no event";

// kUnendedEvent is what it notes of a message in an event that no empty line ends.
inline constexpr std::string_view kUnendedEvent = "an event without its empty line";

class HttpWire final : public Wire {
 public:
  // `always` goes with every request: what the user named with --header. `client` and `log` must
  // outlive the wire. Opens nothing: there is a connection when the first request needs one.
  HttpWire(net::HttpClient& client, wire::Url url, wire::HttpHeaders always, WireLog& log);

  // The same with connections of its own.
  HttpWire(std::unique_ptr<net::HttpClient> own, wire::Url url, wire::HttpHeaders always,
           WireLog& log);
  ~HttpWire() override;

  // implements Wire ---
  //
  // send is a POST that accepts JSON and events unless `headers` say otherwise: a field of theirs
  // replaces ours, one with an empty value removes it.
  std::size_t send(std::string text, wire::HttpHeaders headers, std::uint32_t check) override;
  std::size_t request(wire::HttpRequest request, std::uint32_t check) override;
  void drop(std::size_t exchange) override;
  Task<void> close() override;
  bool http() const override { return true; }

 private:
  class Post;

  // is_endpoint returns whether `target` is where messages are posted: other pages take forms and
  // documents, which no rule on messages is for.
  bool is_endpoint(std::string_view target) const;

  std::unique_ptr<net::HttpClient> own_;  // Null: it shares that of others.
  net::HttpClient& client_;
  wire::Url url_;
  wire::HttpHeaders always_;
  std::map<std::size_t, std::unique_ptr<Post>> posts_;  // Those that have not ended.
};

}  // namespace plumbline::conformance
