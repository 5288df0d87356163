#include "core/agents/chat/chat_agent.h"

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/agents/chat/chat_turn.h"
#include "core/agents/placed_thread.h"
#include "core/model/message_json.h"

namespace plumbline::agents::chat {

namespace {

// NoModel is the model where there is none.
class NoModel final : public model::Model {
 public:
  std::string_view name() const override { return "none"; }
  Task<model::Completed> complete(model::Prompt /*prompt*/, model::DeltaReader* /*reader*/,
                                  Instant /*deadline*/) override {
    co_return model::Failure{model::FailureKind::kInvalidRequest, "no model is configured"};
  }
};

model::Model& no_model() {
  static NoModel none;
  return none;
}

Json shown(const ChatState& state) {
  Json out = {{"final_output", state.final_output},
              {"errors", state.errors},
              {"error", state.error ? Json(*state.error) : Json(nullptr)},
              {"nextStep", state.next_step ? Json(*state.next_step) : Json(nullptr)},
              {"messages", Json::array()},
              {"mcpLinks", Json::array()}};
  // Not null: the request was understood, whatever the model made of it.
  out["intent"] = state.error ? Json(nullptr) : Json("chat");
  for (const model::Message& message : state.messages) {
    out["messages"].push_back(model::to_json(message));
  }
  for (const ServerLink& link : state.mcp_links) out["mcpLinks"].push_back(to_json(link));
  return out;
}

// ChatSession is the agent in one process.
class ChatSession final : public Session {
 public:
  explicit ChatSession(const Surroundings& surroundings)
      : surroundings_(surroundings),
        services_{surroundings.model != nullptr ? *surroundings.model : no_model(),
                  surroundings.mcp, surroundings.policy} {}

  // implements Session ---
  Task<Outcome> start(Request request, std::optional<Place> place) override {
    turn_.reset();
    thread_.begin(std::move(place), surroundings_.loop);
    turn_.emplace(services_, surroundings_.loop, surroundings_.observer, thread_.get());
    model::Message said{.role = model::Role::kUser, .text = std::move(request.input)};
    conversation_ = std::move(request.conversation);
    ChatState initial = chat_turn_state(histories_[conversation_], std::move(said));
    co_await turn_->start(std::move(initial));
    co_return outcome();
  }
  Task<Outcome> resume(Json answer) override {
    const Status right = check_decision(answer);
    if (right.ok()) co_await turn_->resume(std::move(answer));
    Outcome now = outcome();
    if (!right.ok()) now.wrong_answer = right.error();
    co_return now;
  }

 private:
  Outcome outcome() {
    Outcome out;
    if (const Json* const review = turn_->review()) {
      out.review.emplace(*review);
      return out;
    }
    const ChatState& state = turn_->state();
    out.state = shown(state);
    out.route.assign(turn_->route().begin(), turn_->route().end());
    std::vector<model::Message>& history = histories_[conversation_] = state.messages;
    const bool led = !history.empty() && history.front().role == model::Role::kSystem;
    if (led) history.erase(history.begin());
    return out;
  }

  Surroundings surroundings_;
  ChatServices services_;
  std::map<std::string, std::vector<model::Message>> histories_;  // By conversation.
  std::string conversation_;
  PlacedThread<ChatState> thread_;
  std::optional<ChatTurn> turn_;
};

class ChatAgent final : public Agent {
 public:
  // implements Agent ---
  std::string_view name() const override { return "chat"; }
  std::string_view what() const override {
    return "Talks with a language model that may use the tools of MCP servers, and stops for a "
           "person before any call that could change the world.";
  }
  graph::Drawing drawing() const override { return chat_graph().drawing(); }
  bool needs_model() const override { return true; }
  AgentBounds bounds() const override {
    const ChatLimits limits;
    const auto calls = limits.rounds_max * static_cast<std::int64_t>(limits.calls_round_max);
    return {.steps_max = 2 * (limits.rounds_max + calls) + 2, .calls_max = calls};
  }
  std::span<const std::string_view> state_fields() const override {
    static constexpr std::array<std::string_view, 6> kFields = {
        "messages", "mcpLinks", "nextStep", "error", "errors", "final_output"};
    return kFields;
  }
  Status check_kept(graph::Checkpoint<SavedState> kept) const override {
    return check_loads<ChatState>(std::move(kept));
  }
  Status check_answer(const Json& /*review*/, const Json& answer) const override {
    return check_decision(answer);
  }
  std::unique_ptr<Session> open(const Surroundings& surroundings) const override {
    return std::make_unique<ChatSession>(surroundings);
  }
};

}  // namespace
}  // namespace plumbline::agents::chat

namespace plumbline::agents {

const Agent& chat_agent() {
  static constexpr chat::ChatAgent kAgent;
  return kAgent;
}

}  // namespace plumbline::agents
