// Intent says what kind of help a request asks for, by words alone: no model, no network, the same
// answer every time.

#pragma once

#include <optional>
#include <string_view>

#include "core/connector/capability.h"

namespace plumbline::agents {

enum class Intent { kReadResource, kExecuteTool, kUsePrompt, kAnswerWithoutMcp };

// name_of returns "read_resource", "execute_tool", "use_prompt" or "answer_without_mcp".
std::string_view name_of(Intent intent);

// operation_type returns what the intent asks MCP for; nothing for kAnswerWithoutMcp.
std::optional<connector::CapabilityType> operation_type(Intent intent);

// classify_intent reads one request.
Intent classify_intent(std::string_view request);

}  // namespace plumbline::agents
