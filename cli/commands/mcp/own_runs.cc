#include "cli/commands/mcp/own_runs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/host.h"
#include "core/base/errors/errors.h"
#include "core/base/limits.h"
#include "core/base/wait.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

constexpr Duration kTellPause = std::chrono::seconds(1);
constexpr Duration kFarewellMax = std::chrono::seconds(5);
constexpr std::size_t kOutBytesMax = limits::kFileBytesMax;

std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t start = text.rfind('\n');
  return std::string(start == text.npos ? text : text.substr(start + 1));
}

}  // namespace

// Charge and turn go last: the next run begins when the child is gone.
struct OwnRuns::Seat {
  std::optional<Charge> charge;
  std::optional<Turns::Turn> turn;
  std::unique_ptr<net::Child> child;
};

class OwnRuns::Streams final : public net::PipeReader {
 public:
  explicit Streams(net::Child& child) : child_(child) {
    child_.stdio().start(*this);
    child_.stdio().close_write();
    child_.on_exit([this] { look(); });
  }

  Event& over() { return over_; }

  OwnRun take(bool stopped) {
    const net::ExitStatus ended = child_.exit_status().value_or(net::ExitStatus());
    OwnRun run;
    run.status = ended.signal == 0 ? ended.code : kExitUnreachable;
    run.out = std::move(text_);
    run.err = child_.stderr_tail();
    run.stopped = stopped;
    run.too_long = too_long_;
    return run;
  }

  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override {
    const std::size_t left = kOutBytesMax - text_.size();
    too_long_ = too_long_ || bytes.size() > left;
    text_ += bytes.substr(0, left);
  }
  void on_end(const Error* /*error*/) override {
    ended_ = true;
    look();
  }

 private:
  void look() {
    if (ended_ && child_.exit_status()) over_.set();
  }

  net::Child& child_;
  std::string text_;
  Event over_;
  bool ended_ = false;
  bool too_long_ = false;
};

class OwnRuns::Abandoned {
 public:
  Abandoned(OwnRuns& runs, std::unique_ptr<Seat>& seat) : runs_(runs), seat_(seat) {}
  Abandoned(const Abandoned&) = delete;
  Abandoned& operator=(const Abandoned&) = delete;
  ~Abandoned() {
    net::Child& child = *seat_->child;
    child.on_exit([] {});
    if (child.exit_status()) return;
    child.stdio().close();
    runs_.farewells_.spawn(runs_.farewell(std::move(seat_)));
  }

 private:
  OwnRuns& runs_;
  std::unique_ptr<Seat>& seat_;
};

Task<void> OwnRuns::farewell(std::unique_ptr<Seat> seat) {
  Event gone;
  net::Child& child = *seat->child;
  child.on_exit([&gone] { gone.set(); });
  child.signal(net::Signal::kTerminate);
  const Instant deadline = after(loop_.now(), kFarewellMax);
  co_await gone.wait(loop_, deadline);
  child.on_exit([] {});
  seat.reset();  // The frame is kept for a while.
}

Task<Result<OwnRun>> OwnRuns::run(std::vector<std::string> words, Tell tell) {
  auto seat = std::make_unique<Seat>();
  seat->charge = budget_.take(Resource::kProcesses);
  if (!seat->charge) {
    co_return the_error("mcp.runs-wait", std::to_string(limits_.waiting_max));
  }
  if (!budget_.spend(Resource::kSteps)) {
    co_return the_error("mcp.runs-spent", std::to_string(limits_.runs_max));
  }
  Turns::Turn turn = co_await turns_.take();
  seat->turn.emplace(std::move(turn));
  words.insert(words.begin(), program_);
  net::Command command(std::move(words));
  command.inherits = false;  // What its servers get is said on the command line.
  command.env = os::whole_environment();
  Result<std::unique_ptr<net::Child>> child = spawner_.spawn(command);
  if (!child.ok()) co_return std::move(child).error();
  seat->child = std::move(child).value();
  net::Child& running = *seat->child;
  Streams streams(running);
  const Abandoned abandoned(*this, seat);
  const Instant deadline = after(loop_.now(), limits_.time_max);
  bool stopped = false;
  for (std::size_t seconds = 0; !streams.over().is_set(); ++seconds) {
    if (seconds > 0) tell(seconds, last_line(running.stderr_tail()));
    if (!stopped && loop_.now() >= deadline) {
      stopped = true;
      running.signal(net::Signal::kTerminate);
    } else if (stopped && loop_.now() >= after(deadline, kFarewellMax)) {
      running.signal(net::Signal::kKill);
    }
    const Instant next = after(loop_.now(), kTellPause);
    co_await streams.over().wait(loop_, next);
  }
  co_return streams.take(stopped);
}

}  // namespace plumbline::cli
