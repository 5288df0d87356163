// ErrorCategory is the kind of trouble as the document of the connector sorts it. mcp::FailureClass
// is finer, and stands beside it.

#pragma once

#include <array>
#include <string_view>

#include "core/mcp/protocol/failure.h"

namespace plumbline::connector {

enum class ErrorCategory {
  kNetwork,
  kAuthentication,    // Who we are, or what we may do.
  kAgentUnavailable,  // It could not be reached, or what it says is not MCP.
  kRateLimit,
  kTimeout,
  kInvalidRequest,  // What we asked for is wrong, or the agent tried and failed.
};

inline constexpr std::array<std::string_view, 6> kErrorCategories = {
    "network", "authentication", "agent_unavailable", "rate_limit", "timeout", "invalid_request"};

std::string_view name_of(ErrorCategory category);

// category_of sorts trouble with a request that was sent.
ErrorCategory category_of(mcp::FailureClass kind);

// category_of_opening sorts trouble with an agent to which nothing could be sent: a network that
// fails then is an agent that is not there.
ErrorCategory category_of_opening(mcp::FailureClass kind);

}  // namespace plumbline::connector
