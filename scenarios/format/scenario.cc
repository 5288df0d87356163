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

const RuleSite* Scenario::rule_of(std::string_view server, std::size_t index, bool of_http) const {
  std::size_t first = 0;
  for (const ServerSpec& one : servers) {
    const std::size_t own = one.script.rules.size();
    const std::size_t http_rules = one.http ? one.http->rules.size() : 0;
    if (one.name == server) {
      if (index >= (of_http ? http_rules : own)) return nullptr;
      const std::size_t at = first + (of_http ? own : 0) + index;
      return at < rules.size() ? &rules[at] : nullptr;
    }
    first += own + http_rules;
    if (one.authorization) first += one.authorization->front.rules.size();
  }
  return nullptr;
}

}  // namespace plumbline::scenarios
