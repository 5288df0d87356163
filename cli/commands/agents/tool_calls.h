// ToolCalls answers tools/call with the supervisor's tools, in every revision of MCP.

#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/agents/supervisor/threads/tool_desk.h"
#include "core/base/loop.h"
#include "core/mcp/server/server_call.h"

namespace plumbline::cli {

class ToolCalls {
 public:
  using Log = std::function<void(const std::string& line)>;

  // Both must outlive it, and it every call. `log`, which may be empty, hears of every step.
  ToolCalls(agents::supervisor::ToolDesk& desk, Loop& loop, Log log)
      : desk_(desk), loop_(loop), log_(std::move(log)) {}

  // answer returns the result of the call: its answer as text for a person and as structured
  // content. What cannot be done is a result with isError. The client hears of every step where it
  // wants to, and is asked, by elicitation, about a command that a person has to approve. Dropping
  // the task stops the model or the command that is at work.
  Task<mcp::Reply<Json>> answer(mcp::ServerCall call);

 private:
  agents::supervisor::ToolDesk& desk_;
  Loop& loop_;
  Log log_;
};

// tool_text returns the result of a tool that says `text`.
Json tool_text(std::string text, bool wrong);

}  // namespace plumbline::cli
