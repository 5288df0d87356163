#include "core/os/posix/child/real_child.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/mcp/transport/stdio_channel.h"
#include "core/net/spawner.h"
#include "core/os/child/real_spawner.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::os {
namespace {

using net::Child;
using net::Command;
using net::ExitStatus;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Every test runs with both ways to see the end of a child.
class RealChildTest : public testing::TestWithParam<ExitWatching> {
 protected:
  // start spawns `argv` and reads what it says.
  void start(std::vector<std::string> argv) {
    Result<std::unique_ptr<Child>> spawned = spawner_.spawn(Command(std::move(argv)));
    ASSERT_TRUE(spawned.ok()) << spawned.error().message;
    child_ = std::move(spawned).value();
    child_->stdio().start(reader_);
  }
  void start_shell(const std::string& script) { start({"sh", "-c", script}); }

  bool wait_for_output(std::string_view text) {
    return run_within(loop_, seconds(10), [&] { return reader_.bytes == text; });
  }
  bool wait_for_exit() {
    return run_within(loop_, seconds(10), [&] { return child_->exit_status().has_value(); });
  }
  bool wait_for_end() {
    return run_within(loop_, seconds(10), [&] { return reader_.ended; });
  }

  // wait_for_number returns the number of a process that the child prints on its first line.
  pid_t wait_for_number() {
    run_within(loop_, seconds(10), [&] { return reader_.bytes.ends_with('\n'); });
    return std::atoi(reader_.bytes.c_str());
  }

  pid_t pid() const { return static_cast<const RealChild&>(*child_).pid(); }

  RealLoop loop_;
  RealSpawner spawner_{loop_, GetParam()};
  RecordingReader reader_;
  std::unique_ptr<Child> child_;
};

bool exists(pid_t pid) { return kill(pid, 0) == 0; }

bool no_child_is_left() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

TEST_P(RealChildTest, EchoesThroughCatAndEndsAtEof) {
  start({"cat"});
  child_->stdio().write("hello\n");
  ASSERT_TRUE(wait_for_output("hello\n"));
  EXPECT_EQ(child_->exit_status(), std::nullopt);
  child_->stdio().close_write();
  ASSERT_TRUE(wait_for_exit());
  EXPECT_EQ(child_->exit_status(), ExitStatus{});
  EXPECT_TRUE(wait_for_end());
  EXPECT_FALSE(reader_.broken_by.has_value());
}

TEST_P(RealChildTest, TheExitCodeIsTold) {
  start_shell("exit 3");
  ASSERT_TRUE(wait_for_exit());
  EXPECT_EQ(child_->exit_status(), (ExitStatus{3, 0}));
}

TEST_P(RealChildTest, ASignalThatEndedItIsTold) {
  start({"sleep", "100"});
  kill(pid(), SIGKILL);
  ASSERT_TRUE(wait_for_exit());
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, SIGKILL}));
}

TEST_P(RealChildTest, WhatItSaidLastIsDeliveredBeforeItsExit) {
  start_shell("echo last words; echo complaint >&2; exit 1");
  // It ends before the loop looks at anything, so its exit may well be seen first.
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid()), &info, WEXITED | WNOWAIT), 0);
  usleep(20'000);
  std::string seen;
  bool told = false;
  child_->on_exit([&] {
    told = true;
    seen = reader_.bytes + child_->stderr_tail() + (reader_.ended ? "ended" : "open");
  });
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return told; }));
  EXPECT_EQ(seen, "last words\ncomplaint\nended");
}

TEST_P(RealChildTest, OnExitIsCalledOnceAlsoWhenItIsNamedLate) {
  start_shell("exit 0");
  ASSERT_TRUE(wait_for_exit());
  int calls = 0;
  child_->on_exit([&] { ++calls; });
  EXPECT_EQ(calls, 0);
  run_within(loop_, milliseconds(30), [] { return false; });
  EXPECT_EQ(calls, 1);
}

