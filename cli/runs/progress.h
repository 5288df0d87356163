// Progress rewrites one line on stderr, a few times a second, and wipes it at its end.

#pragma once

#include <cstdint>
#include <string>

#include "cli/host.h"
#include "core/base/loop.h"

namespace plumbline::cli {

class Progress {
 public:
  // Both references must outlive the object.
  Progress(Host& host, const Loop& clock, bool shown) : host_(host), clock_(clock), shown_(shown) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  ~Progress() {
    if (written_) host_.tell("\r\033[K");
  }

  void show(std::uint64_t done, std::uint64_t total) {
    if (!shown_ || (clock_.now() < next_ && done != total)) return;
    next_ = clock_.now() + std::chrono::milliseconds(100);
    written_ = true;
    host_.tell("\r" + std::to_string(done) + " of " + std::to_string(total) + " worlds");
  }

 private:
  Host& host_;
  const Loop& clock_;
  bool shown_;
  bool written_ = false;
  Instant next_{};
};

}  // namespace plumbline::cli
