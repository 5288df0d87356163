// RedactingSink hands on a copy of each event without the secrets in it.

#pragma once

#include "core/events/trace_event.h"
#include "core/json/redactor.h"

namespace plumbline::scenarios {

class RedactingSink final : public EventSink {
 public:
  // Both must outlive the sink.
  RedactingSink(const Redactor& redactor, EventSink& to) : redactor_(redactor), to_(to) {}

  // implements EventSink ---
  void on_event(const TraceEvent& event) override {
    Json detail = event.detail;
    redactor_.redact(detail);
    to_.on_event(TraceEvent{event.at, event.kind, event.who, detail});
  }

 private:
  const Redactor& redactor_;
  EventSink& to_;
};

}  // namespace plumbline::scenarios
