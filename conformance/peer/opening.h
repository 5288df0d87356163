// How a conversation with a server begins: over which transport, and with which handshake.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "conformance/peer/session.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"

namespace plumbline::conformance {

inline constexpr const char* kClientName = "plumbline";  // That the judge gives itself.

// Who is to start a process waits so long at most for others that are starting.
inline constexpr Duration kStartsMax = std::chrono::minutes(1);

// Greeting says the first words on a new session, beside those of a handshake.
using Greeting = std::function<Task<void>(Session&)>;

// open_session connects and, where the revision wants it, shakes hands, then greets. The Session is
// there even when the server refuses to: Session::opening tells. Errors are those of Subject::open.
// `check` is whose doing it is.
//
// Where others are answered, a busy machine may have kept one process from starting in time: one
// that never said a word to this is given up and started once more, alone.
Task<Result<std::unique_ptr<Session>>> open_session(Subject& subject, SessionOptions options,
                                                    std::uint32_t check, Greeting greet = {});

// may_be_lost returns whether `session` is with a process that has not said a word so far while
// others of the subject do, and no second one said nothing either.
bool may_be_lost(const Session& session);

// ask_for_stream asks for the stream on which the server says what it says by itself, or for the
// rest of one behind the event `after`. Returns the number of the exchange.
std::size_t ask_for_stream(Session& session, std::uint32_t check, std::string after = "");

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
