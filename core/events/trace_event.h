// TraceEvent is one thing that happened in a run. Everything that watches a run (the trace file,
// the invariants, the progress line) receives the same stream of them and nothing else.

#pragma once

#include <string_view>

#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline {

enum class EventKind {
  kMessageSent,      // A JSON-RPC message left `who`. detail: the message.
  kMessageReceived,  // One reached `who`. detail: the message.
  kGarbage,          // Bytes reached `who` that are no message. detail: {"error", "bytes"}.
  kConnection,       // `who` connected, closed, crashed ... detail: {"state", "why"?}.
  kState,           // The connector's connection to `who`. detail: {"from", "to", "why"}; or of its
                    // health: {"health", "error_percent", "response_time_ms"}.
  kRequestStarted,  // A client request. who: the connection. detail: {"id", "method"}.
  kRequestEnded,    // detail: {"id", "method", "outcome"}: see mcp::Outcome.
  kNodeStarted,     // who: the node. detail: {"step", "attempt"}.
  kNodeEnded,       // detail: {"step", "result"}: update, interrupt or error.
  kEdgeTaken,       // who: the source node. detail: {"to"}.
  kEffect,          // A tool committed a side effect. who: server. detail: {"tool","key",...}.
  kFault,           // The plan broke something. who: what was broken. detail: {"fault", ...}.
  kApproval,        // A person approved or refused. detail: {"id", "approved"}.
  kExchange,        // A request of HTTP came. who: server. detail: {"method", "path", "headers"}.
  kNote,            // Anything else worth a line. detail: {"text"}.
};

// name_of returns the kind as the trace file spells it: "message_sent" ...
std::string_view name_of(EventKind kind);

// TraceEvent borrows: `who` and `detail` live only until the sink returns.
struct TraceEvent {
  Instant at{};
  EventKind kind{};
  std::string_view who;
  const Json& detail;
};

// EventSink receives the events of one run in order. It must not act on the run.
class EventSink {
 public:
  virtual void on_event(const TraceEvent& event) = 0;

 protected:
  ~EventSink() = default;
};

}  // namespace plumbline
