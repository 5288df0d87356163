// The runner with real processes: how they misbehave, and what is left of them.

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/run/command_runner.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::agents::command_line {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RealCommandsTest : public testing::Test {
 protected:
  RealCommandsTest() {
    rules_.programs = {"env", "cat", "sh", "git", "pwd", "printf"};
    rules_.roots = {folder_.path()};
    rules_.shell = "/bin/sh";
  }

  Permit permit(const CommandRequest& request) {
    Result<CommandPolicy> policy = CommandPolicy::make(rules_, paths_);
    EXPECT_TRUE(policy.ok()) << policy.error().message;
    Result<Permit, Refusal> permit = policy.value().permit(request);
    EXPECT_TRUE(permit.ok()) << permit.error().why;
    return std::move(permit).value();
  }

  CommandResult run(net::Command command, Duration timeout = seconds(20)) {
    CommandRunner runner(loop_, spawner_, {.grace = milliseconds(100)});
    Task<CommandResult> task = runner.run(std::move(command), "x", timeout);
    task.start();
    EXPECT_TRUE(os::run_within(loop_, seconds(60), [&task] { return task.done(); }));
    return std::move(task.result());
  }
  CommandResult run_line(std::string line) {
    return run(permit({std::move(line), {}, {}, false}).command);
  }
  CommandResult run_shell(std::string line, Duration timeout = seconds(20)) {
    return run(permit({std::move(line), {}, {}, true}).command, timeout);
  }

  // stopped_shell runs what never ends by itself, until its time is over and it has said something:
  // it gets more time where it did not come to that.
  CommandResult stopped_shell(const std::string& line) {
    Duration timeout = milliseconds(200);
    CommandResult result = run_shell(line, timeout);
    while (result.out.empty() && timeout < seconds(30)) {
      timeout *= 2;
      result = run_shell(line, timeout);
    }
    return result;
  }

  static bool lives(const std::string& pid) { return ::kill(std::stoi(pid), 0) == 0; }

  os::RealLoop loop_;
  os::RealSpawner spawner_{loop_};
  os::RealPaths paths_;
  os::TemporaryFolder folder_ = std::move(os::TemporaryFolder::make()).value();
  CommandRules rules_;
};

TEST_F(RealCommandsTest, TheEnvironmentIsWhatIsNamedAndNothingElse) {
  rules_.env = {{"GIVEN", "a b"}};
  EXPECT_EQ(run_line("env").out, "GIVEN=a b\nPATH=/usr/local/bin:/usr/bin:/bin\n");
}

TEST_F(RealCommandsTest, NoShellTouchesTheWords) {
  const CommandResult result = run_line(R"(printf '<%s>' '$HOME' "a;b" \* 'c d' '')");
  EXPECT_EQ(result.out, "<$HOME><a;b><*><c d><>");
  EXPECT_EQ(result.status, CommandStatus::kSuccess);
}

TEST_F(RealCommandsTest, ItStartsInItsFolderAndItsInputIsAtItsEnd) {
  EXPECT_EQ(run_line("pwd").out, std::filesystem::canonical(folder_.path()).string() + "\n");
  const CommandResult cat = run_line("cat");
  EXPECT_EQ(cat.status, CommandStatus::kSuccess);
  EXPECT_EQ(cat.out, "");
}

TEST_F(RealCommandsTest, WhatSleepsIsStoppedInTime) {
  const CommandResult result = run_shell("sleep 300", milliseconds(200));
  EXPECT_EQ(result.status, CommandStatus::kTimeout);
  EXPECT_EQ(result.return_code, -15);
}

TEST_F(RealCommandsTest, WhatIgnoresSigtermIsKilled) {
  const CommandResult result = stopped_shell("trap '' TERM; echo up; while :; do sleep 1; done");
  EXPECT_EQ(result.status, CommandStatus::kTimeout);
  EXPECT_EQ(result.return_code, -9);
  EXPECT_EQ(result.out, "up\n");
}

TEST_F(RealCommandsTest, AGrandchildThatHoldsTheOutputKeepsNobodyWaitingAndDoesNotSurvive) {
  const CommandResult result = run_shell("sleep 300 & echo $!");
  EXPECT_EQ(result.status, CommandStatus::kSuccess);
  ASSERT_FALSE(result.out.empty());
  EXPECT_FALSE(lives(result.out));
}

TEST_F(RealCommandsTest, NeitherDoesOneThatLeftForASessionOfItsOwn) {
  const CommandResult result =
      run_shell("setsid sh -c 'echo $$; touch up; exec sleep 300' & until [ -e up ]; do :; done");
  ASSERT_FALSE(result.out.empty());
  EXPECT_FALSE(lives(result.out));
}

TEST_F(RealCommandsTest, AGrandchildThatIgnoresSigtermIsKilledAfterATimeout) {
  const CommandResult result =
      stopped_shell("sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait");
  EXPECT_EQ(result.status, CommandStatus::kTimeout);
  ASSERT_FALSE(result.out.empty());
  EXPECT_FALSE(lives(result.out));
}

TEST_F(RealCommandsTest, FloodsOnBothStreamsAreCutAndCounted) {
  const CommandResult result = run_shell(
      "head -c 3000000 /dev/zero | tr '\\0' y; head -c 500000 /dev/zero | tr '\\0' e >&2");
  EXPECT_EQ(result.status, CommandStatus::kSuccess);
  EXPECT_TRUE(result.truncated);
  EXPECT_NE(result.out.find("[... 2934464 bytes cut ...]"), std::string::npos);
  EXPECT_TRUE(result.err.starts_with("\n[... 434464 bytes cut ...]\neee"))
      << result.err.substr(0, 40);
  const CommandResult endless = run_shell("yes", milliseconds(300));
  EXPECT_EQ(endless.status, CommandStatus::kTimeout);
  EXPECT_TRUE(endless.truncated);
  EXPECT_LT(endless.out.size(), 70'000U);
}

TEST_F(RealCommandsTest, AnEndByASignalIsTold) {
  EXPECT_EQ(run_shell("kill -SEGV $$").error, "it ended with signal 11 (SIGSEGV)");
  EXPECT_EQ(run_shell("exit 7").return_code, 7);
}

}  // namespace
}  // namespace plumbline::agents::command_line
