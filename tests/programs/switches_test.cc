// Switches and lists of the environment and of files, as the program takes them.

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

using Names = std::set<std::string>;

class SwitchesProgramTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("model.json", R"({"turns": [{"role": "user", "always": true, "text": "hello"}]})");
    write("in", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{)"
                R"("protocolVersion":"2025-11-25","capabilities":{},)"
                R"("clientInfo":{"name":"x","version":"1"}}})"
                "\n"
                R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                "\n"
                R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
                "\n");
  }

  // offered returns which tools that run commands `agents serve` offers, with these variables
  // ("A=b C=d") and options.
  Names offered(const std::string& variables, const std::string& options = "") {
    const Outcome outcome =
        shell("env -u CLI_EXECUTION_ENABLED -u REMOTE_CLI_ENABLED " + variables +
              " \"$1\" agents serve --stdio --model-script model.json " + options + " <in");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    Names names;
    for (const char* const name : {"cli_execute", "remote_cli", "discover_cli_tools"}) {
      if (outcome.out.find("\"" + std::string(name) + "\"") != std::string::npos) {
        names.insert(name);
      }
    }
    return names;
  }
};

const Names kLocal = {"cli_execute", "discover_cli_tools"};
const Names kRemote = {"remote_cli"};
const Names kBoth = {"cli_execute", "discover_cli_tools", "remote_cli"};

TEST_F(SwitchesProgramTest, EachTurnsOnItsOwnCommandsAndNoOthers) {
  EXPECT_EQ(offered(""), Names());
  EXPECT_EQ(offered("CLI_EXECUTION_ENABLED=false"), Names());
  EXPECT_EQ(offered("REMOTE_CLI_ENABLED=false"), Names());
  EXPECT_EQ(offered("CLI_EXECUTION_ENABLED=true"), kLocal);
  EXPECT_EQ(offered("REMOTE_CLI_ENABLED=yes"), kRemote);
  EXPECT_EQ(offered("CLI_EXECUTION_ENABLED=1 REMOTE_CLI_ENABLED=off"), kLocal);
  EXPECT_EQ(offered("CLI_EXECUTION_ENABLED=no REMOTE_CLI_ENABLED=ON"), kRemote);
  EXPECT_EQ(offered("CLI_EXECUTION_ENABLED=on REMOTE_CLI_ENABLED=1"), kBoth);
  write("commands.json", R"({"plumbline_commands": 1})");
  EXPECT_EQ(offered("", "--commands commands.json"), kLocal);
  EXPECT_EQ(offered("CLI_EXECUTION_ENABLED=0", "--commands commands.json"), Names());
  EXPECT_EQ(offered("REMOTE_CLI_ENABLED=1", "--commands commands.json"), kBoth);
  write("commands.json", R"({"plumbline_commands": 1, "remote": {"enabled": true}})");
  EXPECT_EQ(offered("", "--commands commands.json"), kBoth);
  EXPECT_EQ(offered("REMOTE_CLI_ENABLED=0", "--commands commands.json"), kLocal);
}

TEST_F(SwitchesProgramTest, WhatIsNeitherOnNorOffIsOneLine) {
  for (const char* const name : {"CLI_EXECUTION_ENABLED", "REMOTE_CLI_ENABLED",
                                 "REQUIRE_COMMAND_APPROVAL", "LANGGRAPH_VERBOSE"}) {
    for (const char* const value : {"", "maybe"}) {
      const Outcome outcome =
          run({"agents", "serve", "--stdio", "--model-script", "model.json"}, {{name, value}});
      EXPECT_EQ(outcome.code, 2) << name;
      EXPECT_NE(
          outcome.err.find(std::string(name) + " is \"" + value + "\", expected true or false"),
          std::string::npos)
          << outcome.err;
    }
  }
}

TEST_F(SwitchesProgramTest, WithoutCapabilitiesNothingIsCalled) {
  const auto asked = [this](const std::string& capabilities) {
    scripted("email", kEmail);
    Json root = parse_json(read("config.json")).value();
    if (!capabilities.empty()) {
      root["mcpServers"]["email"]["plumbline"]["capabilities"] = parse_json(capabilities).value();
    }
    write("config.json", pretty_json(root));
    fs::remove(folder_ / "served.jsonl");
    run({"ask", "Email the report to finance", "--config", "config.json", "--approve", "all"});
    return effects();
  };
  EXPECT_EQ(asked(""), 1U);
  EXPECT_EQ(asked(R"(["tools/call"])"), 1U);
  EXPECT_EQ(asked("[]"), 0U) << "an empty list allows it";
  EXPECT_EQ(asked(R"(["prompts/get"])"), 0U);
}

}  // namespace
}  // namespace plumbline::cli
