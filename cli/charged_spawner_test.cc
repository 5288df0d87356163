#include "cli/charged_spawner.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/command_line/run/command_runner.h"
#include "core/mcp/transport/stdio_connector.h"
#include "fakes/shell/fake_shell.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::cli {
namespace {

using agents::command_line::CommandResult;
using agents::command_line::CommandRunner;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Whichever process there is no room for: it alone is not started, and says so in one line, and all
// the room is there again when the others have ended.
TEST(ChargedSpawnerTest, EachChargeIsRefusedInItsTurn) {
  fakes::SimLoop loop;
  fakes::EventLog events;
  fakes::SimSpawner spawner(loop, Rng(1), events);
  fakes::FakeShell shell(loop, spawner);
  const std::vector<std::string> names = {"a", "b", "c"};
  for (const std::string& name : names) shell.add({name}, {.takes = milliseconds(10)});
  for (std::uint64_t refused = 1; refused <= names.size(); ++refused) {
    Budget budget(Amounts().set(Resource::kProcesses, names.size()));
    budget.refuse_at(refused);
    ChargedSpawner charged(spawner, budget);
    CommandRunner runner(loop, charged, {});
    std::vector<Task<CommandResult>> tasks;
    for (const std::string& name : names) {
      tasks.push_back(runner.run(net::Command({name}), name, seconds(1)));
      tasks.back().start();
    }
    EXPECT_EQ(budget.taken(Resource::kProcesses), names.size() - 1);
    EXPECT_TRUE(loop.run_until_idle(10'000).ok());
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(tasks[i].result().error, i + 1 != refused
                                             ? ""
                                             : "cannot start \"" + names[i] +
                                                   "\": "
                                                   "the budget of 3 processes is spent, and this "
                                                   "one may start when another has ended");
    }
    tasks.clear();
    EXPECT_EQ(budget.charges(), names.size());
    EXPECT_EQ(budget.taken(Resource::kProcesses), 0U);
  }
}

// A server is refused in the same words, and has its room back when its connection goes.
TEST(ChargedSpawnerTest, AServerBeyondTheBudgetIsNotStarted) {
  fakes::SimLoop loop;
  fakes::EventLog events;
  fakes::SimSpawner spawner(loop, Rng(1), events);
  fakes::FakeShell shell(loop, spawner);
  shell.add({"server"}, {.hangs = true});
  Budget budget(Amounts().set(Resource::kProcesses, 1));
  ChargedSpawner charged(spawner, budget);
  transport::StdioConnector connector(loop, charged, {{"a", net::Command({"server"})}}, seconds(1));
  for (int time = 0; time < 2; ++time) {
    Task<Result<std::unique_ptr<transport::Connection>>> first = connector.connect("a");
    first.start();
    ASSERT_TRUE(first.done() && first.result().ok());
    Task<Result<std::unique_ptr<transport::Connection>>> second = connector.connect("a");
    second.start();
    ASSERT_TRUE(second.done() && !second.result().ok());
    EXPECT_EQ(second.result().error().code, ErrorCode::kLimitReached);
    EXPECT_TRUE(second.result().error().message.starts_with("cannot start \"server\": the budget"));
  }
  EXPECT_EQ(budget.taken(Resource::kProcesses), 0U);
}

}  // namespace
}  // namespace plumbline::cli
