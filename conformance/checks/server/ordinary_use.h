// What a server is put to in every round, so that the oracles have something to read whatever else
// is judged.

#pragma once

#include "conformance/checks/server/exercises.h"
#include "conformance/checks/server/survey.h"
#include "conformance/peer/session.h"

namespace plumbline::conformance {

// use_ordinarily makes the exercise, and calls what asks something of its client for one that
// declares nothing. On `session` it calls a few tools again with and without a wish to hear of
// them, completes an argument, asks for a few things that there are not, in more than ASCII, and
// notifies once of something unknown. It takes bounded time.
Task<void> use_ordinarily(Session& session, const Survey* survey, Exercises& exercises);

// show_make asks a few things that are refused, by whose words an SDK is known. For runs of few
// rules, in which nothing else does.
Task<void> show_make(Session& session, const Survey* survey);

}  // namespace plumbline::conformance
