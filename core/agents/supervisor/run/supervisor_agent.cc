#include "core/agents/supervisor/run/supervisor_agent.h"

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/agents/placed_thread.h"
#include "core/agents/supervisor/answer/answer_text.h"
#include "core/agents/supervisor/run/supervisor_run.h"
#include "core/json/parse.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kTurnsMax = 40;  // Of one conversation; what is oldest is forgotten.

struct AskedTool {
  std::string tool = "chat";
  Json arguments = Json::object();
};

Result<AskedTool> call_of(const std::string& input) {
  if (!input.starts_with('{')) return AskedTool{"chat", {{"prompt", input}}};
  const auto wrong = [](const std::string& why) {
    return Error{ErrorCode::kInvalidInput, "the request begins with \"{\" and " + why +
                                               R"(, expected {"tool": "...", "arguments": {...}})"};
  };
  const Result<Json> json = parse_json(input);
  if (!json.ok()) return wrong("is no JSON: " + json.error().message);
  AskedTool out{string_or(json.value(), "tool", ""), Json::object()};
  if (out.tool.empty()) return wrong("names no tool");
  const Json* const arguments = find(json.value(), "arguments");
  if (arguments == nullptr) return out;
  if (!arguments->is_object()) return wrong("its \"arguments\" are no object");
  out.arguments = *arguments;
  return out;
}

// InDoubt is what a person has to look at in the results of a request.
struct InDoubt {
  explicit InDoubt(const CommandWork& commands) {
    for (const auto* const results : {&commands.cli_past, &commands.cli_results}) {
      for (const Json& result : *results) look_at(result);
    }
  }

  std::string told;  // Of each command that may have run, a line.
  bool blocked = false;

 private:
  void look_at(const Json& result) {
    blocked = blocked || string_or(result, "status", "") == "blocked";
    if (string_or(result, "outcome", "") != "unknown") return;
    told += "\n[It is not known how this ended: " + string_or(result, "command", "") + "]";
  }
};

Json shown(const SupervisorState& state) {
  Json errors = Json::array();
  if (state.answer.error_message) errors.push_back(*state.answer.error_message);
  const InDoubt in_doubt(state.commands);
  const bool completed = state.answer.status == Progressing::kCompleted;
  std::string_view status = completed ? "ok" : "failed";
  if (in_doubt.blocked || !in_doubt.told.empty()) status = "needs_review";
  std::string response = answer_text(state) + in_doubt.told;
  if (response.empty()) response = "nothing was said";
  Json out = state.to_json();
  out["errors"] = errors;
  out["intent"] = status == "failed" ? Json(nullptr) : Json(state.asked.tool_name);
  out["final_output"] = {{"status", status},
                         {"response", std::move(response)},
                         {"errors", std::move(errors)},
                         {"selected_capability", nullptr}};
  if (!in_doubt.told.empty()) out["final_output"]["outcome"] = "unknown";
  return out;
}

void add_turn(Conversation& into, const char* role, const std::string& tool, std::string content,
              Json files) {
  std::vector<Json>& turns = into.conversation_turns;
  turns.push_back(
      {{"role", role}, {"tool", tool}, {"content", std::move(content)}, {"files", files}});
  if (turns.size() > kTurnsMax) turns.erase(turns.begin());
}

SupervisorServices services_of(const Surroundings& surroundings, ModelShelf& models) {
  SupervisorServices none{models};
  SupervisorServices out = surroundings.supervisor != nullptr ? *surroundings.supervisor : none;
  if (surroundings.commands != nullptr) out.desk = surroundings.commands;
  return out;
}

// SupervisorSession is the supervisor in one process.
class SupervisorSession final : public Session {
 public:
  explicit SupervisorSession(const Surroundings& surroundings)
      : surroundings_(surroundings),
        one_model_(surroundings.model),
        services_(services_of(surroundings, one_model_)) {}

