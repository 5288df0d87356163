#include "core/os/files/file_watch.h"

#include <utility>

namespace plumbline::os {

FileWatch::FileWatch(RealLoop& loop, Duration quiet, OnChange on_change)
    : loop_(loop), quiet_(quiet), on_change_(std::move(on_change)), calm_([] {}) {}

FileWatch::~FileWatch() = default;

Status FileWatch::add(const std::string& path) {
  return Error{ErrorCode::kUnsupported,
               path +
                   ": to watch files is for the native program: see \"plumbline --version "
                   "--verbose\""};
}

}  // namespace plumbline::os
