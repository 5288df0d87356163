// TraceRecorder writes the trace of a run: one event a line, keys in a fixed order, a hash at the
// end. Equal runs give equal bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/sha256.h"
#include "core/events/trace_event.h"

namespace plumbline::fakes {

// Keep says whether the text is wanted, or its hash alone.
enum class Keep { kText, kHashOnly };

class TraceRecorder final : public EventSink {
 public:
  explicit TraceRecorder(Keep keep, std::size_t bytes_max = limits::kTraceBytesMax)
      : keep_(keep), bytes_max_(bytes_max) {}

  // on_event appends {"seq":1,"at_ns":0,"kind":"note","who":"","detail":{}}. An event that would
  // make the trace longer than `bytes_max`, and every one after it, is dropped and counted.
  void on_event(const TraceEvent& event) override;

  // finish appends {"dropped":N} if events were, {"unseed":"<16 hex>"} and
  // {"trace_hash":"<64 hex>"}, SHA-256 over all bytes before that last line, and returns the hash.
  // Once, and no event after it.
  std::string finish(std::uint64_t unseed);

  // text returns what was written so far; empty when only the hash is kept.
  const std::string& text() const { return text_; }

  std::uint64_t dropped() const { return dropped_; }

 private:
  void append(const std::string& line);

  Keep keep_;
  std::size_t bytes_max_;
  Sha256 hash_;
  std::string text_;
  std::string line_;  // Reused.
  std::size_t bytes_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t dropped_ = 0;
  bool finished_ = false;
};

// EventFanout hands each event to several sinks, in the order they were added. They must outlive
// it.
class EventFanout final : public EventSink {
 public:
  EventFanout() = default;
  EventFanout(std::initializer_list<EventSink*> sinks) : sinks_(sinks) {}

  void add(EventSink& sink) { sinks_.push_back(&sink); }

  void on_event(const TraceEvent& event) override {
    for (EventSink* const sink : sinks_) sink->on_event(event);
  }

 private:
  std::vector<EventSink*> sinks_;
};

}  // namespace plumbline::fakes
