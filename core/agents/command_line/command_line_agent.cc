#include "core/agents/command_line/command_line_agent.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/agents/command_line/command_graph.h"
#include "core/agents/placed_thread.h"
#include "core/graph/thread_run.h"

namespace plumbline::agents::command_line {

namespace {

using CommandRun = graph::ThreadRun<CommandState, CommandServices>;

Json shown_state(const CommandState& state) {
  return {{"final_output", state.final_output},
          {"errors", state.final_output.is_null() ? Json::array() : state.final_output["errors"]},
          {"intent", state.commands.empty() ? Json(nullptr) : Json("command")},
          {"cli_commands", state.commands},
          {"cli_results", state.results}};
}

// CommandSession is the agent in one process.
class CommandSession final : public Session {
 public:
  explicit CommandSession(const Surroundings& surroundings)
      : surroundings_(surroundings), services_{surroundings.commands} {}

  // implements Session ---
  Task<Outcome> start(Request request, std::optional<Place> place) override {
    run_.reset();
    Result<CommandState> read = command_state_of(request.input);
    CommandState initial;
    if (read.ok()) initial = std::move(read).value();
    if (!read.ok()) initial.errors.push_back(read.error().message);
    initial.who = place ? "thread " + place->thread : "request";
    thread_.begin(std::move(place), surroundings_.loop);
    run_.emplace(command_graph(), graph::RunOptions(), services_, surroundings_.loop,
                 surroundings_.observer, thread_.get());
    co_await run_->start(std::move(initial));
    co_return outcome();
  }

  Task<Outcome> resume(Json answer) override {
    const Status right = check_remembering_decision(run_->asked()->what, answer);
    if (right.ok()) {
      Json bound = approvals::answer_to(run_->asked()->what, std::move(answer));
      co_await run_->resume(std::move(bound));
    }
    Outcome now = outcome();
    if (!right.ok()) now.wrong_answer = right.error();
    co_return now;
  }

 private:
  Outcome outcome() {
    Outcome out;
    if (run_->asked() != nullptr) {
      out.review.emplace(run_->asked()->what);
      return out;
    }
    settle();
    const auto& ended = run_->outcome();
    out.state = shown_state(ended.state);
    out.route.assign(ended.route.begin(), ended.route.end());
    return out;
  }

  // settle writes the final output of a run that did not come to its end: what may have run and has
  // no result is said to be unknown.
  void settle() {
    auto& ended = run_->outcome();
    CommandState& state = ended.state;
    if (!state.final_output.is_null()) return;
    const bool here = !ended.route.empty() && ended.route.back() == kRunCommand;
    const auto& notes = run_->past_notes();
    const bool before = std::ranges::find(notes, kRunCommand, &graph::Note::node) != notes.end();
    const bool in_doubt = here || before || run_->unreadable();
    if (in_doubt && !state.done()) {
      state.results.push_back(unknown_result(state.commands[state.results.size()]));
    }
    state.errors.push_back("the run failed: " + ended.error.message);
    state.final_output = final_output_of(state);
    state.final_output["status"] = "failed";
  }

  Surroundings surroundings_;
  CommandServices services_;
  PlacedThread<CommandState> thread_;
  std::optional<CommandRun> run_;
};

class CommandLineAgent final : public Agent {
 public:
  // implements Agent ---
  std::string_view name() const override { return "command-line"; }
  std::string_view what() const override {
    return "Runs command lines under rules, and stops for a person before each of them.";
  }
  graph::Drawing drawing() const override { return command_graph().drawing(); }
  std::span<const std::string_view> state_fields() const override {
    static constexpr std::array<std::string_view, 4> kFields = {"cli_commands", "cli_results",
                                                                "errors", "final_output"};
    return kFields;
  }
  Status check_kept(graph::Checkpoint<SavedState> kept) const override {
    return check_loads<CommandState>(std::move(kept));
  }
  Status check_answer(const Json& review, const Json& answer) const override {
    return check_remembering_decision(review, answer);
  }
  std::unique_ptr<Session> open(const Surroundings& surroundings) const override {
    return std::make_unique<CommandSession>(surroundings);
  }
};

}  // namespace

}  // namespace plumbline::agents::command_line

namespace plumbline::agents {

const Agent& command_line_agent() {
  static constexpr command_line::CommandLineAgent kAgent;
  return kAgent;
}

}  // namespace plumbline::agents
