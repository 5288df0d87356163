// JudgeLine is one line on a terminal that says what is being judged and about how long it still
// takes. It is rewritten a few times a second; nothing is written where standard error is none.

#pragma once

#include <cstddef>
#include <string_view>

#include "cli/host.h"
#include "core/base/loop.h"

namespace plumbline::cli {

class JudgeLine {
 public:
  // Both references must outlive the line.
  JudgeLine(Host& host, const Loop& clock);
  JudgeLine(const JudgeLine&) = delete;
  JudgeLine& operator=(const JudgeLine&) = delete;
  ~JudgeLine() { wipe(); }

  // show says that `done` of `all` checks are done, and that the check `doing` was begun last.
  void show(std::size_t done, std::size_t all, std::string_view doing);

  // wipe takes the line away, before something else is written.
  void wipe();

 private:
  Host& host_;
  const Loop& clock_;
  bool shown_;
  bool written_ = false;
  Instant begin_{};  // Of the first check.
  Instant next_{};
};

}  // namespace plumbline::cli
