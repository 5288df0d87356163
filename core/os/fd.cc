#include "core/os/fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/base/check.h"

namespace plumbline::os {

namespace {

// above_standard moves `fd` away from 0, 1 and 2, which are free when our own were closed: a child
// is about to get other files there.
Fd above_standard(Fd fd) {
  if (fd.number() > STDERR_FILENO) return fd;
  return Fd(fcntl(fd.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

}  // namespace

void Fd::close() {
  if (open()) ::close(std::exchange(number_, -1));
}

Result<PipeEnds> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return posix_error(ErrorCode::kLimitReached, "cannot make a pipe", errno);
  }
  PipeEnds made{Fd(ends[0]), Fd(ends[1])};
  made.read = above_standard(std::move(made.read));
  made.write = above_standard(std::move(made.write));
  if (!made.read.open() || !made.write.open()) {
    return posix_error(ErrorCode::kLimitReached, "cannot make a pipe", errno);
  }
  return made;
}

void set_nonblocking(const Fd& fd) {
  const int flags = fcntl(fd.number(), F_GETFL);
  check(flags >= 0 && fcntl(fd.number(), F_SETFL, flags | O_NONBLOCK) == 0,
        "a descriptor of ours cannot be made non-blocking");
}

Error posix_error(ErrorCode code, std::string_view what, int error_number) {
  std::string message(what);
  message.append(": ").append(std::generic_category().message(error_number));
  return Error{code, std::move(message)};
}

}  // namespace plumbline::os
