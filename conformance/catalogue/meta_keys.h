// The keys that MCP reserves in _meta, as the judge writes and reads them.

#pragma once

namespace plumbline::conformance {

// On requests, since 2026-07-28: spec basic#_meta.
inline constexpr const char* kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* kMetaClientInfo = "io.modelcontextprotocol/clientInfo";
inline constexpr const char* kMetaLogLevel = "io.modelcontextprotocol/logLevel";

// On results and on the notifications of a subscription, since 2026-07-28.
inline constexpr const char* kMetaServerInfo = "io.modelcontextprotocol/serverInfo";
inline constexpr const char* kMetaSubscription = "io.modelcontextprotocol/subscriptionId";

// On whatever belongs to a task, 2025-11-25.
inline constexpr const char* kMetaRelatedTask = "io.modelcontextprotocol/related-task";

}  // namespace plumbline::conformance
