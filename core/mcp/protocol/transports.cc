#include "core/mcp/protocol/transports.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumbline::mcp {

namespace {

// The first name of each is the one that is written.
constexpr std::array kTransportNames = {
    std::pair<std::string_view, Transport>{"stdio", Transport::kStdio},
    std::pair<std::string_view, Transport>{"http", Transport::kStreamableHttp},
    std::pair<std::string_view, Transport>{"streamable-http", Transport::kStreamableHttp},
    std::pair<std::string_view, Transport>{"streamableHttp", Transport::kStreamableHttp},
    std::pair<std::string_view, Transport>{"sse", Transport::kSse},
    std::pair<std::string_view, Transport>{"ws", Transport::kWebSocket},
};
using Named = decltype(kTransportNames)::value_type;

}  // namespace

std::string_view name_of(Transport transport) {
  return std::ranges::find(kTransportNames, transport, &Named::second)->first;
}

std::optional<Transport> parse_transport(std::string_view name) {
  const auto found = std::ranges::find(kTransportNames, name, &Named::first);
  if (found == kTransportNames.end()) return std::nullopt;
  return found->second;
}

}  // namespace plumbline::mcp
