// The transports of MCP, and what configurations and command lines call them.

#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace plumbline::mcp {

enum class Transport {
  kStdio,
  kStreamableHttp,
  kSse,        // HTTP+SSE, which Streamable HTTP replaced.
  kWebSocket,  // A custom transport: the specification leaves these to both sides.
};

// all_transports returns every one, stdio first.
std::span<const Transport> all_transports();

// name_of returns "stdio", "http", "sse" or "ws".
std::string_view name_of(Transport transport);

// parse_transport also knows "streamable-http" and "streamableHttp". Nothing: there is no such
// transport.
std::optional<Transport> parse_transport(std::string_view name);

}  // namespace plumbline::mcp
