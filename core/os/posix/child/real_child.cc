#include "core/os/posix/child/real_child.h"

#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>

namespace plumbline::os {

RealChild::RealChild(RealLoop& loop, StartedProcess started, ExitWatching watching)
    : loop_(loop),
      stdio_(loop, std::move(started.out), std::move(started.in), RealPipe::Sharing::kOurs),
      stderr_(loop, std::move(started.err)),
      tell_turn_([this] { tell(); }),
      process_(loop, started.pid, watching, [this](net::ExitStatus status) { ended(status); }) {}

std::size_t RealChild::memory_bytes() const {
  if (status_) return 0;
  std::ifstream pages("/proc/" + std::to_string(pid()) + "/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  if (!(pages >> all >> resident)) return 0;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void RealChild::on_exit(std::function<void()> done) {
  done_ = std::move(done);
  if (status_) loop_.arm(tell_turn_, loop_.now());
}

void RealChild::signal(net::Signal which) {
  process_.signal(which == net::Signal::kKill ? SIGKILL : SIGTERM);
}

// ended tells in order: what the child still said, that its streams end, how it ended.
void RealChild::ended(net::ExitStatus status) {
  stderr_.drain();
  const Lifeline::Guard guard(lifeline_);
  stdio_.peer_gone();
  if (!guard.alive()) return;
  status_ = status;
  tell();
}

void RealChild::tell() {
  const std::function<void()> done = std::exchange(done_, nullptr);
  if (done) done();
}

}  // namespace plumbline::os
