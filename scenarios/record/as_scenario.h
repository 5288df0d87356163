// A recording as a scenario file: its servers say what they said, and the same has to come of it.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "scenarios/record/recording.h"

namespace plumbline::scenarios {

// scenario_of returns the document of a scenario file called `id`.json, in which the agent is asked
// `requests`, at least one, in one conversation. Each server of `sessions` is a scripted one: it
// offers what it listed, and answers the first, second ... call of a tool as it did then; the last
// answer stands for all that follow. A call that ended well of a tool that does not say it only
// reads is a side effect, which a person approves.
//
// An agent makes one call a request. With a request for each call of the recording, as many calls
// are expected, and the same effects; with fewer, no more calls than requests. Of the status any.
//
// Nothing takes time, and what is due together goes in the order that the seed draws: so every seed
// is a sound reordering, in which each connection keeps its order and each answer follows its
// request.
Json scenario_of(const std::vector<RecordedSession>& sessions, const std::string& id,
                 const std::vector<std::string>& requests);

// calls_in returns how many tools were called in `sessions`.
std::int64_t calls_in(const std::vector<RecordedSession>& sessions);

}  // namespace plumbline::scenarios
