// The graph of the chat agent: input, then planning and the calls that the model wants, as often as
// it wants some, then synthesis.

#pragma once

#include <cstddef>

#include "core/agents/chat/chat_services.h"
#include "core/agents/chat/chat_state.h"
#include "core/graph/graph.h"

namespace plumbline::agents::chat {

using ChatGraph = graph::Graph<ChatState, ChatServices>;

inline constexpr std::size_t kCallsParallelMax = 8;

// chat_graph returns the graph, built once.
//
// Calls are made in the order in which the model wants them. Neighbours that only read and need no
// approval are made side by side, at most kCallsParallelMax; any other alone.
const ChatGraph& chat_graph();

}  // namespace plumbline::agents::chat
