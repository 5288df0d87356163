#include <chrono>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/command_line/discovery/tool_discovery.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::agents::command_line {
namespace {

TEST(RealDiscoveryTest, TheToolsOfThisMachineSayTheirVersions) {
  os::RealLoop loop;
  os::RealSpawner spawner(loop);
  os::RealPaths paths;
  CommandRunner runner(loop, spawner, {});
  Task<std::vector<FoundTool>> task =
      discover_tools(runner, loop, paths, {"/usr/local/bin", "/usr/bin", "/bin"}, known_tools());
  task.start();
  ASSERT_TRUE(os::run_within(loop, std::chrono::seconds(60), [&task] { return task.done(); }));
  for (const FoundTool& tool : task.result()) {
    if (tool.command != "git" && tool.command != "awk") continue;
    EXPECT_TRUE(tool.available) << tool.command;
    EXPECT_FALSE(tool.version.empty()) << tool.command;
  }
  Task<std::string> help = help_of(runner, known_tools().front(), "/usr/bin/git");
  help.start();
  ASSERT_TRUE(os::run_within(loop, std::chrono::seconds(20), [&help] { return help.done(); }));
  EXPECT_NE(help.result().find("usage: git"), std::string::npos) << help.result();
}

}  // namespace
}  // namespace plumbline::agents::command_line
