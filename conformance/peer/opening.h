// How a conversation with a server begins: over which transport, and with which handshake.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "conformance/peer/session.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"

namespace plumbline::conformance {

inline constexpr const char* kClientName = "plumbline";  // That the judge gives itself.

// Who is to start a process waits so long at most for others that are starting.
inline constexpr Duration kStartsMax = std::chrono::minutes(1);

// open_session connects and, where the revision wants it, shakes hands. The Session is there even
// when the server refuses to: Session::opening tells. Errors are those of Subject::open. `check` is
// whose doing it is.
Task<Result<std::unique_ptr<Session>>> open_session(Subject& subject, SessionOptions options,
                                                    std::uint32_t check);

// initialize_params returns those of initialize, as a client with these options sends them.
Json initialize_params(const SessionOptions& options);

// say_initialized ends a handshake that was left at the answer to initialize.
Task<void> say_initialized(Session& session, std::uint32_t check);

// find_transport takes an HTTP subject for one of the older HTTP+SSE when it refuses initialize
// with 400, 404 or 405 and offers a stream of events instead.
//
// Spec 2025-11-25, basic/transports, Backwards Compatibility.
Task<void> find_transport(Subject& subject);

}  // namespace plumbline::conformance
