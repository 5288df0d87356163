// ShellWorld is the machine of a world on which commands run, and the other machines: its programs,
// files and clock. Agents come and go; it stays.

#pragma once

#include <memory>

#include "core/base/doors/wall_clock.h"
#include "core/base/loop.h"
#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "core/net/spawner.h"
#include "fakes/shell/fake_shell.h"
#include "fakes/shell/sim_remote.h"
#include "fakes/world/sim_file_store.h"
#include "fakes/world/sim_spawner.h"
#include "scenarios/spec/shell_spec.h"

namespace plumbline::scenarios {

class ShellWorld final : private net::Spawner {
 public:
  // All must outlive the world. What programs say travels as `pipes` has it.
  ShellWorld(Loop& loop, const Rng& rng, EventSink& events, const ShellSpec& spec,
             const fakes::PipeOptions& pipes);
  ShellWorld(const ShellWorld&) = delete;
  ShellWorld& operator=(const ShellWorld&) = delete;

  const ShellSpec& spec() const { return spec_; }

  // spawner starts programs of the shell, by the file that a command names.
  net::Spawner& spawner() { return *this; }
  net::RemoteDialer& dialer() { return remote_; }
  fakes::SimFileStore& files() { return files_; }
  const WallClock& clock() const { return clock_; }

  // at_work returns how many programs have not ended on this machine.
  std::size_t at_work() const { return shell_.at_work(); }

  // switch_off ends what still runs on other machines.
  void switch_off() { remote_.switch_off(); }

 private:
  // The world began at nine.
  struct Clock final : WallClock {
    explicit Clock(const Loop& its_loop) : loop(its_loop) {}
    Duration since_1970() const override {
      return std::chrono::hours(9) + loop.now().time_since_epoch();
    }
    const Loop& loop;
  };

  // implements Spawner ---
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

  const ShellSpec& spec_;
  Clock clock_;
  fakes::SimSpawner programs_;
  fakes::FakeShell shell_;
  fakes::SimRemote remote_;
  fakes::SimFileStore files_;
};

}  // namespace plumbline::scenarios
