#include "core/os/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/base/wait.h"
#include "core/os/fd.h"
#include "core/os/fd_watch.h"

namespace plumbline::os {

bool is_terminal(int fd) { return ::isatty(fd) == 1; }

std::optional<std::size_t> terminal_columns(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

void drop_typed(int fd) { tcflush(fd, TCIFLUSH); }

HiddenTyping::HiddenTyping(int fd) : fd_(fd) { show(false); }
HiddenTyping::~HiddenTyping() { show(true); }

void HiddenTyping::show(bool shown) const {
  termios how{};
  if (::tcgetattr(fd_, &how) != 0) return;
  if (shown) {
    how.c_lflag |= static_cast<tcflag_t>(ECHO);
  } else {
    how.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  }
  ::tcsetattr(fd_, TCSANOW, &how);
}

// A terminal gives whole lines, and a read of one that is ready does not wait.
Task<std::string> typed_line(RealLoop& loop, int fd) {
  Event ready;
  FdWatch watch(loop, Fd(fcntl(fd, F_DUPFD_CLOEXEC, 0)), [&ready] { ready.set(); });
  while (!ready_for(watch.fd(), POLLIN)) {
    ready.reset();
    watch.await_readable();
    co_await ready.wait(loop, kNever);
  }
  std::array<char, 256> buffer{};
  const ssize_t count = ::read(watch.fd(), buffer.data(), buffer.size());
  std::string line(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  line.resize(std::min(line.find('\n'), line.size()));
  co_return line;
}

}  // namespace plumbline::os
