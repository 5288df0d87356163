#include "core/agents/chat/chat_turn.h"

#include <string>
#include <utility>

#include "core/agents/approvals/approval.h"
#include "core/agents/chat/chat_result.h"

namespace plumbline::agents::chat {

ChatState chat_turn_state(std::vector<model::Message> history, model::Message input) {
  ChatState state;
  state.turn_begins = static_cast<std::int64_t>(history.size()) + 1;
  state.messages = std::move(history);
  state.input = std::move(input);
  return state;
}

ChatTurn::ChatTurn(ChatServices& services, Loop& loop, graph::GraphObserver* observer,
                   ChatThread* thread, graph::RunOptions options)
    : run_(chat_graph(), options, services, loop, observer, thread) {}

Task<void> ChatTurn::start(ChatState initial) {
  co_await run_.start(std::move(initial));
  settle();
}

Task<void> ChatTurn::resume(Json answer) {
  Json bound = approvals::answer_to(*review(), std::move(answer));
  co_await run_.resume(std::move(bound));
  settle();
}

// settle ends a turn that a bound, the store or another process has stopped.
void ChatTurn::settle() {
  ChatState& state = run_.outcome().state;
  if (review() != nullptr || !state.final_output.is_null()) return;
  const std::string why = run_.outcome().error.message;
  ChatState::Update update;
  for (const model::ToolCall* const open : state.open_calls()) {
    update.messages.push_back(
        answer_to(open->id, "the turn was stopped; it is not known what came of this call", true));
  }
  const std::string said = "The turn was stopped: " + why;
  update.answer = said;
  update.error = why;
  update.errors = {why};
  Json errors = state.errors;
  errors.push_back(why);
  update.final_output = Json{{"status", "failed"},
                             {"response", said},
                             {"errors", std::move(errors)},
                             {"selected_capability", nullptr}};
  state.apply(std::move(update));
}

}  // namespace plumbline::agents::chat
