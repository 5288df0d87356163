#include "core/agents/command_line/run/command_runner.h"

#include <memory>
#include <string_view>
#include <utility>

#include "core/agents/command_line/run/output_keeper.h"
#include "core/base/wait.h"

namespace plumbline::agents::command_line {

namespace {

// Running is one child at work: it hears what it says and when it ends.
class Running final : private net::PipeReader {
 public:
  Running(std::unique_ptr<net::Child> child, std::size_t output_bytes_max)
      : out_(output_bytes_max), child_(std::move(child)) {
    child_->stdio().start(*this);
    child_->stdio().close_write();
    child_->on_exit([this] {
      exited_ = true;
      look();
    });
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  net::Child& child() { return *child_; }

  // over is set when it has ended and all that it said is here.
  Event& over() { return over_; }

  void describe(CommandResult& result) const {
    result.out = out_.text();
    result.err = child_->stderr_tail();
    const std::uint64_t err_cut = child_->stderr_bytes() - result.err.size();
    if (err_cut > 0) result.err.insert(0, cut_mark(err_cut));
    result.truncated = out_.cut_bytes() > 0 || err_cut > 0;
    const std::optional<net::ExitStatus> status = child_->exit_status();
    if (status) result.return_code = status->signal != 0 ? -status->signal : status->code;
  }

 private:
  void on_bytes(std::string_view bytes) override { out_.append(bytes); }
  void on_end(const Error*) override {
    silent_ = true;
    look();
  }
  void look() {
    if (exited_ && silent_) over_.set();
  }

  OutputKeeper out_;
  bool exited_ = false;
  bool silent_ = false;
  Event over_;
  std::unique_ptr<net::Child> child_;  // Last: it calls the rest.
};

std::string milliseconds_text(Duration span) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(span).count()) +
         " ms";
}

// wait_out waits for the end. Returns whether it came in time; else the group has been ended, as
// far as it can be.
Task<bool> wait_out(Loop& loop, Running& running, Duration timeout, Duration grace) {
  const bool ended = co_await running.over().wait(loop, after(loop.now(), timeout));
  if (ended) co_return true;
  running.child().signal(net::Signal::kTerminate);
  const bool obeyed = co_await running.over().wait(loop, after(loop.now(), grace));
  if (obeyed) co_return false;
  running.child().signal(net::Signal::kKill);
  [[maybe_unused]] const bool killed = co_await running.over().wait(loop, after(loop.now(), grace));
  co_return false;
}

// judge says what the end of a command means.
void judge(CommandResult& result, bool in_time, Duration timeout) {
  if (!in_time) {
    result.status = CommandStatus::kTimeout;
    result.error = "it was stopped after " + milliseconds_text(timeout);
  } else if (result.return_code == 0) {
    result.status = CommandStatus::kSuccess;
  } else {
    const int code = result.return_code.value_or(0);
    result.error = "it ended with " + net::describe({code < 0 ? 0 : code, code < 0 ? -code : 0});
  }
}

}  // namespace

CommandRunner::CommandRunner(Loop& loop, net::Spawner& spawner, RunLimits limits)
    : loop_(loop), spawner_(spawner), limits_(limits), turns_(loop, limits.concurrent_max) {}

Task<CommandResult> CommandRunner::run(net::Command command, std::string line, Duration timeout,
                                       LastLook* look) {
  const Turns::Turn turn = co_await turns_.take();
  CommandResult result;
  result.command = std::move(line);
  const Instant started = loop_.now();
  const Status fine = look != nullptr ? look->look(command) : Status(Done{});
  if (!fine.ok()) {
    result.status = CommandStatus::kBlocked;
    result.error = fine.error().message;
    co_return result;
  }
  Result<std::unique_ptr<net::Child>> child = spawner_.spawn(command);
  if (!child.ok()) {
    result.error = child.error().message;
    co_return result;
  }
  Running running(std::move(child).value(), limits_.output_bytes_max);
  const bool in_time = co_await wait_out(loop_, running, timeout, limits_.grace);
  running.describe(result);
  judge(result, in_time, timeout);
  result.duration_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now() - started).count();
  co_return result;
}

}  // namespace plumbline::agents::command_line
