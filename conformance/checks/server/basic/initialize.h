// What comes of initialize, which several rules look at: over stdio each time costs a process.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// What a stranger asks for.
inline constexpr const char* kNoDate = "plumbline";

// initialize asks for `version`. In a stateless revision it pings then, where that got a result.
Task<Opening> initialize(Probe& probe, std::string version);

// with_strange_capabilities adds to `options` capabilities that nobody knows.
SessionOptions with_strange_capabilities(SessionOptions options);

// What a client may say of itself in initialize.
struct MaySay {
  std::string what;  // "clientInfo.title"
  Json params;       // Of initialize, to be merged with the usual ones.
};

// may_say returns what clients of `revision` may: what they can do, and who they are.
std::vector<MaySay> may_say(std::string_view revision);

// with_all_said returns options by which a client says all of that.
SessionOptions with_all_said(SessionOptions options);

// ping_early sends a ping before notifications/initialized.
Task<Reply> ping_early(Probe& probe, Client& client);

// open_as_stranger opens a session with kNoDate, such capabilities and all that clients may say,
// and pings early where that got a result. What fails here may do so for either reason: ask again
// for each alone.
Task<Opening> open_as_stranger(Probe& probe);

}  // namespace plumbline::conformance
