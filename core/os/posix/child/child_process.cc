#include "core/os/posix/child/child_process.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "core/os/overdue.h"

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

// ended_as asks the system how the child has ended. Nothing: it still runs.
std::optional<net::ExitStatus> ended_as(pid_t pid) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    return std::nullopt;
  }
  if (info.si_pid == 0) return std::nullopt;
  net::ExitStatus status;
  (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  return status;
}

}  // namespace

ChildProcess::ChildProcess(RealLoop& loop, pid_t pid, ExitWatching watching,
                           std::function<void(net::ExitStatus)> on_end)
    : loop_(loop), pid_(pid), on_end_(std::move(on_end)), poll_([this] { look(); }) {
  Overdue::note_child(pid);
  Fd process = watching == ExitWatching::kDescriptor ? process_descriptor(pid) : Fd();
  if (process.open()) {
    process_.emplace(loop, std::move(process), [this] { look(); });
    process_->await_readable();
  } else {
    loop_.arm(poll_, loop_.now() + kPollEvery);
  }
}

ChildProcess::~ChildProcess() {
  signal(SIGKILL);
  reap();
  Overdue::forget_child(pid_);
}

// The leader goes last: as long as it is a zombie its number names it and its group.
void ChildProcess::reap() {
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

// A child can leave the group that it leads for another one: it is then named by itself.
void ChildProcess::signal(int number) {
  kill(-pid_, number);
  if (getpgid(pid_) != pid_) kill(pid_, number);
}

void ChildProcess::look() {
  const std::optional<net::ExitStatus> status = ended_as(pid_);
  if (!status) {
    if (process_) return process_->await_readable();
    return loop_.arm(poll_, loop_.now() + kPollEvery);
  }
  process_.reset();
  const std::function<void(net::ExitStatus)> on_end = std::move(on_end_);
  on_end(*status);
}

}  // namespace plumbline::os
