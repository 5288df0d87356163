// RunWatch is where the events of a run enter, and all that judges them whatever the scenario
// expects: the judges of each agent, in simulation and for real.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/events/redacting_sink.h"
#include "core/events/trace_event.h"
#include "core/json/redactor.h"
#include "fakes/world/trace_recorder.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/agent_events.h"
#include "scenarios/world/agent_judges.h"

namespace plumbline::scenarios {

// redactor_of returns what takes the secrets of `scenario` out, wherever it runs.
Redactor redactor_of(const Scenario& scenario);

// hide_said takes out of the final `state` the secrets of `redactor` that the user himself has
// `said`: they are done with as he said, and hidden where the state is shown. Any other that stands
// there has got in.
void hide_said(Json& state, std::string_view said, const Redactor& redactor);

class RunWatch final {
 public:
  struct Options {
    bool conversations = false;  // What our clients say is held to the catalogue.
    bool late_effects = false;   // What takes effect is told at the end of the run.
    bool redacts = false;        // Secrets are taken out before anybody hears an event.
  };

  // `all` hear the events of every agent. All that is borrowed must outlive the watch.
  RunWatch(const Scenario& scenario, const Redactor& redactor, const Options& options,
           const std::vector<EventSink*>& all);
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  // agents returns where each agent tells what it does, by its place; world where everybody else
  // does. With one agent they are the same.
  const std::vector<EventSink*>& agents() const { return sinks_; }
  EventSink& world() { return *world_; }

  AgentJudges& judges(std::size_t agent) { return judges_[agent]; }

  // add makes `sink` hear what the judges of an agent hear.
  void add(std::size_t agent, EventSink& sink) { own_[agent].add(sink); }

  // request_begins stands before each request to an agent, of a user who has `said` something.
  void request_begins(std::size_t agent, std::string said);

  // finish judges what is left: `timers` that are still armed, at `now`.
  void finish(Instant now, std::size_t timers);

  // commands_run returns how many commands the agents have run.
  std::int64_t commands_run() const;

  // failures tells whose they are where there are several agents. situations is what any met.
  std::vector<RunFailure> failures() const;
  SituationSet situations() const;

 private:
  EventSink& redacted(EventSink& sink);

  const Scenario& scenario_;
  const Redactor& redactor_;
  const bool redacts_;
  std::deque<AgentJudges> judges_;
  std::deque<fakes::EventFanout> own_;  // What each agent's events reach; of one alone, all.
  fakes::EventFanout all_;              // Of several agents: who watches all.
  std::optional<Invariants> everyone_;  // Of several: what cannot be told of one.
  std::optional<AgentEvents> sorted_;   // Of several.
  std::deque<RedactingSink> redacting_;
  std::vector<EventSink*> sinks_;
  EventSink* world_ = nullptr;
};

}  // namespace plumbline::scenarios
