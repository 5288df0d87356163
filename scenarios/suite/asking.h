// Asking one step of a server.

#pragma once

#include "core/base/task.h"
#include "scenarios/suite/expectation.h"
#include "scenarios/suite/names.h"
#include "scenarios/suite/server.h"

namespace plumbline::suite {

// message_params returns the method of a step and its params, names filled in.
std::string method_of(const Step& step);
Json params_of(const Step& step, const Names& names);

// ask sends what `step` asks, as often as it says, and waits for what comes of it at most
// `patience` each time. Of a list every page is one result. `answers` are those of the client, for
// a server that asks within its result (2026-07-28). Everything must outlive the Task.
Task<Answered> ask(Server& server, const Step& step, const Names& names, const Answers& answers,
                   Duration patience);

}  // namespace plumbline::suite
