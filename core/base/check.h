// check() is for bugs in this codebase: a false condition aborts the process.
//
// What a peer, a file or the operating system can cause is not a bug and is reported as a Result
// (core/base/result.h). What a subject gets wrong is a Verdict (core/events/report.h). Only the
// first of the three may abort.

#pragma once

#include <cstdio>
#include <cstdlib>

namespace plumbline {

// check aborts with `why` and the caller's position unless `condition` holds. On in every build.
//
// The position comes from default arguments: std::source_location would be one more thing that
// two compilers print differently.
inline void check(bool condition, const char* why, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  if (condition) [[likely]] {
    return;
  }
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, why);
  std::abort();
}

}  // namespace plumbline
