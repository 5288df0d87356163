// RedactingSink stands where events enter what is kept or shown: what passes it holds no secret.

#pragma once

#include <string>

#include "core/events/trace_event.h"
#include "core/json/redactor.h"

namespace plumbline {

class RedactingSink final : public EventSink {
 public:
  // Both must outlive the sink.
  RedactingSink(const Redactor& redactor, EventSink& next) : redactor_(redactor), next_(next) {}

  // implements EventSink ---
  void on_event(const TraceEvent& event) override {
    if (redactor_.is_clean(event.detail)) return pass(event, event.detail);
    Json detail = event.detail;
    redactor_.redact(detail);
    pass(event, detail);
  }

 private:
  void pass(const TraceEvent& event, const Json& detail) {
    const std::string who = redactor_.redact(std::string(event.who));
    next_.on_event(TraceEvent{event.at, event.kind, who, detail});
  }

  const Redactor& redactor_;
  EventSink& next_;
};

}  // namespace plumbline