TEST_P(RealChildTest, ItMayBeDestroyedByWhatItCalls) {
  start_shell("exit 0");
  child_->on_exit([this] { child_.reset(); });
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return child_ == nullptr; }));
  start_shell("echo x; sleep 100");
  reader_.on_more = [this] { child_.reset(); };
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return child_ == nullptr; }));
  reader_.on_more = [] {};
  start_shell("exit 0");
  reader_.on_ended = [this] { child_.reset(); };
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return child_ == nullptr; }));
  EXPECT_TRUE(no_child_is_left());
}

TEST_P(RealChildTest, AMebibyteOfStderrDoesNotFreezeItAndItsEndIsKept) {
  start_shell("head -c 1048576 /dev/zero | tr '\\0' 'x' >&2; echo end >&2; echo done");
  ASSERT_TRUE(wait_for_output("done\n"));
  ASSERT_TRUE(wait_for_exit());
  EXPECT_EQ(child_->stderr_tail().size(), limits::kStderrBytesMax);
  EXPECT_TRUE(child_->stderr_tail().ends_with("xxend\n"));
}

TEST_P(RealChildTest, DestroyingItLeavesNoZombie) {
  start({"sleep", "100"});
  const pid_t number = pid();
  child_.reset();
  EXPECT_FALSE(exists(number));
  EXPECT_EQ(waitpid(number, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_P(RealChildTest, DestroyingItEndsItsGrandchildren) {
  start_shell("sleep 100 & echo $!; wait");
  const pid_t grandchild = wait_for_number();
  ASSERT_GT(grandchild, 0);
  ASSERT_TRUE(exists(grandchild));
  child_.reset();
  EXPECT_FALSE(exists(grandchild));
  EXPECT_TRUE(no_child_is_left());
}

TEST_P(RealChildTest, AnOrphanInItsGroupEndsWithItToo) {
  start_shell("sleep 100 & echo $!");
  const pid_t orphan = wait_for_number();
  ASSERT_TRUE(wait_for_exit());
  ASSERT_TRUE(exists(orphan));
  child_.reset();
  EXPECT_FALSE(exists(orphan));
  EXPECT_TRUE(no_child_is_left());
}

TEST_P(RealChildTest, OneThatLeftItsGroupForOursEndsToo) {
  start({"perl", "-e", "setpgrp(0, $ARGV[0]); $| = 1; print \"here\\n\"; sleep 100",
         std::to_string(getpgrp())});
  ASSERT_TRUE(wait_for_output("here\n"));
  const pid_t number = pid();
  ASSERT_EQ(getpgid(number), getpgrp());
  child_->signal(net::Signal::kTerminate);
  ASSERT_TRUE(wait_for_exit());
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, SIGTERM}));
  child_.reset();
  EXPECT_FALSE(exists(number));
  EXPECT_TRUE(no_child_is_left());
}

TEST_P(RealChildTest, AnOrphanInASessionOfItsOwnEndsWithTheLastChild) {
  start_shell("setsid sleep 100 & echo $!");
  const pid_t orphan = wait_for_number();
  ASSERT_TRUE(wait_for_exit());
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return getsid(orphan) == orphan; }));
  std::unique_ptr<Child> other = std::move(spawner_.spawn(Command({"cat"}))).value();
  child_.reset();
  EXPECT_TRUE(exists(orphan)) << "it may be of use to the other one";
  other.reset();
  EXPECT_FALSE(exists(orphan));
  EXPECT_TRUE(no_child_is_left());
}

TEST_P(RealChildTest, OrphansThatLeaveOrphansEndToo) {
  start_shell("setsid sh -c 'setsid sleep 100 & setsid sleep 100 & sleep 100' & echo $!");
  ASSERT_GT(wait_for_number(), 0);
  ASSERT_TRUE(wait_for_exit());
  child_.reset();
  EXPECT_TRUE(no_child_is_left());
}

TEST_P(RealChildTest, AGrandchildThatHoldsStdoutOpenDoesNotHoldUsUp) {
  start_shell("sleep 1000 & echo started");
  ASSERT_TRUE(wait_for_exit());
  ASSERT_TRUE(wait_for_end());
  EXPECT_EQ(reader_.bytes, "started\n");
}

