// Which requests an HTTP endpoint of MCP looks at: checks that every one of its transports makes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/rpc/message.h"
#include "core/wire/http.h"

namespace plumbline::transport {

// HttpAccess says under which names a server may be called, and from which web pages. A page that
// makes its own name point to us (DNS rebinding) is found out by either.
struct HttpAccess {
  std::vector<std::string> hosts = {"localhost", "127.0.0.1", "::1"};  // Empty: any.
  // Allowed beside http and https origins on one of `hosts`: "https://app.example.com".
  std::vector<std::string> origins;
  bool any_origin = false;  // Every web page may call: "*".
};

// refuse_stranger returns the answer to a request whose Host or Origin is not allowed: 403.
//
// Spec 2025-11-25, basic/transports, Security Warning (MUST); 2026-07-28, the same.
std::optional<wire::HttpResponse> refuse_stranger(const wire::HttpRequest& request,
                                                  const HttpAccess& access);

// accepts returns whether the Accept fields of `request` admit the media type `type`.
bool accepts(const wire::HttpRequest& request, std::string_view type);

// read_posted_json parses the body of a POST. An error is ready to be sent: 415 or 400.
Result<Json, wire::HttpResponse> read_posted_json(const wire::HttpRequest& request);

// refusal is an answer with a JSON-RPC error as its body.
wire::HttpResponse refusal(int status, std::int64_t code, std::string_view message,
                           const Json& id = nullptr);

// not_allowed is 405, with the methods that are ("GET, POST").
wire::HttpResponse not_allowed(std::string methods);

// json_answer is 200 with `message` as its body.
wire::HttpResponse json_answer(int status, const Json& message);

}  // namespace plumbline::transport
