// LineLog is a file that only grows, a line at a time.

#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/os/fd.h"

namespace plumbline::os {

class LineLog {
 public:
  // open opens the file for us alone, or makes one that only its owner may read. While another
  // process appends to it, the next free one of its name is taken: "log-2.jsonl" for "log.jsonl".
  // kInvalidInput: it cannot be written.
  static Result<LineLog> open(const std::string& path);

  // share opens it beside others who append to it as well. Errors as of open.
  static Result<LineLog> share(const std::string& path);

  // append writes `line`, with its end, in one piece: a process that dies leaves whole lines, and
  // at most one torn, which the next one does not touch. kLimitReached: it cannot be kept (disk
  // full ...).
  Status append(std::string_view line);

  const std::string& path() const { return path_; }

 private:
  LineLog(std::string path, Fd fd, bool torn)
      : path_(std::move(path)), fd_(std::move(fd)), torn_(torn) {}

  std::string path_;
  Fd fd_;
  bool torn_ = false;  // The last line has no end.
};

}  // namespace plumbline::os
