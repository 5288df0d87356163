// The keys that MCP reserves in _meta, and readers for them.

#pragma once

#include <string_view>

#include "core/json/json.h"

namespace plumbline::mcp {

// On requests, since 2026-07-28.
inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaClientInfo = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";

// On any message: where its sender stands in a trace, as W3C Trace Context writes it.
inline constexpr std::string_view kMetaTraceparent = "traceparent";

// On results and on the notifications of a subscription, since 2026-07-28.
inline constexpr std::string_view kMetaServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kMetaSubscription = "io.modelcontextprotocol/subscriptionId";

// On whatever belongs to a task, 2025-11-25.
inline constexpr std::string_view kMetaRelatedTask = "io.modelcontextprotocol/related-task";

// kTaskExtension names the extension that carries tasks since 2026-07-28.
inline constexpr std::string_view kTaskExtension = "io.modelcontextprotocol/tasks";

// find_meta returns the member `key` of params._meta or result._meta, nullptr when there is none.
inline const Json* find_meta(const Json& holder, std::string_view key) {
  const Json* const meta = find(holder, "_meta");
  return meta ? find(*meta, key) : nullptr;
}

}  // namespace plumbline::mcp
