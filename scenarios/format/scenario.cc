#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

std::optional<mcp::Transport> web_transport(Transport transport) {
  switch (transport) {
    case Transport::kHttp:
      return mcp::Transport::kStreamableHttp;
    case Transport::kSse:
      return mcp::Transport::kSse;
    case Transport::kWebSocket:
      return mcp::Transport::kWebSocket;
    default:
      return std::nullopt;
  }
}

}  // namespace plumbline::scenarios
