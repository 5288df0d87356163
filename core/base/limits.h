// Every bound of the harness, by name. Reaching one is an Error or a verdict, never a hang and
// never an allocation that grows without end.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "core/base/time.h"

namespace plumbline::limits {

// Bytes and messages.
inline constexpr std::size_t kMessageBytesMax = 16U << 20U;     // One line or body.
inline constexpr std::size_t kJsonDepthMax = 128;               // Nested arrays and objects.
inline constexpr std::size_t kWriteQueueBytesMax = 32U << 20U;  // Written, not taken by the peer.
inline constexpr std::size_t kStderrBytesMax = 64U << 10U;      // Kept of a child's stderr (tail).
inline constexpr std::size_t kFileBytesMax = 64U << 20U;        // Read of one file.
inline constexpr std::size_t kFilesListedMax = 100'000;         // Below one folder.

// HTTP.
inline constexpr std::size_t kHttpHeaderBytesMax = 64U << 10U;
inline constexpr std::size_t kHttpConnectionsMax = 10'000;          // Of a server, at one time.
inline constexpr std::size_t kHttpConnectionsPerOriginMax = 256;    // Of a client.
inline constexpr Duration kHttpIdleMax = std::chrono::seconds(60);  // A server waits for a request.
inline constexpr Duration kHttpReuseMax = std::chrono::seconds(4);  // A client uses an idle one.
inline constexpr std::size_t kHttpWaitingMax = 1'024;            // Requests without a connection.
inline constexpr std::size_t kHttpWaitingBytesMax = 64U << 20U;  // Of requests not answered yet.
inline constexpr std::size_t kHttpEchoBytesMax = 8U << 10U;      // Of an id that a header repeats.
inline constexpr std::size_t kHttpSessionsMax = 10'000;
inline constexpr Duration kHttpSessionIdleMax = std::chrono::minutes(30);
inline constexpr std::size_t kReplayBytesMax = 256U << 10U;  // Of events of one session.
inline constexpr std::size_t kReplayStreamsMax = 256;  // Streams of one session that are kept.
inline constexpr int kResumeTriesMax = 5;              // In a row without a new event.

// Protocol.
inline constexpr std::size_t kRequestsInFlightMax = 1'024;
inline constexpr std::size_t kListPagesMax = 100;
inline constexpr std::size_t kListItemsMax = 10'000;
inline constexpr std::size_t kReasonBytesMax = 1'024;

// JSON Schema.
inline constexpr std::size_t kSchemaNodesMax = 100'000;          // Subschemas of one schema.
inline constexpr std::size_t kSchemaPatternBytesMax = 4'096;     // Of one "pattern".
inline constexpr std::size_t kSchemaEvaluationDepthMax = 1'024;  // References and applicators open.
inline constexpr std::uint64_t kSchemaStepsMax = 10'000'000;     // Of one validation.
inline constexpr std::size_t kSchemaViolationsMax = 1'000;       // Looked for in one value.

// Graph and assistant.
inline constexpr std::int64_t kGraphStepsMax = 10'000;
inline constexpr std::int64_t kContextBytesMax = 32 << 10;  // Of one result, put before a model.

// Simulation.
inline constexpr std::int64_t kTurnsMax = 1'000'000;
inline constexpr Duration kVirtualTimeMax = std::chrono::hours(24);
inline constexpr std::size_t kTraceBytesMax = 256U << 20U;

// Waiting for the real world.
inline constexpr std::size_t kHandshakesPendingMax = 1'024;  // Of TLS, at one listener.
inline constexpr Duration kRequestTimeout = std::chrono::seconds(30);
inline constexpr Duration kConnectTimeout = std::chrono::seconds(30);
inline constexpr Duration kStopGrace = std::chrono::seconds(2);  // Of each step: EOF, TERM, KILL.

}  // namespace plumbline::limits
