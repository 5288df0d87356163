#include "core/os/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace plumbline::os {

bool is_terminal(int fd) { return ::isatty(fd) == 1; }

std::optional<std::size_t> terminal_columns(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace plumbline::os
