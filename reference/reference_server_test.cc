#include "reference/reference_server.h"

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/value_channel.h"
#include "reference/contents.h"
#include "reference/raw_client.h"

namespace plumbline::reference {
namespace {

std::string first_text(const Json& result) {
  const Json* const text = at_pointer(result, "/content/0/text");
  return text != nullptr && text->is_string() ? text->get<std::string>() : dump_json(result);
}

class ReferenceServerTest : public testing::TestWithParam<const char*> {
 protected:
  fakes::SimLoop loop_;
  ReferenceServer reference_{loop_, "sixteen bytes or more", nullptr, std::chrono::hours(24)};
  RawClient client_{enter(), [this](const auto& done) { return loop_.run_until(done).ok(); },
                    GetParam()};

 private:
  std::unique_ptr<transport::MessageChannel> enter() {
    auto pair = fakes::make_value_channel(loop_, {}, Rng(1));
    reference_.server().accept(std::move(pair.far));
    return std::move(pair.near);
  }
};

INSTANTIATE_TEST_SUITE_P(BothEras, ReferenceServerTest,
                         testing::Values(RawClient::kStateful, RawClient::kStateless));

TEST_P(ReferenceServerTest, EveryToolCanBeCalledWithArgumentsMadeFromItsSchema) {
  const Json list = client_.call("tools/list", Json::object());
  ASSERT_GE(list["tools"].size(), 25U);
  const std::set<std::string> fails_as_a_plain_call = {"failing_job", "protocol_error_job",
                                                       "test_tool_with_task"};
  for (const Json& tool : list["tools"]) {
    const std::string name = tool["name"];
    if (fails_as_a_plain_call.contains(name)) continue;
    Json arguments = schema::sample_arguments(tool["inputSchema"]);
    if (name == "json_schema_2020_12_tool") arguments["email"] = "a@example.com";
    const Json result = client_.call_tool(name, arguments);
    EXPECT_EQ(bool_or(result, "isError", false), name == "test_error_handling") << result;
    EXPECT_TRUE(result.contains("content")) << name << ": " << result;
  }
}

TEST_P(ReferenceServerTest, EveryPromptAndResourceThatIsListedCanBeHad) {
  const Json prompts = client_.call("prompts/list", Json::object());
  ASSERT_GE(prompts["prompts"].size(), 5U);
  for (const Json& prompt : prompts["prompts"]) {
    Json params = Json::object();
    params["name"] = prompt["name"];
    const Json* const arguments = find(prompt, "arguments");
    const Json none = Json::array();
    for (const Json& argument : arguments ? *arguments : none) {
      params["arguments"][argument["name"].get<std::string>()] = "x";
    }
    EXPECT_FALSE(client_.call("prompts/get", params)["messages"].empty()) << prompt;
  }
  const Json resources = client_.call("resources/list", Json::object());
  ASSERT_GE(resources["resources"].size(), 3U);
  for (const Json& resource : resources["resources"]) {
    const Json result = client_.call("resources/read", {{"uri", resource["uri"]}});
    EXPECT_EQ(result["contents"][0]["uri"], resource["uri"]);
  }
}

TEST_P(ReferenceServerTest, ATemplateIsFilledIn) {
  const Json result = client_.call("resources/read", {{"uri", "test://template/123/data"}});
  EXPECT_EQ(document(result["contents"][0]["text"].get<std::string>())["id"], "123");
  EXPECT_EQ(client_.call("resources/read", {{"uri", "test://template//data"}}), nullptr);
}

TEST_P(ReferenceServerTest, ArgumentsAreHeldToTheWholeSchema) {
  const auto refused = [this](const char* tool, const Json& arguments) {
    return bool_or(client_.call_tool(tool, arguments), "isError", false);
  };
  EXPECT_TRUE(refused("add_numbers", {{"a", 1}, {"b", "2"}}));
  EXPECT_TRUE(refused("json_schema_2020_12_tool", {{"contactMethod", "phone"}, {"email", "a"}}));
  EXPECT_FALSE(refused("json_schema_2020_12_tool", {{"contactMethod", "phone"}, {"phone", "1"}}));
  EXPECT_TRUE(refused("json_schema_2020_12_tool", {{"email", "a"}, {"more", 1}}));
}

TEST_P(ReferenceServerTest, SumsAreExactWhereTheyAreWhole) {
  const Json result = client_.call_tool("add_numbers", {{"a", 40}, {"b", 2}});
  EXPECT_EQ(result["structuredContent"]["sum"].dump(), "42");
  const Json half = client_.call_tool("add_numbers", {{"a", 1}, {"b", 0.5}});
  EXPECT_EQ(half["structuredContent"]["sum"], 1.5);
}

TEST_P(ReferenceServerTest, WhatTheClientAnswersIsWhatTheToolSays) {
  EXPECT_EQ(first_text(client_.call_tool("test_sampling", {{"prompt", "?"}})),
            "LLM response: sampled");
  EXPECT_EQ(first_text(client_.call_tool("test_elicitation_sep1034_defaults")),
            R"(Elicitation completed: action=accept, content={"age":30,"name":"John Doe",)"
            R"("score":95.5,"status":"active","verified":true})");
  EXPECT_EQ(first_text(client_.call_tool("test_input_required_result_multi_round")),
            "sample likes red");
  EXPECT_EQ(first_text(client_.call_tool("test_input_required_result_multiple_inputs")),
            "sampled sample, 0 roots");
}

TEST_P(ReferenceServerTest, ProgressIsReportedOnlyToThoseWhoAskForIt) {
  Json params = {{"name", "test_tool_with_progress"}, {"arguments", Json::object()}};
  client_.call("tools/call", params);
  EXPECT_EQ(client_.heard("notifications/progress"), 0U);
  params["_meta"]["progressToken"] = "p";
  client_.call("tools/call", params);
  EXPECT_EQ(client_.heard("notifications/progress"), 3U);
}

TEST_P(ReferenceServerTest, CompletionOffersWhatBeginsAsTyped) {
  const Json result =
      client_.call("completion/complete",
                   {{"ref", {{"type", "ref/prompt"}, {"name", "test_prompt_with_arguments"}}},
                    {"argument", {{"name", "arg1"}, {"value", "par"}}}});
  EXPECT_EQ(result["completion"]["values"], Json({"paris", "park", "party"}));
}

TEST_P(ReferenceServerTest, TheHeadersOfAToolAreKnown) {
  const std::vector<transport::ParamHeader>* const params =
      reference_.mirrored_params("test_x_mcp_header");
  ASSERT_NE(params, nullptr);
  EXPECT_EQ(params->size(), 2U);
  EXPECT_EQ(reference_.mirrored_params("greet"), nullptr);
}

class StatefulTest : public ReferenceServerTest {};
INSTANTIATE_TEST_SUITE_P(Stateful, StatefulTest, testing::Values(RawClient::kStateful));

TEST_P(StatefulTest, TheTriggersTellOfWhatTheyChange) {
  client_.call("resources/subscribe", {{"uri", "test://watched-resource"}});
  const std::size_t before = client_.call("tools/list", Json::object())["tools"].size();
  client_.call_tool("test_trigger_tool_change");
  client_.call_tool("test_trigger_prompt_change");
  client_.call_tool("test_trigger_resource_change");
  EXPECT_EQ(client_.heard("notifications/tools/list_changed"), 1U);
  EXPECT_EQ(client_.heard("notifications/prompts/list_changed"), 1U);
  EXPECT_EQ(client_.heard("notifications/resources/updated"), 1U);
  EXPECT_EQ(client_.call("tools/list", Json::object())["tools"].size(), before + 1);
  EXPECT_EQ(first_text(client_.call_tool("test_passing_tool")), "Still here");
  client_.call_tool("test_trigger_tool_change");
  EXPECT_EQ(client_.call("tools/list", Json::object())["tools"].size(), before);
}

TEST_P(StatefulTest, LogMessagesComeWhileTheToolRuns) {
  client_.call("logging/setLevel", {{"level", "debug"}});
  client_.call_tool("test_tool_with_logging");
  EXPECT_EQ(client_.heard("notifications/message"), 3U);
}

class StatelessTest : public ReferenceServerTest {};
INSTANTIATE_TEST_SUITE_P(Stateless, StatelessTest, testing::Values(RawClient::kStateless));

TEST_P(StatelessTest, StateThatIsMissingForgedOrOfAnotherCallIsRefused) {
  const Json params = {{"name", "test_input_required_result_request_state"},
                       {"arguments", Json::object()}};
  const Json first = client_.exchange("tools/call", params)["result"];
  ASSERT_EQ(first["resultType"], "input_required");
  const Json good = RawClient::retry_of(params, first);
  const auto fails = [this](const Json& retry) {
    const Json answer = client_.exchange("tools/call", retry);
    const Json* const result = find(answer, "result");
    return result == nullptr || bool_or(*result, "isError", false);
  };
  Json forged = good;
  forged["requestState"] = good["requestState"].get<std::string>() + "x";
  Json missing = good;
  missing.erase("requestState");
  Json elsewhere = good;
  elsewhere["name"] = "test_input_required_result_tampered_state";
  EXPECT_TRUE(fails(forged));
  EXPECT_TRUE(fails(missing));
  EXPECT_TRUE(fails(elsewhere));
  EXPECT_FALSE(fails(good));
}

TEST_P(StatelessTest, OnlyWhatIsDeclaredIsAskedFor) {
  client_.capabilities = {{"sampling", Json::object()}};
  const Json params = {{"name", "test_input_required_result_capabilities"},
                       {"arguments", Json::object()}};
  const Json asked = client_.exchange("tools/call", params)["result"]["inputRequests"];
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked.begin()->at("method"), "sampling/createMessage");
  client_.capabilities = Json::object();
  const Json refused = client_.exchange(
      "tools/call", {{"name", "test_missing_capability"}, {"arguments", Json::object()}});
  EXPECT_EQ(refused["error"]["code"], -32021);
  EXPECT_TRUE(refused["error"]["data"]["requiredCapabilities"]["sampling"].is_object());
}

// A client that takes tasks is given one by each tool that can be one, and asks until it is over.
TEST_P(StatelessTest, CallsBecomeTasksForClientsThatTakeThem) {
  client_.capabilities["extensions"]["io.modelcontextprotocol/tasks"] = Json::object();
  const std::map<std::string, std::string> ends = {
      {"slow_compute", "completed"},     {"failing_job", "completed"},
      {"protocol_error_job", "failed"},  {"confirm_delete", "input_required"},
      {"multi_input", "input_required"}, {"test_tool_with_task", "completed"}};
  const Json list = client_.call("tools/list", Json::object());
  for (const Json& tool : list["tools"]) {
    const auto end = ends.find(tool["name"].get<std::string>());
    if (end == ends.end()) continue;
    Json arguments = schema::sample_arguments(tool["inputSchema"]);
    const Json created = client_.call_tool(end->first, std::move(arguments));
    ASSERT_EQ(created["resultType"], "task") << created;
    EXPECT_TRUE(created["createdAt"].get<std::string>().starts_with("1970-01-02T00:00:"));
    ASSERT_TRUE(loop_.run_until_idle(10'000, loop_.now() + std::chrono::seconds(5)).ok());
    const Json task = client_.call("tasks/get", {{"taskId", created["taskId"]}});
    EXPECT_EQ(task["status"], end->second) << task;
    if (end->first == "failing_job") {
      EXPECT_EQ(task["result"]["isError"], true);
    }
    if (end->first == "multi_input") {
      EXPECT_EQ(task["inputRequests"].size(), 2U);
    }
    if (end->first == "test_tool_with_task") {
      EXPECT_EQ(first_text(task["result"]), "Hello, sample!");
    }
  }
}

TEST_P(StatelessTest, NothingIsLoggedUnlessTheRequestAsksForIt) {
  client_.call_tool("test_logging_tool");
  EXPECT_EQ(client_.heard("notifications/message"), 0U);
  Json params = {{"name", "test_logging_tool"}, {"arguments", Json::object()}};
  params["_meta"]["io.modelcontextprotocol/logLevel"] = "info";
  client_.call("tools/call", params);
  EXPECT_EQ(client_.heard("notifications/message"), 3U);
}

}  // namespace
}  // namespace plumbline::reference
