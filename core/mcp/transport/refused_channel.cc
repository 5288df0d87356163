#include "core/mcp/transport/refused_channel.h"

#include <utility>

#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/http_refusal.h"

namespace plumbline::transport {

void RefusedChannel::send(Json message) {
  if (receiver_ == nullptr || closing_) return;
  append_request_ids(message, waiting_);
  loop_.arm(turn_, loop_.now());
}

void RefusedChannel::close_send() {
  if (receiver_ == nullptr) return;
  closing_ = true;
  waiting_.clear();
  loop_.arm(turn_, loop_.now());
}

void RefusedChannel::close() {
  receiver_ = nullptr;
  turn_.cancel();
}

void RefusedChannel::answer() {
  if (receiver_ == nullptr) return;
  if (closing_) return std::exchange(receiver_, nullptr)->on_closed(nullptr);
  const Lifeline::Guard guard(lifeline_);
  for (const rpc::RpcId& id : std::exchange(waiting_, {})) {
    tell_refusal(*receiver_, id, refusal_, where_);
    if (!guard.alive() || receiver_ == nullptr || closing_) return;
  }
}

Task<void> RefusedConnection::close() {
  channel_.close();
  co_return;
}

}  // namespace plumbline::transport
