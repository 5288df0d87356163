// UserRun is one user of a scenario in one run: what they ask, how they answer, what came of it.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/agent.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/world/person.h"

namespace plumbline::scenarios {

struct UserRun {
  UserRun(const UserSpec& its_spec, Person its_person)
      : spec(its_spec), person(std::move(its_person)) {}

  const std::string& input() const { return spec.input_of(requests); }
  agents::Request request() const { return {input(), spec.server_preferences, spec.name}; }

  const UserSpec& spec;
  Person person;
  std::string thread;         // Of the request, where it is kept.
  std::int64_t requests = 0;  // The last of them is being served, or was.
  Json state;                 // Of the last answer.
  std::vector<std::string> route;
  Duration answered_after{};
  std::vector<RunFailure> of_answers;
};

}  // namespace plumbline::scenarios
