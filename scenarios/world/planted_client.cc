#include "scenarios/world/planted_client.h"

#include <utility>

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kTooManyRequests = 429;

bool is_unknown(const mcp::Failure& failure) {
  const mcp::FailureClass kind = mcp::classify(failure);
  return kind == mcp::FailureClass::kTimeout || kind == mcp::FailureClass::kNetwork ||
         kind == mcp::FailureClass::kProtocol;
}

}  // namespace

Task<mcp::Reply<Json>> PlantedClient::invoke(connector::McpRequest request) {
  const bool changes = request.method == "tools/call";
  mcp::Reply<Json> reply = co_await client_.invoke(std::move(request));
  if (changes && !reply.ok() && is_unknown(reply.error())) {
    reply = mcp::Failure(kTooManyRequests, "turned away");
  }
  co_return std::move(reply);
}

}  // namespace plumbline::scenarios
