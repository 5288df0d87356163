// Mutations are what a recorded server could have said wrong: each has one deviation of the
// catalogue in one of its answers, and is otherwise as it was recorded.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "scenarios/record/recording.h"

namespace plumbline::scenarios {

struct Mutation {
  std::string name;  // "tools/call/echo:wrong_response_id", "...#2:..." of a second such answer.
  std::size_t event = 0;  // Of the session: the answer.
  Json message;           // In its place.
};

// mutations_of returns one for each answer and each deviation that changes it as a message; what is
// wrong with the bytes around it, or takes more than 1 MiB, is not among them.
std::vector<Mutation> mutations_of(const RecordedSession& session);

// mutated returns the session with the wrong answer in it.
RecordedSession mutated(RecordedSession session, const Mutation& mutation);

}  // namespace plumbline::scenarios