  // implements Session ---
  Task<Outcome> start(Request request, std::optional<Place> place) override {
    run_.reset();
    wrong_.reset();
    Result<AskedTool> call = call_of(request.input);
    if (!call.ok()) {
      wrong_ = call.error().message;
      co_return outcome();
    }
    conversation_ = std::move(request.conversation);
    services_.who = place ? "thread " + place->thread : "request";
    thread_.begin(std::move(place), surroundings_.loop);
    run_.emplace(services_, surroundings_.loop, surroundings_.observer, thread_.get());
    Conversation past = conversations_[conversation_];
    if (past.thread_id.empty()) past.thread_id = conversation_;
    SupervisorState initial = supervisor_state(std::move(call.value().tool),
                                               std::move(call.value().arguments), std::move(past));
    co_await run_->start(std::move(initial));
    co_return outcome();
  }

  Task<Outcome> resume(Json answer) override {
    const Status right = check_supervisor_answer(*run_->review(), answer);
    if (right.ok()) co_await run_->resume(std::move(answer));
    Outcome now = outcome();
    if (!right.ok()) now.wrong_answer = right.error();
    co_return now;
  }

 private:
  Outcome outcome() {
    Outcome out;
    if (wrong_) {
      SupervisorState none;
      none.answer = failed_answer(none, *wrong_);
      out.state = shown(none);
      return out;
    }
    if (const Json* const review = run_->review()) {
      out.review.emplace(*review);
      return out;
    }
    const SupervisorState& state = run_->state();
    out.state = shown(state);
    out.route.assign(run_->route().begin(), run_->route().end());
    remember(state);
    return out;
  }

  // remember keeps what was said on both sides for the next request of the conversation.
  void remember(const SupervisorState& state) {
    Conversation& past = conversations_[conversation_] = state.conversation;
    const Json& asked = state.asked.request_data;
    const Json* const files = find(asked, "files");
    const std::string& tool = state.asked.tool_name;
    add_turn(past, "user", tool, string_or(asked, "step", state.asked.prompt),
             files != nullptr ? *files : Json::array());
    add_turn(past, "assistant", tool, state.answer.response_content, Json::array());
  }

  Surroundings surroundings_;
  OneModel one_model_;
  SupervisorServices services_;
  std::map<std::string, Conversation> conversations_;  // By what the requests call them.
  std::string conversation_;
  std::optional<std::string> wrong_;  // Why the request is none.
  PlacedThread<SupervisorState> thread_;
  std::optional<SupervisorRun> run_;
};

class SupervisorAgent final : public Agent {
 public:
  // implements Agent ---
  std::string_view name() const override { return "supervisor"; }
  std::string_view what() const override {
    return "Routes a call to one of sixteen tools, runs their workflows step by step, and stops "
           "for the user between steps and for a person before a command.";
  }
  graph::Drawing drawing() const override { return supervisor_graph().drawing(); }
  AgentBounds bounds() const override {
    const SupervisorLimits limits;
    const auto answers = limits.visits_max + static_cast<std::int64_t>(limits.voices_max);
    return {.steps_max = kSupervisorStepsMax, .calls_max = 0, .answers_max = answers};
  }
  std::span<const std::string_view> state_fields() const override {
    static constexpr std::array<std::string_view, 8> kFields = {
        "tool_name", "conversation_turns", "workflow_step", "findings", "cli_results", "status",
        "errors",    "final_output"};
    return kFields;
  }
  Status check_kept(graph::Checkpoint<SavedState> kept) const override {
    return check_loads<SupervisorState>(std::move(kept));
  }
  Status check_answer(const Json& review, const Json& answer) const override {
    return check_supervisor_answer(review, answer);
  }
  std::unique_ptr<Session> open(const Surroundings& surroundings) const override {
    return std::make_unique<SupervisorSession>(surroundings);
  }
};

}  // namespace
}  // namespace plumbline::agents::supervisor

namespace plumbline::agents {

const Agent& supervisor_agent() {
  static constexpr supervisor::SupervisorAgent kAgent;
  return kAgent;
}

}  // namespace plumbline::agents
