// What the HTTP transports of MCP share: checks of a request, and answers.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget/guests.h"
#include "core/json/json.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/rpc/message.h"
#include "core/wire/http.h"

namespace plumbline::transport {

// accepts returns whether the Accept fields of `request` admit the media type `type`.
bool accepts(const wire::HttpRequest& request, std::string_view type);

// Posted is what a POST says, and what `share` was charged for reading it.
struct Posted {
  Json message;
  Held charge;
};

// read_posted_json parses the body of a POST. An error is ready to be sent: 415 or 400, or what
// refuse_share says.
Result<Posted, wire::HttpResponse> read_posted_json(const wire::HttpRequest& request,
                                                    const Share& share);

// refuse_share answers 413, 429 or 503, for who has got no `amount` of `resource`.
wire::HttpResponse refuse_share(const Share& share, Resource resource, std::uint64_t amount,
                                const Json& id = nullptr);

// refusal is an answer with a JSON-RPC error as its body.
wire::HttpResponse refusal(int status, std::int64_t code, std::string_view message,
                           const Json& id = nullptr);

// refuse_in_json is net::HttpServerOptions::refusal of an endpoint of MCP.
wire::HttpResponse refuse_in_json(int status, const std::string& what);

// not_allowed is 405, with the methods that are ("GET, POST").
wire::HttpResponse not_allowed(std::string methods);

// json_answer is 200 with `message` as its body.
wire::HttpResponse json_answer(int status, const Json& message);

}  // namespace plumbline::transport
