#include "conformance/peer/presence.h"

#include <chrono>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kDialMax = std::chrono::seconds(2);
constexpr Duration kPause = std::chrono::milliseconds(200);
constexpr int kLooks = 4;  // Before it is told gone: somebody else may start it again.
constexpr Duration kStartMax = std::chrono::seconds(20);
// All that one look may take, and all that the others who are at it.
constexpr Duration kLookMax = kLooks * (kDialMax + kPause) + kStartMax + kDialMax;
constexpr Duration kOthersMax = std::chrono::minutes(5);

}  // namespace

Presence::Presence(Loop& loop, net::Network& network, net::Spawner& spawner, net::Authority at,
                   net::Command start, Changes& changes)
    : loop_(loop),
      network_(network),
      spawner_(spawner),
      at_(std::move(at)),
      start_(std::move(start)),
      changes_(changes) {}

Presence::Turn::~Turn() {
  --presence_.turns_;
  if (waits_) --presence_.waiting_;
  if (alone_) presence_.alone_ = false;
  presence_.changes_.tell();
}

Task<void> Presence::Turn::alone() {
  waits_ = true;
  ++presence_.waiting_;
  presence_.changes_.tell();  // One turn less is at work.
  const auto mine = [this] { return !presence_.alone_ && presence_.turns_ == presence_.waiting_; };
  co_await presence_.changes_.wait(after(presence_.loop_.now(), kOthersMax), mine);
  presence_.alone_ = alone_ = true;
}

Task<bool> Presence::is_there() {
  Result<Result<std::unique_ptr<net::Pipe>>> pipe =
      co_await with_deadline(loop_, after(loop_.now(), kDialMax), std::string("a connection"),
                             network_.dial(at_, std::nullopt));
  co_return pipe.ok() && pipe.value().ok();
}

Task<bool> Presence::is_up_within(Duration patience) {
  const Instant deadline = after(loop_.now(), patience);
  while (!co_await is_there()) {
    if (loop_.now() >= deadline) co_return false;
    co_await Sleep(loop_, after(loop_.now(), kPause));
  }
  co_return true;
}

Status Presence::start() {
  child_.reset();  // Ends what is left of it.
  Result<std::unique_ptr<net::Child>> child = spawner_.spawn(start_);
  if (!child.ok()) return std::move(child).error();
  child_ = std::move(child).value();
  child_->stdio().start(drain_);
  return Done{};
}

Task<Status> Presence::meet(Duration patience) {
  const bool starts = !start_.argv.empty();
  bool up = co_await is_there();
  if (!up && starts) {
    Status started = start();
    if (!started.ok()) co_return std::move(started);
  }
  if (!up) up = co_await is_up_within(patience);
  if (up) co_return Done{};
  std::string rest = std::to_string(milliseconds_of(patience)) + " ms";
  if (child_ != nullptr && !child_->stderr_tail().empty()) rest += ": " + child_->stderr_tail();
  co_return the_error_as(ErrorCode::kDisconnected, "server.not-listening", net::describe(at_),
                         rest);
}

Task<void> Presence::look(WireLog& log) {
  if (at_.port == 0) co_return;
  const auto seen = [this] { return !looking_; };
  co_await changes_.wait(after(loop_.now(), kLookMax), seen);
  if (!log.losses().first || !gone_.empty()) co_return;
  looking_ = true;
  int refused = 0;
  bool there = co_await is_there();
  while (!there && ++refused < kLooks) {
    co_await Sleep(loop_, after(loop_.now(), kPause));
    there = co_await is_there();
  }
  if (!there && !start_.argv.empty() && start().ok()) there = co_await is_up_within(kStartMax);
  if (!there) tell_gone(log);
  if (there && refused > 0) ++lives_;
  log.forget_losses();
  looking_ = false;
  changes_.tell();
}

void Presence::tell_gone(WireLog& log) {
  const Losses& losses = log.losses();
  gone_ = "the server is gone: nobody listens at " + net::describe(at_) + " any longer, " +
          std::to_string(milliseconds_of(*losses.first - log.begin())) + " ms into the run";
  if (losses.unanswered.empty()) return;
  gone_ += losses.unanswered.size() == 1 ? "; it was sent last and did not answer: "
                                         : "; it was sent last and answered none of: ";
  for (std::size_t i = 0; i < losses.unanswered.size(); ++i) {
    gone_ += (i == 0 ? "" : " | ") + losses.unanswered[i];
  }
}

}  // namespace plumbline::conformance
