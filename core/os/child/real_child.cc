#include "core/os/child/real_child.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace plumbline::os {

namespace {

constexpr Duration kPollEvery = std::chrono::milliseconds(5);
// A killed process ends at once unless a broken device holds it in the kernel. Then it is left.
constexpr Duration kReapMax = std::chrono::seconds(2);
constexpr Duration kReapPauseMin = std::chrono::microseconds(50);
constexpr Duration kReapPauseMax = std::chrono::milliseconds(5);

Fd process_descriptor(pid_t pid) {
  return Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));  // Closed on exec by itself.
}

// reap_within waits for the processes that `type` and `id` name and that are our children. Returns
// whether none is left before `waited` reaches its bound.
bool reap_within(idtype_t type, pid_t id, Duration& waited) {
  for (Duration pause = kReapPauseMin; waited < kReapMax;) {
    siginfo_t info{};
    const int failed = waitid(type, static_cast<id_t>(id), &info, WEXITED | WNOHANG);
    if (failed != 0 && errno != EINTR) return true;
    if (failed != 0 || info.si_pid != 0) continue;
    std::this_thread::sleep_for(pause);
    waited += pause;
    pause = std::min(2 * pause, kReapPauseMax);
  }
  return false;
}

}  // namespace

RealChild::RealChild(RealLoop& loop, pid_t pid, Streams streams, ExitWatching watching)
    : loop_(loop),
      pid_(pid),
      stdio_(loop, std::move(streams.out), std::move(streams.in), RealPipe::Sharing::kOurs),
      stderr_(loop, std::move(streams.err)),
      poll_([this] { look(); }),
      tell_turn_([this] { tell(); }) {
  Fd process = watching == ExitWatching::kDescriptor ? process_descriptor(pid) : Fd();
  if (process.open()) {
    process_.emplace(loop, std::move(process), [this] { look(); });
    process_->await_readable();
  } else {
    loop_.arm(poll_, loop_.now() + kPollEvery);
  }
}

RealChild::~RealChild() {
  signal(net::Signal::kKill);
  reap();
}

// The leader goes last: as long as it is a zombie its number names it and its group.
void RealChild::reap() {
  Duration waited{};
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0 && waited < kReapMax) {
    std::this_thread::sleep_for(kReapPauseMin);
    waited += kReapPauseMin;
  }
  reap_within(P_PGID, pid_, waited);
  reap_within(P_PID, pid_, waited);
}

void RealChild::on_exit(std::function<void()> done) {
  done_ = std::move(done);
  if (status_) loop_.arm(tell_turn_, loop_.now());
}

// A child can leave the group that it leads for another one: it is then named by itself.
void RealChild::signal(net::Signal which) {
  const int number = which == net::Signal::kKill ? SIGKILL : SIGTERM;
  kill(-pid_, number);
  if (getpgid(pid_) != pid_) kill(pid_, number);
}

bool RealChild::has_ended() {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
  if (info.si_pid == 0) return false;
  ended_as_ = {};
  (info.si_code == CLD_EXITED ? ended_as_.code : ended_as_.signal) = info.si_status;
  return true;
}

// look tells in order: what the child still said, that its streams end, how it ended.
void RealChild::look() {
  if (!has_ended()) {
    if (process_) return process_->await_readable();
    return loop_.arm(poll_, loop_.now() + kPollEvery);
  }
  process_.reset();
  stderr_.drain();
  const Lifeline::Guard guard(lifeline_);
  stdio_.peer_gone();
  if (!guard.alive()) return;
  status_ = ended_as_;
  tell();
}

void RealChild::tell() {
  const std::function<void()> done = std::exchange(done_, nullptr);
  if (done) done();
}

}  // namespace plumbline::os
