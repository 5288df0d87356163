// Small shapes that both engines send.

#pragma once

#include <cstdint>
#include <string>

#include "core/mcp/protocol/failure.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

// answer_message returns the response to request `id`: the result, or the error. A Failure that is
// no JSON-RPC error itself becomes kInternalError.
Json answer_message(rpc::RpcId id, Reply<Json> reply);

// cancelled_message returns notifications/cancelled for a request of ours. `reason` is cut at
// limits::kReasonBytesMax, between characters; an empty one is left out.
Json cancelled_message(rpc::RpcId id, std::string reason);

// tool_error returns the result of a tools/call that failed: one text block, and isError.
Json tool_error(std::string why);

// Overloaded makes one visitor of several lambdas.
template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace plumbline::mcp
