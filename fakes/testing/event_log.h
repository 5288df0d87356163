// EventLog is an EventSink for tests: it keeps each event as one line of text.

#pragma once

#include <string>
#include <vector>

#include "core/events/trace_event.h"

namespace plumbline::fakes {

struct EventLog final : EventSink {
  void on_event(const TraceEvent& event) override {
    lines.push_back(std::to_string(nanoseconds_of(event.at)) + " " +
                    std::string(name_of(event.kind)) + " " + std::string(event.who) + " " +
                    dump_json(event.detail));
  }
  std::vector<std::string> lines;
};

}  // namespace plumbline::fakes
