#include "core/net/spawner.h"

#include <array>
#include <string_view>

#include "core/base/wait.h"

namespace plumbline::net {

namespace {

// Numbered as Linux does on x86 and ARM.
constexpr std::array<std::string_view, 32> kSignalNames = {
    "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
    "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
    "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};

// ExitWatch sets an Event when a child ends, until it is destroyed.
class ExitWatch {
 public:
  explicit ExitWatch(Child& child) : child_(child) {
    child_.on_exit([this] { ended_.set(); });
  }
  ExitWatch(const ExitWatch&) = delete;
  ExitWatch& operator=(const ExitWatch&) = delete;
  ~ExitWatch() {
    child_.on_exit([] {});
  }

  Event& ended() { return ended_; }

 private:
  Child& child_;
  Event ended_;
};

}  // namespace

std::string describe(ExitStatus status) {
  if (status.signal == 0) return "exit code " + std::to_string(status.code);
  std::string text = "signal " + std::to_string(status.signal);
  const auto number = static_cast<std::size_t>(status.signal);
  if (number < kSignalNames.size()) text.append(" (").append(kSignalNames[number]).append(")");
  return text;
}

Task<Result<ExitStatus>> stop(Loop& loop, Child& child, Duration grace) {
  ExitWatch watch(child);
  if (child.exit_status()) co_return *child.exit_status();
  child.stdio().close_write();
  if (co_await watch.ended().wait(loop, after(loop.now(), grace))) co_return *child.exit_status();
  child.signal(Signal::kTerminate);
  if (co_await watch.ended().wait(loop, after(loop.now(), grace))) co_return *child.exit_status();
  child.signal(Signal::kKill);
  if (co_await watch.ended().wait(loop, after(loop.now(), grace))) co_return *child.exit_status();
  co_return Error{ErrorCode::kDeadlineExceeded, "the child is still there after SIGKILL"};
}

}  // namespace plumbline::net
