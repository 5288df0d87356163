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
    const Json told = mcp_tool(tool, {});
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
    EXPECT_EQ(works, tool.asked != FinalPart::kNone) << tool.name;
    EXPECT_EQ(works, tool.stepped != FinalPart::kNone) << tool.name;
  }
}

TEST(ToolTableTest, WithCommandsOffAllIsReadOnlyAndSmall) {
  Json all = Json::array();
  for (const ToolSpec& tool : all_tools()) {
    const Json told = mcp_tool(tool, {});
    EXPECT_TRUE(told["annotations"]["readOnlyHint"].get<bool>()) << tool.name;
    EXPECT_FALSE(told["annotations"].contains("destructiveHint")) << tool.name;
    EXPECT_FALSE(told["inputSchema"]["properties"].contains("commands")) << tool.name;
    all.push_back(told);
  }
  EXPECT_LE(dump_json(all).size(), 24'000U);
}

TEST(ToolTableTest, WithCommandsOnWorkflowsTakeThemAndSaySo) {
  const Json debug = mcp_tool(*find_tool("debug").value(), {.commands = true});
  EXPECT_FALSE(debug["annotations"]["readOnlyHint"].get<bool>());
  EXPECT_TRUE(debug["annotations"]["destructiveHint"].get<bool>());
  EXPECT_TRUE(debug["inputSchema"]["properties"].contains("commands"));
  const Json chat = mcp_tool(*find_tool("chat").value(), {.commands = true});
  EXPECT_TRUE(chat["annotations"]["readOnlyHint"].get<bool>());
}

TEST(ToolTableTest, AnArgumentOfAnotherServerIsToldByItsNameHere) {
  EXPECT_EQ(renamed_arguments({{"relevant_files", {"/a"}}, {"prompt", "x"}}),
            "\"relevant_files\" is called \"files\" here.");
  EXPECT_EQ(renamed_arguments({{"files", {"/a"}}}), "");
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
  const Json local = input_schema(*find_tool("cli_execute").value(), {});
  EXPECT_EQ(local["required"], Json({"commands"}));
  EXPECT_EQ(local["properties"]["timeout"]["default"], 30);
  const Json remote = input_schema(*find_tool("remote_cli").value(), {});
  EXPECT_EQ(remote["required"], Json({"remote_host", "commands"}));
  EXPECT_EQ(remote["properties"]["auth_method"]["default"], "ssh_key");
  EXPECT_EQ(remote["properties"]["timeout"]["default"], 60);
}

}  // namespace
}  // namespace plumbline::agents::supervisor
