// CrashNote makes a crash say what was being done: a bug of ours that aborts a sweep of a million
// worlds names the one to look at.

#pragma once

#include <string>

namespace plumbline::os {

class CrashNote {
 public:
  // While it lives, an abort or a fault of this thread writes "plumbline: a crash of ours; to see
  // it again: TEXT" to standard error before the process ends by its signal. At most one a thread;
  // `text` is cut at 500 bytes.
  explicit CrashNote(const std::string& text);
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
  ~CrashNote();
};

}  // namespace plumbline::os