TEST_P(RealChildTest, AGrandchildThatNeverStopsTalkingDoesNotHoldUsUp) {
  start_shell("yes & exit 0");
  ASSERT_TRUE(wait_for_exit());
  EXPECT_TRUE(wait_for_end());
}

TEST_P(RealChildTest, SignalsReachTheWholeGroup) {
  start_shell("sleep 100 & echo $!; wait");
  const pid_t grandchild = wait_for_number();
  child_->signal(net::Signal::kTerminate);
  ASSERT_TRUE(wait_for_exit());
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, SIGTERM}));
  child_.reset();
  EXPECT_FALSE(exists(grandchild));
}

TEST_P(RealChildTest, WritingToOneThatIsGoneEndsTheStream) {
  start_shell("exec <&-; echo closed; sleep 100");
  ASSERT_TRUE(wait_for_output("closed\n"));
  child_->stdio().write("anybody there?\n");
  ASSERT_TRUE(wait_for_end());
  ASSERT_TRUE(reader_.broken_by.has_value());
  EXPECT_EQ(reader_.broken_by->code, ErrorCode::kDisconnected);
}

TEST_P(RealChildTest, StopOfAnObedientChildNeedsOnlyEof) {
  start({"cat"});
  const auto ended = run(loop_, net::stop(loop_, *child_, seconds(5)));
  ASSERT_TRUE(ended.has_value() && ended->ok());
  EXPECT_EQ(ended->value(), ExitStatus{});
}

TEST_P(RealChildTest, StopOfAChildThatIgnoresEofAndTermEndsInKill) {
  start_shell("trap '' TERM; echo ready; while :; do sleep 100; done");
  ASSERT_TRUE(wait_for_output("ready\n"));
  const auto ended = run(loop_, net::stop(loop_, *child_, milliseconds(100)));
  ASSERT_TRUE(ended.has_value() && ended->ok());
  EXPECT_EQ(ended->value(), (ExitStatus{0, SIGKILL}));
  child_.reset();
  EXPECT_TRUE(no_child_is_left());
}

// Messages counts what a channel delivers.
struct Messages final : transport::MessageReceiver {
  void on_message(Json message) override { received.push_back(std::move(message)); }
  void on_garbage(std::string_view, const Error& error) override { garbage.push_back(error.code); }
  void on_closed(const Error*) override { closed = true; }

  std::vector<Json> received;
  std::vector<ErrorCode> garbage;
  bool closed = false;
};

TEST_P(RealChildTest, MessagesTravelThroughAChannelBothWays) {
  auto spawned = spawner_.spawn(Command({"cat"}));
  ASSERT_TRUE(spawned.ok());
  transport::StdioChannel channel(spawned.value()->stdio());
  Messages messages;
  channel.start(messages);
  for (int i = 0; i < 1000; ++i) channel.send(Json{{"id", i}});
  channel.close_send();
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return messages.closed; }));
  ASSERT_EQ(messages.received.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(messages.received[i], (Json{{"id", i}}));
}

TEST_P(RealChildTest, AnEndlessLineIsBoundedAndWhatFollowsArrives) {
  auto spawned = spawner_.spawn(Command({"sh", "-c", "head -c 4000000 /dev/zero; echo; echo 7"}));
  ASSERT_TRUE(spawned.ok());
  transport::StdioChannel channel(spawned.value()->stdio(), 100'000);
  Messages messages;
  channel.start(messages);
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return messages.closed; }));
  EXPECT_EQ(messages.garbage, std::vector<ErrorCode>{ErrorCode::kLimitReached});
  EXPECT_EQ(messages.received, std::vector<Json>{Json(7)});
}

INSTANTIATE_TEST_SUITE_P(BothWays, RealChildTest,
                         testing::Values(ExitWatching::kDescriptor, ExitWatching::kPolling),
                         [](const auto& way) {
                           return way.param == ExitWatching::kDescriptor ? "Descriptor" : "Polling";
                         });

}  // namespace
}  // namespace plumbline::os
