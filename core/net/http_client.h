// HttpClient makes HTTP/1.1 requests over a Network, with a pool of connections for each origin.
//
// Each exchange has a connection of its own while it lasts: a stream of events keeps one busy. No
// redirect is followed: its status is the answer.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/net/http_exchange.h"
#include "core/net/network.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::net {

class HttpOrigin;

class HttpClient {
 public:
  // `loop` and `network` must outlive the client.
  HttpClient(Loop& loop, Network& network, HttpClientOptions options = {});
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  // start sends `request` to `to`, which says its target and, unless the request has one, its Host.
  // The answer must have ended by
  // `deadline`; kNever for a stream of events. `reader` must outlive the exchange.
  //
  // A request that a connection took over from an earlier one swallows, closing before a byte of
  // the answer, is sent once more on a new connection when its method is idempotent. With an
  // authorizer in the options, it is sent when that has said with what, and again when it says so.
  std::unique_ptr<HttpExchange> start(const wire::Url& to, wire::HttpRequest request,
                                      HttpExchangeReader& reader, Instant deadline,
                                      Worth worth = Worth::kNeeded);

  // connections returns how many are open or being opened, to all origins.
  std::size_t connections() const;

  Loop& loop() { return loop_; }

 private:
  std::unique_ptr<HttpExchange> start_once(const wire::Url& to, wire::HttpRequest request,
                                           HttpExchangeReader& reader, Instant deadline);

  Loop& loop_;
  Network& network_;
  HttpClientOptions options_;
  std::map<std::string, std::unique_ptr<HttpOrigin>> origins_;
};

// fetch waits for a whole answer. kLimitReached: its body has more than `body_bytes_max` bytes. The
// other errors are those of on_failed. `client` must outlive the Task.
Task<Result<wire::HttpResponse>> fetch(HttpClient& client, wire::Url to, wire::HttpRequest request,
                                       Instant deadline, std::size_t body_bytes_max);

}  // namespace plumbline::net
