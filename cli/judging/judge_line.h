// JudgeLine is one line on a terminal that says what is being judged and about how long it still
// takes. It is rewritten a few times a second. Where standard error is none, nothing is written, or
// on demand a line each second.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/host.h"
#include "core/base/loop.h"
#include "core/base/task.h"

namespace plumbline::cli {

class JudgeLine {
 public:
  // Both references must outlive the line. `always`: also where there is no terminal.
  JudgeLine(Host& host, Loop& loop, bool always);
  JudgeLine(const JudgeLine&) = delete;
  JudgeLine& operator=(const JudgeLine&) = delete;
  ~JudgeLine() { wipe(); }

  // show says that `done` of `all` checks are done, and that the check `doing` was begun last.
  void show(std::size_t done, std::size_t all, std::string_view doing);

  // keep_moving rewrites it now and then: it is run beside the work, and dropped at its end.
  Task<void> keep_moving();

  // wipe takes the line away, before something else is written; end does so for good, until the
  // next thing is judged.
  void wipe();
  void end();

 private:
  void write();
  std::string state() const;

  Host& host_;
  Loop& loop_;
  bool terminal_;
  bool shown_;
  bool written_ = false;
  std::size_t done_ = 0;
  std::size_t all_ = 0;  // 0: nothing has begun.
  std::string doing_;
  Instant begin_{};  // Of the first check.
};

}  // namespace plumbline::cli
