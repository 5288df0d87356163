// What kind of thing standard output and standard error are connected to.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/task.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

// is_terminal returns whether descriptor `fd` (0: stdin, 1: stdout, 2: stderr) is a terminal.
bool is_terminal(int fd);

// terminal_columns returns its width, nothing when it is no terminal or does not say.
std::optional<std::size_t> terminal_columns(int fd);

// drop_typed forgets what was typed at the terminal `fd` and nobody has read: no answer to what is
// asked next.
void drop_typed(int fd);

// HiddenTyping has the terminal `fd` show nothing of what is typed, until it is destroyed.
class HiddenTyping {
 public:
  explicit HiddenTyping(int fd);
  HiddenTyping(const HiddenTyping&) = delete;
  HiddenTyping& operator=(const HiddenTyping&) = delete;
  ~HiddenTyping();

 private:
  void show(bool shown) const;

  int fd_;
};

// typed_line returns the next line that is typed at the terminal `fd`, without its end: empty at
// the end of all, and cut where it is longer than anybody types.
Task<std::string> typed_line(RealLoop& loop, int fd);

}  // namespace plumbline::os
