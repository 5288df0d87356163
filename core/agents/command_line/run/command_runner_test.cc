#include "core/agents/command_line/run/command_runner.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/command_line/run/output_keeper.h"
#include "core/agents/command_line/run/sandbox.h"
#include "core/base/task_group.h"
#include "fakes/shell/fake_shell.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::agents::command_line {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class CommandRunnerTest : public testing::Test {
 protected:
  CommandResult run(std::vector<std::string> argv, RunLimits limits = {}) {
    CommandRunner runner(loop_, spawner_, limits);
    Task<CommandResult> task = runner.run(net::Command(std::move(argv)), "x", limits.timeout);
    task.start();
    EXPECT_TRUE(loop_.run_until_idle(100'000).ok());
    EXPECT_TRUE(task.done());
    EXPECT_EQ(shell_.at_work(), 0U);
    return std::move(task.result());
  }

  fakes::SimLoop loop_;
  fakes::EventLog events_;
  fakes::SimSpawner spawner_{loop_, Rng(1), events_};
  fakes::FakeShell shell_{loop_, spawner_};
};

TEST_F(CommandRunnerTest, ACommandThatEndsWithZeroIsASuccess) {
  shell_.add({"git", "status"}, {.out = "clean\n", .err = "hint", .takes = milliseconds(70)});
  const CommandResult result = run({"git", "status"});
  EXPECT_EQ(to_json(result), Json({{"command", "x"},
                                   {"status", "success"},
                                   {"stdout", "clean\n"},
                                   {"stderr", "hint"},
                                   {"return_code", 0},
                                   {"duration_ms", 70},
                                   {"truncated", false}}));
}

TEST_F(CommandRunnerTest, AnotherEndIsAnErrorThatSaysWhich) {
  shell_.add({"false"}, {.ends_with = {3, 0}});
  shell_.add({"crash"}, {.ends_with = {0, 11}});
  EXPECT_EQ(run({"false"}).error, "it ended with exit code 3");
  EXPECT_EQ(run({"false"}).return_code, 3);
  EXPECT_EQ(run({"crash"}).error, "it ended with signal 11 (SIGSEGV)");
  EXPECT_EQ(run({"crash"}).return_code, -11);
  const CommandResult none = run({"none"});
  EXPECT_EQ(none.status, CommandStatus::kError);
  EXPECT_EQ(none.error, "no program \"none\" in PATH");
  EXPECT_FALSE(none.return_code);
}

TEST_F(CommandRunnerTest, WhatHangsIsTerminatedAfterItsTime) {
  shell_.add({"sleep"}, {.out = "so far", .hangs = true});
  const CommandResult result = run({"sleep"});
  EXPECT_EQ(result.status, CommandStatus::kTimeout);
  EXPECT_EQ(result.error, "it was stopped after 30000 ms");
  EXPECT_EQ(result.return_code, -15);
  EXPECT_EQ(result.out, "so far");
  EXPECT_EQ(result.duration_ms, 30'000);
}

TEST_F(CommandRunnerTest, WhatIgnoresThatIsKilledOneGraceLater) {
  shell_.add({"stubborn"}, {.hangs = true, .ignores_terminate = true});
  const CommandResult result = run({"stubborn"});
  EXPECT_EQ(result.status, CommandStatus::kTimeout);
  EXPECT_EQ(result.return_code, -9);
  EXPECT_EQ(result.duration_ms, 32'000);
}

TEST_F(CommandRunnerTest, WhatEndsWellWhenItIsTerminatedWasTooLateAllTheSame) {
  shell_.add({"slow"}, {.takes = milliseconds(30'001), .ignores_terminate = true});
  const CommandResult result = run({"slow"});
  EXPECT_EQ(result.status, CommandStatus::kTimeout);
  EXPECT_EQ(result.return_code, 0);
}

TEST_F(CommandRunnerTest, AFloodIsCutInTheMiddleAndSaysSo) {
  shell_.add({"yes"}, {.out = "begin", .hangs = true, .flood_bytes = 10'000});
  const CommandResult result = run({"yes"}, {.timeout = seconds(1), .output_bytes_max = 1'000});
  EXPECT_TRUE(result.truncated);
  EXPECT_TRUE(result.out.starts_with("beginyyy"));
  EXPECT_NE(result.out.find("y\n[... 1000"), std::string::npos) << result.out;
  EXPECT_LT(result.out.size(), 1'050U);
}

TEST_F(CommandRunnerTest, AtMostSoManyRunAtOneTimeAndTheOthersInTheirOrder) {
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    shell_.add({name}, {.takes = milliseconds(10)});
  }
  CommandRunner runner(loop_, spawner_, {.concurrent_max = 2});
  std::vector<Task<CommandResult>> tasks;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    tasks.push_back(runner.run(net::Command({name}), name, seconds(1)));
    tasks.back().start();
  }
  EXPECT_EQ(shell_.ran().size(), 2U);
  EXPECT_TRUE(loop_.run_until_idle(10'000).ok());
  EXPECT_EQ(shell_.at_work_max(), 2U);
  std::string order;
  for (const net::Command& command : shell_.ran()) order += command.argv.front();
  EXPECT_EQ(order, "abcde");
  for (Task<CommandResult>& task : tasks) EXPECT_EQ(task.result().duration_ms, 10);
}

TEST_F(CommandRunnerTest, DroppingARunEndsTheCommandAndFreesItsPlace) {
  shell_.add({"sleep"}, {.hangs = true});
  shell_.add({"next"}, {});
  CommandRunner runner(loop_, spawner_, {.concurrent_max = 1});
  Task<CommandResult> first = runner.run(net::Command({"sleep"}), "first", seconds(9));
  first.start();
  Task<CommandResult> second = runner.run(net::Command({"next"}), "second", seconds(9));
  second.start();
  first.drop();
  EXPECT_TRUE(loop_.run_until_idle(10'000).ok());
  EXPECT_EQ(second.result().status, CommandStatus::kSuccess);
  EXPECT_EQ(shell_.at_work(), 0U);
}

TEST(OutputKeeperTest, WhateverThePiecesTheSameIsKept) {
  std::string all;
  for (int i = 0; all.size() < 1'000; ++i) all += std::to_string(i) + " ";
  for (const std::size_t piece : {1U, 7U, 64U, 999U, 5'000U}) {
    OutputKeeper keeper(100);
    for (std::size_t at = 0; at < all.size(); at += piece) keeper.append(all.substr(at, piece));
    EXPECT_EQ(keeper.cut_bytes(), all.size() - 100);
    EXPECT_EQ(keeper.text(),
              all.substr(0, 50) + cut_mark(all.size() - 100) + all.substr(all.size() - 50));
  }
  OutputKeeper whole(all.size());
  whole.append(all);
  EXPECT_EQ(whole.text(), all);
}

TEST(CommandResultTest, GoesThroughJsonAndBack) {
  CommandResult result{"ls", CommandStatus::kTimeout, "a\xff", "b", -9, 7, true, "why", true};
  const Json json = to_json(result);
  result.out = "a\xef\xbf\xbd";
  const std::optional<CommandResult> back = result_from_json(json);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back), json);
  EXPECT_EQ(back->out, result.out);
  EXPECT_EQ(back->return_code, -9);
  EXPECT_TRUE(back->outcome_unknown);
  EXPECT_FALSE(result_from_json(Json({{"command", "x"}, {"status", "fine"}})));
}

TEST(SandboxTest, OnlyTheFolderMayBeWrittenAndTheWordsStay) {
  net::Command command({"git", "a b", "--bind", "c"});
  command.program = "/usr/bin/git";
  command.cwd = "/srv/project";
  command.env = {{"LANG", "C"}};
  const net::Command inside = sandboxed(command, "/usr/bin/bwrap");
  EXPECT_EQ(inside.program, "/usr/bin/bwrap");
  EXPECT_EQ(inside.env, command.env);
  const auto end = std::ranges::find(inside.argv, "--");
  EXPECT_EQ(std::vector<std::string>(end, inside.argv.end()),
            (std::vector<std::string>{"--", "/usr/bin/git", "a b", "--bind", "c"}));
  const auto bind = std::find(inside.argv.begin(), end, "--bind");
  ASSERT_LT(bind + 2, end);
  EXPECT_EQ(bind[1], "/srv/project");
  EXPECT_EQ(bind[2], "/srv/project");
  EXPECT_EQ(std::find(bind + 1, end, "--bind"), end);
}

}  // namespace
}  // namespace plumbline::agents::command_line
