// SessionTrace tells an EventSink what a session does. Without a sink it builds nothing.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::mcp {

class SessionTrace {
 public:
  // `name` is the `who` of every event. `events` may be null.
  SessionTrace(Loop& loop, std::string name, EventSink* events)
      : loop_(loop), name_(std::move(name)), events_(events) {}

  bool on() const { return events_ != nullptr; }
  const std::string& name() const { return name_; }

  void sent(const Json& message) {
    if (on()) emit(EventKind::kMessageSent, message);
  }
  void received(const Json& message) {
    if (on()) emit(EventKind::kMessageReceived, message);
  }
  void garbage(std::string_view bytes, const std::string& error);
  void request_started(std::int64_t id, const std::string& method);
  // The outcome is answer, error, timeout, cancelled, disconnected or invalid.
  void request_ended(std::int64_t id, const std::string& method, const Reply<Json>& reply);
  void connection(std::string_view state, const std::string& why);
  void note(std::string text);

 private:
  void emit(EventKind kind, const Json& detail);

  Loop& loop_;
  std::string name_;
  EventSink* events_;
};

}  // namespace plumbline::mcp
