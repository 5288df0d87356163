// What the tests of this folder share: readers that record, and a bounded wait on the real loop.

#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/net/pipe.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

// RecordingReader keeps all that a pipe says.
struct RecordingReader final : net::PipeReader {
  void on_bytes(std::string_view more) override {
    bytes += more;
    on_more();
  }
  void on_end(const Error* error) override {
    ended = true;
    if (error != nullptr) broken_by = *error;
    on_ended();
  }

  std::string bytes;
  bool ended = false;
  std::optional<Error> broken_by;
  std::function<void()> on_more = [] {};
  std::function<void()> on_ended = [] {};
};

// run_within runs `loop` until `finished()` or until `span` has passed. Returns whether it was the
// former.
template <typename Finished>
bool run_within(RealLoop& loop, Duration span, Finished finished) {
  bool late = false;
  Alarm alarm([&late] { late = true; });
  loop.arm(alarm, loop.now() + span);
  loop.run_until([&] { return late || finished(); });
  return finished();
}

}  // namespace plumbline::os
