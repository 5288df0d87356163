#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

std::optional<mcp::Transport> web_transport(Transport transport) {
  switch (transport) {
    case Transport::kHttp:
    case Transport::kAuto:
      return mcp::Transport::kStreamableHttp;
    case Transport::kSse:
      return mcp::Transport::kSse;
    case Transport::kWebSocket:
      return mcp::Transport::kWebSocket;
    case Transport::kAny:
    case Transport::kBytes:
    case Transport::kValues:
      break;
  }
  return std::nullopt;
}

mcp::Transport served_over(const ServerSpec& server, Transport transport) {
  return server.has.value_or(web_transport(transport).value());
}

}  // namespace plumbline::scenarios
