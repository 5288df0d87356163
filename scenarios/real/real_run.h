// What `run --real` does: the servers of a scenario are child processes, `plumbline serve`, and the
// orchestrator does its work with them over real pipes or sockets, in real time.

#pragma once

#include <optional>

#include "core/events/check_result.h"
#include "core/mcp/protocol/transports.h"
#include "scenarios/format/scenario.h"
#include "scenarios/real/real_doors.h"

namespace plumbline::scenarios {

// run_for_real runs `scenario` once over `over` and returns its row, nothing when the user
// interrupted it. Invariants and expectations are those of the simulation, but for the two about
// virtual time; for effects, which a process tells at its end, so that what users are told is
// held against answers alone; and for "starts" over sockets, where they count sessions. What a
// process cannot show is skipped with the reason: faults of a simulated link, crashes of the
// assistant, other transports, waits of more than ten seconds, servers that remember what they did
// before a restart.
std::optional<CheckResult> run_for_real(const Scenario& scenario, mcp::Transport over,
                                        const RealDoors& doors);

}  // namespace plumbline::scenarios
