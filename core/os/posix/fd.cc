#include "core/os/fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/base/check.h"

namespace plumbline::os {

namespace {

// take_over moves a standard descriptor to a new number and puts `replacement` in its place.
Fd take_over(int standard, int replacement) {
  Fd taken(fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  check(taken.open() && dup2(replacement, standard) == standard,
        "no descriptor is left for a standard stream");
  return taken;
}

}  // namespace

void Fd::close() {
  if (open()) ::close(std::exchange(number_, -1));
}

void close_on_exec_from(int first) {
  // By its number: glibc knows it since 2.34, kernels since 5.11.
  constexpr unsigned kCloseOnExec = 4;
  if (syscall(SYS_close_range, first, ~0U, kCloseOnExec) == 0) return;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", gone)) {
    const int number = std::atoi(entry.path().filename().c_str());
    if (number >= first) fcntl(number, F_SETFD, FD_CLOEXEC);
  }
}

Result<PipeEnds> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return posix_error(ErrorCode::kLimitReached, "cannot make a pipe", errno);
  }
  return PipeEnds{Fd(ends[0]), Fd(ends[1])};
}

void fill_standard_descriptors() {
  for (;;) {
    Fd null(open("/dev/null", O_RDWR));
    check(null.open(), "/dev/null cannot be opened");
    if (null.number() > STDERR_FILENO) return;
    null.release();
  }
}

StandardStreams take_standard_streams() {
  const Fd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  check(null.open(), "/dev/null cannot be opened");
  StandardStreams streams;
  streams.in = take_over(STDIN_FILENO, null.number());
  streams.out = take_over(STDOUT_FILENO, STDERR_FILENO);
  return streams;
}

bool ready_for(int fd, short events) {
  pollfd asked{fd, events, 0};
  return poll(&asked, 1, 0) == 1;
}

bool try_again(int error_number) {
  return error_number == EAGAIN || error_number == EWOULDBLOCK || error_number == EINTR;
}

void raise_descriptor_limit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

void set_nonblocking(const Fd& fd) {
  const int flags = fcntl(fd.number(), F_GETFL);
  check(flags >= 0 && fcntl(fd.number(), F_SETFL, flags | O_NONBLOCK) == 0,
        "a descriptor of ours cannot be made non-blocking");
}

std::string reason_of(int error_number) { return std::generic_category().message(error_number); }

Error posix_error(ErrorCode code, std::string_view what, int error_number) {
  return Error{code, std::string(what) + ": " + reason_of(error_number)};
}

}  // namespace plumbline::os
