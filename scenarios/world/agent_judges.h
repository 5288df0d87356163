// AgentJudges is all that watches one agent in every run: the invariants, what its users were told,
// the situations it met, what it said to its servers, and which commands it ran.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "core/json/redactor.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/judge/conversations.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/judge/model_watch.h"
#include "scenarios/judge/situations.h"
#include "scenarios/judge/truth.h"
#include "scenarios/shell/command_watch.h"

namespace plumbline::scenarios {

class AgentJudges final {
 public:
  // What it says is held to the catalogue where `conversations` is not null, which then redacts the
  // log and must outlive the judges.
  // `shell` is that of the scenario, and may be null. `late_effects` as Truth has it.
  AgentJudges(InvariantRules rules, const Redactor* conversations, const ShellSpec* shell,
              bool late_effects)
      : invariants_(rules), truth_(late_effects), model_(rules.answers_max), commands_(shell) {
    if (conversations != nullptr) conversations_.emplace(*conversations);
  }
  AgentJudges(const AgentJudges&) = delete;
  AgentJudges& operator=(const AgentJudges&) = delete;

  // listen makes them hear what `events` hands out.
  void listen(fakes::EventFanout& events) {
    events.add(invariants_);
    events.add(truth_);
    events.add(situations_);
    if (conversations_) events.add(*conversations_);
  }

  Invariants& invariants() { return invariants_; }
  SituationWatch& situations() { return situations_; }
  ModelWatch& model() { return model_; }
  CommandWatch& commands() { return commands_; }
  const CommandWatch& commands() const { return commands_; }
  const SituationSet& met() const { return situations_.met(); }

  // request_begins and request_ends stand around each request of a user, who has `said` something.
  void request_begins(std::string said) {
    model_.request_begins(std::move(said));
    invariants_.request_begins();
    commands_.request_begins();
    truth_.request_begins();
    situations_.request_begins();
  }
  void request_ends(const Json& state) {
    invariants_.check_state(state);
    model_.request_ends(state);
    static const Json kNone;
    const Json* const found = find(state, "final_output");
    const Json& output = found == nullptr ? kNone : *found;
    truth_.request_ends(output);
    situations_.request_ends(output);
  }

  // restarted tells that the agent has died and goes on at `nodes`, none for the start.
  void restarted(std::vector<std::string> nodes) {
    invariants_.restarted(std::move(nodes));
    model_.restarted();
    if (conversations_) conversations_->restarted();
  }

  // failures returns those of the invariants first.
  std::vector<RunFailure> failures() const {
    std::vector<RunFailure> all = invariants_.failures();
    const auto add = [&all](const std::vector<RunFailure>& more) {
      all.insert(all.end(), more.begin(), more.end());
    };
    add(truth_.failures());
    add(model_.failures());
    add(commands_.failures());
    if (conversations_) add(conversations_->failures());
    return all;
  }

 private:
  Invariants invariants_;
  Truth truth_;
  ModelWatch model_;
  CommandWatch commands_;
  SituationWatch situations_;
  std::optional<Conversations> conversations_;
};

}  // namespace plumbline::scenarios
