#include "core/agents/operations/operations_agent.h"

#include <array>
#include <utility>

#include "core/agents/operations/operations_assistant.h"
#include "core/agents/operations/operations_nodes.h"
#include "core/agents/placed_thread.h"

namespace plumbline::agents {

namespace {

// OperationsSession is the assistant in one process.
class OperationsSession final : public Session {
 public:
  explicit OperationsSession(const Surroundings& surroundings)
      : surroundings_(surroundings), services_(surroundings.mcp, surroundings.policy) {
    services_.model = surroundings.model;
    services_.budget = &budget_;
    services_.jitter = surroundings.jitter;
  }

  // implements Session ---
  Task<Outcome> start(Request request, std::optional<Place> place) override {
    conversation_.reset();
    thread_.begin(std::move(place), surroundings_.loop);
    conversation_.emplace(graph::RunOptions(), services_, surroundings_.loop,
                          surroundings_.observer, thread_.get());
    OperationsState initial =
        initial_state(std::move(request.input), std::move(request.server_preferences));
    co_await conversation_->start(std::move(initial));
    co_return outcome();
  }
  Task<Outcome> resume(Json answer) override {
    const Status right = check_decision(answer);
    if (right.ok()) co_await conversation_->resume(std::move(answer));
    Outcome now = outcome();
    if (!right.ok()) now.wrong_answer = right.error();
    co_return now;
  }

 private:
  Outcome outcome() {
    Outcome out;
    if (const Json* const review = conversation_->review()) {
      out.review.emplace(*review);
      return out;
    }
    AssistantOutcome& ended = conversation_->outcome();
    out.route.assign(ended.route.begin(), ended.route.end());
    out.end = end_of(ended.state);
    out.state = to_json(std::move(ended.state));
    return out;
  }

  Surroundings surroundings_;
  AssistantServices services_;
  connector::RetryBudget budget_;
  PlacedThread<OperationsState> thread_;
  std::optional<Conversation> conversation_;
};

class OperationsAgent final : public Agent {
 public:
  // implements Agent ---
  std::string_view name() const override { return "operations-assistant"; }
  std::string_view what() const override {
    return "Discovers what MCP servers offer, picks and validates a capability, calls it, and "
           "stops for a person before anything that could change the world.";
  }
  graph::Drawing drawing() const override { return operations_assistant().drawing(); }
  std::span<const std::string_view> state_fields() const override {
    static constexpr std::array<std::string_view, 6> kFields = {
        "intent", "capability_manifest", "selected_capability", "capability_validation",
        "errors", "final_output"};
    return kFields;
  }
  Status check_kept(graph::Checkpoint<SavedState> kept) const override {
    return check_loads<OperationsState>(std::move(kept));
  }
  Status check_answer(const Json& /*review*/, const Json& answer) const override {
    return check_decision(answer);
  }
  std::unique_ptr<Session> open(const Surroundings& surroundings) const override {
    return std::make_unique<OperationsSession>(surroundings);
  }
};

}  // namespace

const Agent& operations_agent() {
  static constexpr OperationsAgent kAgent;
  return kAgent;
}

}  // namespace plumbline::agents
