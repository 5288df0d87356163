// UserRun is one user of a scenario in one run: who they ask, how they answer, what came of it.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/world/agent_run.h"
#include "scenarios/world/person.h"

namespace plumbline::scenarios {

struct UserRun {
  UserRun(const UserSpec& its_spec, AgentRun& its_agent, Person its_person)
      : spec(its_spec), agent(its_agent), person(std::move(its_person)) {}

  const std::string& input() const { return spec.input_of(requests); }
  Json answer(const Json& review) {
    Json reply = person.answer(review);
    agent.reviewed(review, reply);
    return reply;
  }

  const UserSpec& spec;
  AgentRun& agent;
  Person person;
  std::string thread;  // Of the request.
  std::int64_t requests = 0;
  Json state;  // Of the last answer.
  std::vector<std::string> route;
  Duration answered_after{};
  std::vector<RunFailure> of_answers;
};

}  // namespace plumbline::scenarios
