// Asking one step of a server.

#pragma once

#include "core/base/task.h"
#include "scenarios/suite/expectation.h"
#include "scenarios/suite/names.h"
#include "scenarios/suite/server.h"

namespace plumbline::suite {

// Question is a step with what it needs. All of it must outlive who is asked.
struct Question {
  const Step* step;
  const Names* names;
  const Answers* answers;  // Of the client, for a server that asks within its result (2026-07-28).
  Duration patience;       // Each time.
};

// method_of returns the method of a step, params_of its params, names filled in.
std::string method_of(const Step& step);
Json params_of(const Step& step, const Names& names);

// ask sends what a step asks, as often as it says, and waits for what comes of it. Of a list every
// page is one result. `server` must outlive the Task.
Task<Answered> ask(Server& server, Question question);

}  // namespace plumbline::suite
