// Host is what a command may touch of the machine, and the exit statuses of the program.

#pragma once

#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "core/base/file_store.h"
#include "core/events/report.h"

namespace plumbline::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;       // A verdict failed.
inline constexpr int kExitUsage = 2;        // Bad usage or a bad input file.
inline constexpr int kExitUnreachable = 3;  // No verdict was possible; also a fault of ours.
inline constexpr int kExitStuck = 4;        // Of a sweep: all that failed is that it never ended.
inline constexpr int kExitInterrupted = 130;

class Host {
 public:
  explicit Host(FileStore& store) : files_(store) {}

  FileStore& files() { return files_; }

  // out writes results to standard output, tell writes progress and complaints to standard error.
  void out(std::string_view text);
  void tell(std::string_view text);

  // complain writes one line, "plumbline: WHAT", and returns `exit_status`.
  int complain(std::string_view what, int exit_status);

  bool wants_color(When color) const;
  bool wants_progress(const Common& common) const;

 private:
  FileStore& files_;
};

// publish applies the baseline of `common` to what was judged, prints the report on standard output
// and writes the files that `common` asks for. With one of them on standard output, that document
// is all that is printed there. Returns the exit status: of the verdicts, kExitFailed when an entry
// of the baseline is stale, or kExitUsage when a file cannot be read or written.
int publish(Host& host, const Common& common, const Report& judged);

}  // namespace plumbline::cli
