// The four nodes of the chat agent. Which follows is decided in chat_graph.cc, from the state.
//
// What they pass on while they work (graph::Context::message and write), to whoever watches:
//   message  {"delta": "..."}                                    a piece of the model's text
//   write    {"tool": "started", "id", "name", "server", "arguments"}
//            {"tool": "ended", "id", "name", "isError"}

#pragma once

#include "core/agents/chat/chat_services.h"
#include "core/agents/chat/chat_state.h"
#include "core/graph/node.h"

namespace plumbline::agents::chat {

using ChatContext = graph::Context<ChatState, ChatServices>;
using ChatResult = graph::NodeResult<ChatState>;

inline constexpr const char* kInput = "input";
inline constexpr const char* kPlanning = "planning";
inline constexpr const char* kToolExecution = "tool_execution";
inline constexpr const char* kSynthesis = "synthesis";

// input_node takes what the user says, and puts the system's message in front.
Task<ChatResult> input_node(ChatContext& context);

// planning_node asks the model what is to be done, unless calls that it wants are still open. A
// model that fails ends the turn.
Task<ChatResult> planning_node(ChatContext& context);

// tool_execution_node makes the one call whose id its input is. What goes wrong with it is told to
// the model. Before anything that needs approval it asks a person.
Task<ChatResult> tool_execution_node(ChatContext& context);

// asks_for_secrets returns whether a call of a server's tool, or whoever began this turn, asks for
// what not everybody may see, which a policy cannot know from the tool: a person decides then.
bool asks_for_secrets(const ChatState& state, const model::ToolCall& call);

// synthesis_node writes final_output from what the turn has brought.
Task<ChatResult> synthesis_node(ChatContext& context);

}  // namespace plumbline::agents::chat
