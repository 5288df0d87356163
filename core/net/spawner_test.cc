#include "core/net/spawner.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/timer_queue.h"

namespace plumbline::net {
namespace {

using std::chrono::seconds;
using Log = std::vector<std::string>;

// The smallest Loop: fires what is due and jumps to the next.
class TinyLoop final : public Loop {
 public:
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, std::max(when, now_), 0); }
  bool idle() const { return queue_.empty(); }
  void run() {
    while (!queue_.empty()) {
      now_ = queue_.next_due();
      queue_.fire_next();
    }
  }

 private:
  Instant now_{};
  TimerQueue queue_;
};

// StubbornChild ends one second after the step that it obeys, and records every step with its
// second.
class StubbornChild final : public Child, private Pipe {
 public:
  StubbornChild(Loop& loop, std::string obeys) : loop_(loop), obeys_(std::move(obeys)) {}

  Pipe& stdio() override { return *this; }
  std::string stderr_tail() const override { return ""; }
  std::uint64_t stderr_bytes() const override { return 0; }
  std::optional<ExitStatus> exit_status() const override { return status_; }
  void on_exit(std::function<void()> done) override { done_ = std::move(done); }
  void signal(Signal which) override { step(which == Signal::kKill ? "KILL" : "TERM"); }

  // end lets the child end by itself.
  void end(ExitStatus status) {
    status_ = status;
    const std::function<void()> done = std::exchange(done_, [] {});
    done();
  }

  Log log;

 private:
  void start(PipeReader&) override {}
  void write(std::string) override {}
  void close_write() override { step("EOF"); }
  void close() override {}

  void step(const std::string& name) {
    const std::int64_t second = milliseconds_of(loop_.now() - Instant()) / 1000;
    log.push_back(std::to_string(second) + " " + name);
    if (name == obeys_) loop_.arm(death_, loop_.now() + seconds(1));
  }

  Loop& loop_;
  std::string obeys_;
  std::optional<ExitStatus> status_;
  std::function<void()> done_ = [] {};
  Alarm death_{[this] { end(obeys_ == "EOF" ? ExitStatus{0, 0} : ExitStatus{0, 9}); }};
};

class StopTest : public testing::Test {
 protected:
  // stop_with runs stop() on a child that obeys `step` only, with a grace of 2 s.
  Result<ExitStatus> stop_with(std::string step) {
    StubbornChild child(loop_, std::move(step));
    Task<Result<ExitStatus>> task = stop(loop_, child, seconds(2));
    task.start();
    loop_.run();
    log_ = child.log;
    return task.done() ? task.result() : Error{ErrorCode::kInvalidInput, "stop() hangs"};
  }

  TinyLoop loop_;
  Log log_;
};

TEST_F(StopTest, AChildThatEndsAtEofGetsNoSignal) {
  const Result<ExitStatus> ended = stop_with("EOF");
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(ended.value(), ExitStatus{});
  EXPECT_EQ(log_, Log{"0 EOF"});
  EXPECT_EQ(loop_.now(), Instant(seconds(1)));
}

TEST_F(StopTest, AChildThatIgnoresEofGetsTermAfterTheGrace) {
  ASSERT_TRUE(stop_with("TERM").ok());
  EXPECT_EQ(log_, (Log{"0 EOF", "2 TERM"}));
  EXPECT_EQ(loop_.now(), Instant(seconds(3)));
}

TEST_F(StopTest, AChildThatIgnoresTermGetsKillAfterTheGrace) {
  const Result<ExitStatus> ended = stop_with("KILL");
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(ended.value().signal, 9);
  EXPECT_EQ(log_, (Log{"0 EOF", "2 TERM", "4 KILL"}));
}

TEST_F(StopTest, AChildThatSurvivesKillIsGivenUp) {
  const Result<ExitStatus> ended = stop_with("nothing");
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(loop_.now(), Instant(seconds(6)));
}

TEST_F(StopTest, AChildThatHasEndedIsLeftAlone) {
  StubbornChild child(loop_, "EOF");
  child.end(ExitStatus{3, 0});
  Task<Result<ExitStatus>> task = stop(loop_, child, seconds(2));
  task.start();
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.result().value().code, 3);
  EXPECT_TRUE(child.log.empty());
}

TEST_F(StopTest, DroppingItLeavesNothingBehind) {
  StubbornChild child(loop_, "nothing");
  {
    Task<Result<ExitStatus>> task = stop(loop_, child, seconds(2));
    task.start();
    EXPECT_FALSE(loop_.idle());
  }
  EXPECT_TRUE(loop_.idle());
  child.end(ExitStatus{});  // Must not wake what is gone.
}

TEST(ExitStatusTest, IsDescribedForPeople) {
  EXPECT_EQ(describe({3, 0}), "exit code 3");
  EXPECT_EQ(describe({0, 9}), "signal 9 (SIGKILL)");
  EXPECT_EQ(describe({0, 31}), "signal 31 (SIGSYS)");
  EXPECT_EQ(describe({0, 34}), "signal 34");
}

}  // namespace
}  // namespace plumbline::net
