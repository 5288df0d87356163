#include "fakes/world/trace_recorder.h"

#include <utility>

#include "core/base/check.h"
#include "core/json/json.h"

namespace plumbline::fakes {

void TraceRecorder::on_event(const TraceEvent& event) {
  check(!finished_, "an event after the end of the trace");
  if (dropped_ != 0) {
    ++dropped_;
    return;
  }
  line_ = "{\"seq\":" + std::to_string(events_ + 1);
  line_ += ",\"at_ns\":" + std::to_string(nanoseconds_of(event.at));
  line_ += ",\"kind\":\"";
  line_ += name_of(event.kind);
  line_ += "\",\"who\":";
  append_json(line_, Json(event.who));
  line_ += ",\"detail\":";
  append_json(line_, event.detail);
  line_ += "}\n";
  if (line_.size() > bytes_max_ - bytes_) {
    ++dropped_;
    return;
  }
  ++events_;
  append(line_);
}

std::string TraceRecorder::finish(std::uint64_t unseed) {
  check(!std::exchange(finished_, true), "a trace is finished once");
  if (dropped_ != 0) append("{\"dropped\":" + std::to_string(dropped_) + "}\n");
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; unseed >>= 4U) digits[i] = "0123456789abcdef"[unseed & 15U];
  append("{\"unseed\":\"" + digits + "\"}\n");
  std::string hash = hash_.finish_hex();
  if (keep_ == Keep::kText) text_ += "{\"trace_hash\":\"" + hash + "\"}\n";
  return hash;
}

void TraceRecorder::append(const std::string& line) {
  bytes_ += line.size();
  hash_.update(line);
  if (keep_ == Keep::kText) text_ += line;
}

}  // namespace plumbline::fakes
