#include "core/agents/supervisor/tools/tool_table.h"

#include <set>

#include <gtest/gtest.h>

namespace plumbline::agents::supervisor {
namespace {

TEST(ToolTableTest, ThereAreSixteenFiveOfThemSimple) {
  std::set<std::string_view> simple;
  std::set<std::string_view> workflows;
  for (const ToolSpec& tool : all_tools()) {
    (tool.kind == ToolKind::kSimple ? simple : workflows).insert(tool.name);
  }
  EXPECT_EQ(simple, (std::set<std::string_view>{"chat", "challenge", "thinkdeep", "listmodels",
                                                "version"}));
  EXPECT_EQ(workflows, (std::set<std::string_view>{"debug", "codereview", "refactor", "planner",
                                                   "consensus", "precommit", "secaudit", "docgen",
                                                   "analyze", "tracer", "testgen"}));
}

TEST(ToolTableTest, EachIsFoundAndSaysWhatAClientNeeds) {
  for (const ToolSpec& tool : all_tools()) {
    ASSERT_TRUE(find_tool(tool.name).ok());
    EXPECT_EQ(find_tool(tool.name).value(), &tool);
    const Json told = mcp_tool(tool);
    EXPECT_EQ(told["name"], tool.name);
    EXPECT_TRUE(tool.description.ends_with('.') || tool.description.ends_with('?')) << tool.name;
    const Json& schema = told["inputSchema"];
    EXPECT_EQ(schema["type"], "object");
    for (const Json& required : schema["required"]) {
      EXPECT_TRUE(schema["properties"].contains(required)) << tool.name << required;
    }
  }
}

TEST(ToolTableTest, AWorkflowSaysWhatItWantsAndWhenItEnds) {
  for (const ToolSpec& tool : all_tools()) {
    const bool works = tool.kind == ToolKind::kWorkflow;
    EXPECT_EQ(works, !tool.asks_for.empty()) << tool.name;
    EXPECT_EQ(works, !tool.finished_when.empty()) << tool.name;
    EXPECT_EQ(tool.role.empty(), tool.input == ToolInput::kNothing) << tool.name;
    EXPECT_FALSE(!works && tool.asks_expert) << tool.name;
  }
}

TEST(ToolTableTest, AnUnknownNameIsToldWhatThereIs) {
  const Result<const ToolSpec*> none = find_tool("debugger");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(none.error().message,
            "there is no tool \"debugger\"; there are chat, challenge, thinkdeep, listmodels, "
            "version, debug, codereview, refactor, planner, consensus, precommit, secaudit, "
            "docgen, analyze, tracer, testgen, cli_execute, remote_cli");
}

TEST(ToolTableTest, TheToolsOfCommandsTakeWhatTheyDefine) {
  const Json local = input_schema(*find_tool("cli_execute").value());
  EXPECT_EQ(local["required"], Json({"commands"}));
  EXPECT_EQ(local["properties"]["timeout"]["default"], 30);
  const Json remote = input_schema(*find_tool("remote_cli").value());
  EXPECT_EQ(remote["required"], Json({"remote_host", "commands"}));
  EXPECT_EQ(remote["properties"]["auth_method"]["default"], "ssh_key");
  EXPECT_EQ(remote["properties"]["timeout"]["default"], 60);
}

}  // namespace
}  // namespace plumbline::agents::supervisor
