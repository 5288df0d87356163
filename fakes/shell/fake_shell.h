// FakeShell is a table of programs for a SimSpawner: what they say, how long they take, and how
// they misbehave. It records what was started.

#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/net/spawner.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::fakes {

// ShellBehaviour is what one program does when it is started.
struct ShellBehaviour {
  std::string out{};
  std::string err{};
  net::ExitStatus ends_with{};
  Duration takes{};                // From its start to its end; what it says it says at the start.
  bool hangs = false;              // It never ends by itself.
  std::size_t flood_bytes = 0;     // So much comes on stdout every millisecond until it ends.
  bool ignores_terminate = false;  // Only SIGKILL ends it.
  bool forks = false;              // A child of it holds its streams open when it has ended.
};

class FakeShell {
 public:
  // `loop` and `spawner` must outlive the shell, and it the children. Their streams are as `pipes`
  // says.
  FakeShell(Loop& loop, SimSpawner& spawner, PipeOptions pipes = {})
      : loop_(loop), spawner_(spawner), pipes_(pipes) {}
  FakeShell(const FakeShell&) = delete;
  FakeShell& operator=(const FakeShell&) = delete;

  // add says what a command that begins with these words does. Of several the longest counts.
  void add(std::vector<std::string> words, ShellBehaviour behaviour);

  // ran returns every command that was started, in order.
  const std::vector<net::Command>& ran() const { return ran_; }

  // at_work returns how many have not ended, and at_work_max how many there were at one time.
  std::size_t at_work() const { return at_work_; }
  std::size_t at_work_max() const { return at_work_max_; }

 private:
  class Job;

  const ShellBehaviour* find(const std::vector<std::string>& argv) const;

  Loop& loop_;
  SimSpawner& spawner_;
  PipeOptions pipes_;
  std::vector<std::pair<std::vector<std::string>, ShellBehaviour>> table_;
  std::vector<net::Command> ran_;
  std::size_t at_work_ = 0;
  std::size_t at_work_max_ = 0;
};

}  // namespace plumbline::fakes
