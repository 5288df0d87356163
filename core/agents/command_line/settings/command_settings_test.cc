#include "core/agents/command_line/settings/command_settings.h"

#include <string>

#include <gtest/gtest.h>

#include "core/json/parse.h"

namespace plumbline::agents::command_line {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Words = std::vector<std::string>;

std::string wrong(const std::string& text) {
  const auto settings = read_settings(parse_json(text).value());
  return settings.ok() ? "" : settings.error().pointer + ": " + settings.error().message;
}

std::string wrong(const Variables& variables) {
  CommandSettings settings;
  const Status applied = apply_variables(variables, settings);
  return applied.ok() ? "" : applied.error().message;
}

TEST(CommandSettingsTest, WhatIsNotSaidIsAsTheDesignHasItAndAPersonApproves) {
  const CommandSettings settings;
  EXPECT_TRUE(settings.rules.enabled);
  EXPECT_TRUE(settings.rules.approval);
  EXPECT_EQ(settings.rules.programs, (Words{"git", "docker", "npm", "pytest", "curl"}));
  EXPECT_EQ(settings.rules.blocked, (Words{"rm -rf /", "mkfs", "dd", "shutdown"}));
  EXPECT_EQ(settings.limits.timeout, seconds(30));
  EXPECT_EQ(settings.limits.concurrent_max, 5U);
  EXPECT_FALSE(settings.remote.enabled);
  EXPECT_EQ(settings.remote.timeout, seconds(60));
  EXPECT_EQ(settings.checkpoints.backend, "sqlite");
  EXPECT_EQ(settings.checkpoints.path, "./data/checkpoints");
}

TEST(CommandSettingsTest, EveryVariableIsRead) {
  CommandSettings settings;
  const Status applied = apply_variables({{"CLI_EXECUTION_ENABLED", "false"},
                                          {"CLI_EXECUTION_TIMEOUT", "7"},
                                          {"CLI_MAX_CONCURRENT_COMMANDS", "2"},
                                          {"CLI_COMMAND_WHITELIST", "git, /opt/x,,"},
                                          {"CLI_COMMAND_BLACKLIST", "rm -rf /,dd"},
                                          {"REQUIRE_COMMAND_APPROVAL", "False"},
                                          {"REMOTE_CLI_ENABLED", "On"},
                                          {"REMOTE_CLI_SSH_KEY_PATH", "~/keys/id"},
                                          {"REMOTE_CLI_KNOWN_HOSTS_PATH", "/etc/hosts.known"},
                                          {"REMOTE_CLI_TIMEOUT", "9"},
                                          {"LANGGRAPH_CHECKPOINT_BACKEND", "memory"},
                                          {"LANGGRAPH_CHECKPOINT_PATH", "x"},
                                          {"LANGGRAPH_VERBOSE", "true"},
                                          {"HOME", "/home/ada"}},
                                         settings);
  ASSERT_TRUE(applied.ok()) << applied.error().message;
  EXPECT_FALSE(settings.rules.enabled);
  EXPECT_EQ(settings.limits.timeout, seconds(7));
  EXPECT_EQ(settings.limits.concurrent_max, 2U);
  EXPECT_EQ(settings.rules.programs, (Words{"git", "/opt/x"}));
  EXPECT_EQ(settings.rules.blocked, (Words{"rm -rf /", "dd"}));
  EXPECT_FALSE(settings.rules.approval);
  EXPECT_TRUE(settings.remote.enabled);
  EXPECT_EQ(settings.remote.key_path, "/home/ada/keys/id");
  EXPECT_EQ(settings.remote.known_hosts_path, "/etc/hosts.known");
  EXPECT_EQ(settings.remote.timeout, seconds(9));
  EXPECT_EQ(settings.checkpoints.backend, "memory");
  EXPECT_EQ(settings.checkpoints.path, "x");
  EXPECT_TRUE(settings.verbose);
}

TEST(CommandSettingsTest, AWrongVariableIsOneLine) {
  EXPECT_EQ(wrong({{"CLI_EXECUTION_ENABLED", "maybe"}}),
            "CLI_EXECUTION_ENABLED is \"maybe\", expected true or false");
  EXPECT_EQ(wrong({{"CLI_EXECUTION_TIMEOUT", "1.5"}}),
            "CLI_EXECUTION_TIMEOUT is \"1.5\", expected a whole number of seconds from 1 to 86400");
  EXPECT_EQ(wrong({{"CLI_MAX_CONCURRENT_COMMANDS", "0"}}),
            "CLI_MAX_CONCURRENT_COMMANDS is \"0\", expected a whole number from 1 to 1000");
  EXPECT_EQ(wrong({{"REMOTE_CLI_SSH_KEY_PATH", ""}}),
            "REMOTE_CLI_SSH_KEY_PATH is \"\", expected some text");
  for (const char* const nothing : {"", ",", " , "}) {
    EXPECT_EQ(wrong({{"CLI_COMMAND_BLACKLIST", nothing}}),
              "CLI_COMMAND_BLACKLIST is \"" + std::string(nothing) +
                  "\", expected what to block; where nothing is, \"blocked\": [] in the file says "
                  "so");
  }
  EXPECT_EQ(wrong({{"LANGGRAPH_CHECKPOINT_BACKEND", "redis"}}),
            "LANGGRAPH_CHECKPOINT_BACKEND is \"redis\", expected sqlite, postgres or memory");
}

TEST(CommandSettingsTest, AFileHasThemAllAndVariablesWin) {
  auto settings = read_settings(parse_json(R"({
      "plumbline_commands": 1, "audit": "~/audit.jsonl", "verbose": true,
      "local": {"enabled": true, "programs": ["ls"], "search_path": ["/bin"], "blocked": ["x"],
                "roots": ["/srv"], "env": {"A": "b"}, "pass_env": ["HOME", "NONE"],
                "request_env": ["CI"], "shell": "/bin/sh", "runs_anything": ["npm"],
                "approval": false, "timeout_ms": 1500,
                "grace_ms": 10, "concurrent_max": 3, "output_bytes_max": 1000, "sandbox": true,
                "bubblewrap": "/opt/bwrap"},
      "remote": {"enabled": true, "key": "k", "known_hosts": "h", "config": "c",
                 "timeout_ms": 5, "programs": ["df"]},
      "checkpoints": {"backend": "postgres", "path": "p"}})")
                                    .value());
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  CommandSettings& all = settings.value();
  ASSERT_TRUE(apply_variables({{"HOME", "/h"}, {"CLI_EXECUTION_TIMEOUT", "2"}}, all).ok());
  EXPECT_EQ(all.rules.programs, Words{"ls"});
  EXPECT_EQ(all.rules.search_path, Words{"/bin"});
  EXPECT_EQ(all.rules.blocked, Words{"x"});
  EXPECT_EQ(all.rules.roots, Words{"/srv"});
  EXPECT_EQ(all.rules.env, (Variables{{"A", "b"}, {"HOME", "/h"}}));
  EXPECT_EQ(all.rules.request_env, Words{"CI"});
  EXPECT_EQ(all.rules.shell, "/bin/sh");
  EXPECT_FALSE(all.rules.approval);
  EXPECT_EQ(all.limits.timeout, seconds(2));
  EXPECT_EQ(all.limits.grace, milliseconds(10));
  EXPECT_EQ(all.limits.concurrent_max, 3U);
  EXPECT_EQ(all.limits.output_bytes_max, 1'000U);
  EXPECT_TRUE(all.sandbox);
  EXPECT_EQ(all.rules.runs_anything, (Words{"npm"}));
  EXPECT_EQ(all.bubblewrap, "/opt/bwrap");
  EXPECT_EQ(all.audit_path, "/h/audit.jsonl");
  EXPECT_TRUE(all.remote.enabled);
  EXPECT_EQ(all.remote.programs, Words{"df"});
  EXPECT_EQ(all.remote.timeout, milliseconds(5));
  EXPECT_EQ(all.checkpoints.backend, "postgres");
}

TEST(CommandSettingsTest, MoreToolsAreLookedForAndKnownOnesOtherwise) {
  const auto settings = read_settings(parse_json(R"({
      "plumbline_commands": 1,
      "tools": [{"command": "terraform", "version": ["version"], "help": ["-help"]},
                {"command": "git", "version": ["version"]}, {"command": "make"}]})")
                                          .value());
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  const std::vector<ToolProbe>& tools = settings.value().tools;
  ASSERT_EQ(tools.size(), known_tools().size() + 2);
  EXPECT_EQ(tools.front().command, "git");
  EXPECT_EQ(tools.front().version, Words{"version"});
  EXPECT_EQ(tools.back().command, "make");
  EXPECT_EQ(tools.back().version, Words{"--version"});
  EXPECT_EQ(tools[tools.size() - 2].help, Words{"-help"});
  EXPECT_EQ(wrong(R"({"plumbline_commands": 1, "tools": [{"command": "./x"}]})"),
            "/tools/0/command: expected the name of a program, without a path");
  EXPECT_EQ(wrong(R"({"plumbline_commands": 1, "tools": [{}]})"),
            "/tools/0: a tool has no \"command\", expected a string");
}

TEST(CommandSettingsTest, AWrongFileIsOneLineWithItsPlace) {
  EXPECT_EQ(wrong("{}"), ": the settings of commands has no \"plumbline_commands\", expected 1");
  EXPECT_EQ(wrong(R"({"plumbline_commands": 1, "local": {"programs": "git"}})"),
            "/local/programs: \"programs\" is a string, expected an array of strings");
  EXPECT_EQ(wrong(R"({"plumbline_commands": 1, "local": {"env": {"A": 1}}})"),
            "/local/env/A: here is a number, expected a string");
  EXPECT_EQ(
      wrong(R"({"plumbline_commands": 1, "local": {"concurrent_max": 0}})"),
      "/local/concurrent_max: \"concurrent_max\" is 0, expected a whole number from 1 to 1000");
  EXPECT_NE(wrong(R"({"plumbline_commands": 1, "remote": {"keys": "x"}})").find("\"keys\""),
            std::string::npos);
  EXPECT_NE(
      wrong(R"({"plumbline_commands": 1, "checkpoints": {"backend": "redis"}})").find("redis"),
      std::string::npos);
}

}  // namespace
}  // namespace plumbline::agents::command_line
