// UserRuns is all users of one run: what they ask, what they are told, and what the scenario
// expects of all that, in simulation and for real.

#pragma once

#include <deque>
#include <vector>

#include "core/agents/agent.h"
#include "core/base/loop.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/json/redactor.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/judge/properties.h"
#include "scenarios/world/expectations.h"
#include "scenarios/world/run_watch.h"
#include "scenarios/world/run_world.h"
#include "scenarios/world/user_run.h"

namespace plumbline::scenarios {

// RunParts is what users are watched by, all of one run.
struct RunParts {
  const Scenario& scenario;
  const Loop& loop;
  RunWatch& watch;
  PropertyWatch& properties;
  const Tally& tally;
  const RunWorld& world;
  const Redactor& redactor;
  bool redacts = false;       // Secrets are looked for in what users are told.
  bool virtual_time = false;  // The loop's time is that which a scenario expects something of.
};

class UserRuns final {
 public:
  // What the parts refer to must outlive the users.
  explicit UserRuns(const RunParts& parts);
  UserRuns(const UserRuns&) = delete;
  UserRuns& operator=(const UserRuns&) = delete;

  std::deque<UserRun>& all() { return users_; }
  const std::deque<UserRun>& all() const { return users_; }

  // begins and ended stand around each request of a user; ended judges what it came to.
  void begins(UserRun& user);
  void ended(UserRun& user, agents::Outcome& outcome);

  // answered_after returns when the last request ended.
  Duration answered_after() const { return answered_after_; }

  // failures returns what is not as `expect`, which is that of the whole scenario, and its users
  // expect it.
  std::vector<RunFailure> failures(const Expect& expect) const;

  // outcome returns what came of the run, as outcome_of tells it.
  Json outcome() const;

 private:
  Observed observed(const UserRun& user) const;
  Observed observed_of_all() const;
  Observed observed_of_run() const;

  const RunParts parts_;
  std::deque<UserRun> users_;
  Duration answered_after_{};
};

}  // namespace plumbline::scenarios
