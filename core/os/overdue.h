// Overdue ends the process where SIGINT or SIGTERM is not taken notice of within a second, whatever
// it is in the midst of: a loop that does not turn hears no signal. The children that are known die
// with it. It is the last resort: what takes long returns to its loop by itself.

#pragma once

#include <string_view>

namespace plumbline::os {

class Overdue {
 public:
  // Counts from the first of the two signals on, beside the handlers that there are: make it once
  // they stand. At most one exists in a process.
  Overdue();
  Overdue(const Overdue&) = delete;
  Overdue& operator=(const Overdue&) = delete;
  ~Overdue();

  // heard says that notice was taken: nothing is overdue any more.
  void heard();

  // note_child has the group of `leader` killed with the process, until forget_child.
  static void note_child(int leader);
  static void forget_child(int leader);

  // end ends the process at once with `status`, and the known children with it, and says `word` on
  // stderr. It may be called where nothing can be allocated, and from a signal handler.
  [[noreturn]] static void end(std::string_view word, int status);
};

}  // namespace plumbline::os
