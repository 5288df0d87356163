#include "core/mcp/protocol/transports.h"

#include <array>

#include "core/base/check.h"

namespace plumbline::mcp {

std::span<const Transport> all_transports() {
  static constexpr std::array kAllTransports = {Transport::kStdio, Transport::kStreamableHttp,
                                                Transport::kSse, Transport::kWebSocket};
  return kAllTransports;
}

std::string_view name_of(Transport transport) {
  switch (transport) {
    case Transport::kStdio:
      return "stdio";
    case Transport::kStreamableHttp:
      return "http";
    case Transport::kSse:
      return "sse";
    case Transport::kWebSocket:
      return "ws";
  }
  check(false, "unknown Transport");
  return {};
}

std::optional<Transport> parse_transport(std::string_view name) {
  if (name == "streamable-http" || name == "streamableHttp") return Transport::kStreamableHttp;
  for (const Transport transport : all_transports()) {
    if (name_of(transport) == name) return transport;
  }
  return std::nullopt;
}

}  // namespace plumbline::mcp
