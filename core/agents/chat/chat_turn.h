// ChatTurn is one turn of a chat, from what the user says to the answer, with the person who is
// asked to approve calls.

#pragma once

#include <vector>

#include "core/agents/chat/chat_graph.h"
#include "core/graph/thread_run.h"

namespace plumbline::agents::chat {

using ChatThread = graph::Thread<ChatState>;

// chat_turn_state returns what a turn starts from: the messages of the turns before, without the
// system's, and what the user says now.
ChatState chat_turn_state(std::vector<model::Message> history, model::Message input);

class ChatTurn {
 public:
  // All must outlive it; `observer` and `thread` may be null. With a thread a turn that died with
  // its process goes on where its last checkpoint stands: what was approved is not asked again, and
  // a call that changes something and may have been made is not made again.
  ChatTurn(ChatServices& services, Loop& loop, graph::GraphObserver* observer, ChatThread* thread,
           graph::RunOptions options = {});

  // start goes on until the turn ends or waits for a person; resume goes on with the answer, which
  // check_decision takes.
  Task<void> start(ChatState initial);
  Task<void> resume(Json answer);

  // review is what the person is asked: see Outcome. nullptr when the turn has ended.
  const Json* review() const { return run_.asked() != nullptr ? &run_.asked()->what : nullptr; }

  // state is what has come of the turn. When it has ended, final_output is set, its last message is
  // the assistant's, and every call in it is answered, whatever went wrong.
  ChatState& state() { return run_.outcome().state; }
  const std::vector<std::string_view>& route() { return run_.outcome().route; }

  // superseded returns whether another process goes on with this turn, or what it has kept cannot
  // be read: then state() is not what is true.
  bool superseded() const { return run_.unreadable(); }

 private:
  void settle();

  graph::ThreadRun<ChatState, ChatServices> run_;
};

}  // namespace plumbline::agents::chat
