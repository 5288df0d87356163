#include "fakes/world/sim_spawner.h"

#include <gtest/gtest.h>

#include "fakes/testing/event_log.h"
#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

using net::Command;
using net::ExitStatus;
using net::Signal;

// A program that says what it reads, exits at the end of its input, and keeps its door to itself.
class Echo final : public Program, private net::PipeReader {
 public:
  Echo(SimPipe& stdio, Process& process, bool stubborn, bool& alive)
      : stdio_(stdio), process_(process), stubborn_(stubborn), alive_(alive) {
    alive_ = true;
    stdio.start(*this);
  }
  ~Echo() override { alive_ = false; }
  bool ignores_terminate() const override { return stubborn_; }

 private:
  void on_bytes(std::string_view bytes) override {
    process_.write_stderr(bytes);
    if (bytes == "die") return process_.exit({3, 0});
    stdio_.write(std::string(bytes));
  }
  void on_end(const Error*) override { process_.exit({}); }

  SimPipe& stdio_;
  Process& process_;
  bool stubborn_;
  bool& alive_;
};

class SimSpawnerTest : public testing::Test {
 protected:
  void start(bool stubborn = false) {
    spawner_.add("echo", {}, [this, stubborn](const Command&, SimPipe& stdio, Process& process) {
      return std::make_unique<Echo>(stdio, process, stubborn, alive_);
    });
    Result<std::unique_ptr<net::Child>> child = spawner_.spawn(Command({"echo", "-n"}));
    ASSERT_TRUE(child.ok());
    child_ = std::move(child).value();
    child_->stdio().start(log_);
    child_->on_exit([this] { ++exits_; });
  }
  void run() { ASSERT_TRUE(loop_.run_until_idle(10'000).ok()); }

  SimLoop loop_;
  EventLog events_;
  SimSpawner spawner_{loop_, Rng(1), events_};
  PipeLog log_;
  bool alive_ = false;
  int exits_ = 0;
  std::unique_ptr<net::Child> child_;
};

TEST_F(SimSpawnerTest, AProgramTalksOverItsStandardStreams) {
  start();
  child_->stdio().write("hello");
  run();
  EXPECT_EQ(log_.text, "hello");
  EXPECT_EQ(child_->stderr_tail(), "hello");
  EXPECT_FALSE(child_->exit_status());
}

TEST_F(SimSpawnerTest, ALongWriteToStderrEndsOnceItIsRead) {
  start();
  child_->stdio().write(std::string(3 * kStderrPipeBytes, 'x') + "end");
  run();
  EXPECT_EQ(child_->stderr_tail().size(), limits::kStderrBytesMax);
  EXPECT_TRUE(child_->stderr_tail().ends_with("xend"));
}

TEST_F(SimSpawnerTest, TheEndOfItsInputLetsItExitInOrder) {
  start();
  child_->stdio().close_write();
  EXPECT_EQ(exits_, 0);
  run();
  EXPECT_EQ(exits_, 1);
  EXPECT_FALSE(alive_);
  EXPECT_EQ(child_->exit_status(), ExitStatus());
  EXPECT_TRUE(log_.ended);
  EXPECT_FALSE(log_.error);
}

TEST_F(SimSpawnerTest, AnExitFromItsOwnCallbackClosesTheStreams) {
  start();
  child_->stdio().write("die");
  run();
  EXPECT_EQ(child_->exit_status(), (ExitStatus{3, 0}));
  EXPECT_TRUE(log_.ended);
  EXPECT_EQ(events_.lines, (std::vector<std::string>{
                               R"(0 connection echo {"state":"started"})",
                               R"(0 connection echo {"state":"exited","why":"exit code 3"})"}));
}

TEST_F(SimSpawnerTest, TerminateEndsAProgramFromTheLoop) {
  start();
  child_->signal(Signal::kTerminate);
  EXPECT_FALSE(child_->exit_status());
  run();
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, 15}));
  child_->signal(Signal::kKill);
  run();
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, 15}));
  EXPECT_EQ(exits_, 1);
}

TEST_F(SimSpawnerTest, AStubbornProgramNeedsAKill) {
  start(true);
  child_->signal(Signal::kTerminate);
  run();
  EXPECT_FALSE(child_->exit_status());
  child_->signal(Signal::kKill);
  run();
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, 9}));
}

TEST_F(SimSpawnerTest, StopClosesItsInputFirst) {
  start(true);
  Task<Result<ExitStatus>> stop = net::stop(loop_, *child_, std::chrono::seconds(2));
  ASSERT_TRUE(loop_.run_task(stop).ok());
  ASSERT_TRUE(stop.result().ok());
  EXPECT_EQ(stop.result().value(), ExitStatus());
}

TEST_F(SimSpawnerTest, OnlyTheTailOfStderrIsKept) {
  start();
  const std::size_t most = limits::kStderrBytesMax;
  child_->stdio().write(std::string(most, 'a'));
  child_->stdio().write("tail");
  run();
  EXPECT_EQ(child_->stderr_tail().size(), most);
  EXPECT_TRUE(child_->stderr_tail().ends_with("aaatail"));
  child_->stdio().write(std::string(3 * most, 'b'));
  run();
  EXPECT_EQ(child_->stderr_tail(), std::string(most, 'b'));
}

TEST_F(SimSpawnerTest, DroppingAChildEndsItsProgramAndLeavesTheLoopIdle) {
  start();
  child_->stdio().write("unheard");
  child_->signal(Signal::kTerminate);
  child_.reset();
  EXPECT_FALSE(alive_);
  EXPECT_TRUE(loop_.idle());
  EXPECT_EQ(exits_, 0);
}

TEST_F(SimSpawnerTest, WhatCannotBeStartedIsNamed) {
  spawner_.add("data", {}, [](const Command&, SimPipe&, Process&) { return nullptr; });
  EXPECT_EQ(spawner_.spawn(Command({"nope"})).error().message, "no program \"nope\" in PATH");
  EXPECT_EQ(spawner_.spawn(Command({"data"})).error().message, "\"data\" cannot be executed");
  EXPECT_EQ(spawner_.spawn(Command()).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(spawner_.spawned(), 0);
}

TEST_F(SimSpawnerTest, AFaultPlanIsShownEachNewLink) {
  std::vector<std::string> links;
  spawner_.on_link([&](const std::string& name, SimPipe& ours, SimPipe&) {
    links.push_back(name);
    ours.reset_after(2);
  });
  start();
  child_->stdio().write("hello");
  run();
  EXPECT_EQ(links, std::vector<std::string>{"echo"});
  EXPECT_EQ(log_.text, "he");
  EXPECT_TRUE(log_.error);
}

}  // namespace
}  // namespace plumbline::fakes
