// The opening of a WebSocket as HTTP messages, for both sides. Source: RFC 6455, section 4.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/wire/http.h"

namespace plumbline::wire {

// ws_key_of returns the value of Sec-WebSocket-Key for 16 random bytes, new ones for every opening.
std::string ws_key_of(std::string_view random_bytes);

// WebSocketOffer is what a client asks for.
struct WebSocketOffer {
  std::string host;    // As Url::host_header() writes it.
  std::string target;  // "/mcp?x=1".
  std::string key;     // From ws_key_of().
  std::vector<std::string> subprotocols;
};

// ws_request returns the request for `offer`. The caller may add Origin, Authorization and so on.
HttpRequest ws_request(const WebSocketOffer& offer);

// accept_ws_response checks the head of the server's answer and returns the subprotocol it chose,
// empty where it chose none. kUnsupported: the server refuses with another status than 101;
// kInvalidInput: it says 101, but not to this request.
Result<std::string> accept_ws_response(const WebSocketOffer& offer, int status,
                                       const HttpHeaders& headers);

// WebSocketAnswer is what a server says to a request: `response` with status 101, or why not.
struct WebSocketAnswer {
  HttpResponse response;
  std::string subprotocol;  // Chosen; empty where client and server have none in common.

  bool accepted() const { return response.status == 101; }
};

// answer_ws_request accepts a request that opens a WebSocket, with the first subprotocol of the
// client's that is among `subprotocols`. It does not look at the target and the Origin.
WebSocketAnswer answer_ws_request(const HttpRequest& request,
                                  const std::vector<std::string>& subprotocols);

}  // namespace plumbline::wire
