// EvidenceLog keeps the last messages of a conversation, for the row of a report.

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/events/check_result.h"
#include "core/events/trace_event.h"

namespace plumbline::connector {

class EvidenceLog final : public EventSink {
 public:
  static constexpr std::size_t kLinesMax = 60;

  // Times count from now on.
  explicit EvidenceLog(const Loop& loop) : begin_(loop.now()) {}

  // implements EventSink ---
  void on_event(const TraceEvent& event) override {
    const char* direction = "--";
    if (event.kind == EventKind::kMessageSent) {
      direction = "->";
    } else if (event.kind == EventKind::kMessageReceived) {
      direction = "<-";
    } else if (event.kind != EventKind::kGarbage) {
      return;
    }
    if (lines_.size() == kLinesMax) lines_.erase(lines_.begin());
    lines_.push_back({milliseconds_of(event.at - begin_), direction, event.detail});
  }

  std::vector<Evidence> take() { return std::exchange(lines_, {}); }

 private:
  Instant begin_;
  std::vector<Evidence> lines_;
};

}  // namespace plumbline::connector
