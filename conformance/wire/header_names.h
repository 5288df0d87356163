#pragma once

namespace plumbline::conformance {

// The headers of Streamable HTTP. Names are compared without case.
inline constexpr const char* kSessionHeader = "Mcp-Session-Id";
inline constexpr const char* kVersionHeader = "MCP-Protocol-Version";

}  // namespace plumbline::conformance
