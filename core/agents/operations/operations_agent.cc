#include "core/agents/operations/operations_agent.h"

#include <array>
#include <utility>

#include "core/agents/operations/operations_assistant.h"
#include "core/agents/operations/operations_saved.h"

namespace plumbline::agents {

namespace {

// OperationsCheckpoints keeps the checkpoints of the operations assistant where those of all agents
// are.
class OperationsCheckpoints final : public graph::Checkpointer<OperationsState> {
 public:
  using Kept = graph::Checkpoint<OperationsState>;

  explicit OperationsCheckpoints(Checkpoints& json) : json_(json) {}

  // implements graph::Checkpointer ---
  Task<Status> put(std::string thread, Kept checkpoint) override {
    SavedState saved([state = std::move(checkpoint.at.state)] { return save_state(state); });
    return json_.put(std::move(thread), moved(checkpoint, std::move(saved)));
  }
  Task<Status> add_note(std::string thread, graph::Note note) override {
    return json_.add_note(std::move(thread), std::move(note));
  }
  Task<Result<std::optional<Kept>>> latest(std::string thread) override {
    Result<std::optional<graph::Checkpoint<SavedState>>> saved =
        co_await json_.latest(std::move(thread));
    if (!saved.ok()) co_return saved.error();
    if (!saved.value()) co_return std::optional<Kept>();
    Result<OperationsState> state = load_state(saved.value()->at.state.json());
    if (!state.ok()) co_return state.error();
    co_return std::optional<Kept>(moved(*saved.value(), std::move(state).value()));
  }

 private:
  // moved returns `from` with `state` for its own.
  template <typename From, typename State>
  static graph::Checkpoint<State> moved(From& from, State state) {
    graph::Snapshot<State> at{std::move(state)};
    at.node = std::move(from.at.node);
    at.route = std::move(from.at.route);
    at.steps = from.at.steps;
    at.payload = std::move(from.at.payload);
    return {std::move(at), from.waits, std::move(from.notes)};
  }

  Checkpoints& json_;
};

// OperationsSession is the assistant in one process.
class OperationsSession final : public Session {
 public:
  explicit OperationsSession(const Surroundings& surroundings)
      : surroundings_(surroundings), services_(surroundings.mcp, surroundings.policy) {}

  // implements Session ---
  Task<Outcome> start(Request request, std::optional<Place> place) override {
    conversation_.reset();
    thread_.reset();
    checkpoints_.reset();
    if (place) checkpoints_.emplace(place->checkpoints);
    if (place) thread_.emplace(*checkpoints_, std::move(place->thread));
    conversation_.emplace(graph::RunOptions(), services_, surroundings_.loop,
                          surroundings_.observer, thread_ ? &*thread_ : nullptr);
    OperationsState initial =
        initial_state(std::move(request.input), std::move(request.server_preferences));
    co_await conversation_->start(std::move(initial));
    co_return outcome();
  }
  Task<Outcome> resume(bool approved) override {
    co_await conversation_->resume(approved);
    co_return outcome();
  }

 private:
  Outcome outcome() {
    Outcome out;
    if (const Json* const review = conversation_->review()) {
      out.review.emplace(*review);
      return out;
    }
    const AssistantOutcome& ended = conversation_->outcome();
    out.state = to_json(ended.state);
    out.route.assign(ended.route.begin(), ended.route.end());
    out.unreachable = ended.state.intent != Intent::kAnswerWithoutMcp &&
                      ended.state.capability_manifest.servers.empty() &&
                      !ended.state.errors.empty();
    return out;
  }

  Surroundings surroundings_;
  AssistantServices services_;
  std::optional<OperationsCheckpoints> checkpoints_;
  std::optional<AssistantThread> thread_;
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
