#include "core/agents/command_line/discovery/tool_discovery.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/command_line/command_fixture.h"

namespace plumbline::agents::command_line {
namespace {

TEST(ToolDiscoveryTest, WhatIsThereIsAskedAndWhatHangsKeepsNobodyWaiting) {
  CommandWorld world;
  world.paths.program("/usr/bin/jq");
  world.shell.add({"git", "--version"}, {.out = "git version 2.39.5\n"});
  world.shell.add({"jq"}, {.err = "jq-1.6\n", .ends_with = {2, 0}});
  Task<std::vector<FoundTool>> task =
      discover_tools(world.runner, world.loop, world.paths, {"/usr/local/bin", "/usr/bin"},
                     {{"git"}, {"npm"}, {"jq"}, {"ruff"}});
  task.start();
  ASSERT_TRUE(world.loop.run_until_idle(10'000).ok());
  Json found = Json::array();
  for (const FoundTool& tool : task.result()) found.push_back(to_json(tool));
  EXPECT_EQ(found, parse_json(R"([
      {"command": "git", "available": true, "version": "2.39.5", "path": "/usr/bin/git"},
      {"command": "npm", "available": true, "version": null, "path": "/usr/bin/npm"},
      {"command": "jq", "available": true, "version": "1.6", "path": "/usr/bin/jq"},
      {"command": "ruff", "available": false, "version": null, "path": null}])")
                       .value());
  EXPECT_EQ(world.loop.now().time_since_epoch(), std::chrono::seconds(5));
  EXPECT_EQ(world.shell.ran().front().env.at("HOME"), "/nonexistent");
}

TEST(ToolDiscoveryTest, VersionsAreFoundInWhatToolsSay) {
  EXPECT_EQ(version_in("git version 2.39.5\n"), "2.39.5");
  EXPECT_EQ(version_in("Docker version 28.2.2, build e6534b4"), "28.2.2");
  EXPECT_EQ(version_in("Client Version: v1.30.0-beta.1\nKustomize"), "1.30.0-beta.1");
  EXPECT_EQ(version_in("11.19.1\n"), "11.19.1");
  EXPECT_EQ(version_in("jq-1.6"), "1.6");
  EXPECT_EQ(version_in("usage: x [-y 3]"), "");
}

TEST(ToolDiscoveryTest, EveryToolOfTheDesignIsLookedFor) {
  std::string names;
  for (const ToolProbe& probe : known_tools()) names += probe.command + " ";
  EXPECT_EQ(names, "git docker kubectl npm yarn pip pytest ruff black curl jq awk ");
}

}  // namespace
}  // namespace plumbline::agents::command_line
