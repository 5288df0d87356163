#include "core/agents/supervisor/run/supervisor_agent.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/connector/connector_fixture.h"
#include "core/graph/memory_saver.h"

namespace plumbline::agents::supervisor {
namespace {

class SupervisorAgentTest : public testing::Test {
 protected:
  SupervisorAgentTest() {
    world_.shelf.add("m", R"({"turns": [{"text": "said", "always": true}]})");
    world_.services.desk = &world_.commands.desk();
  }

  std::unique_ptr<Session> open() {
    return supervisor_agent().open({.loop = world_.commands.loop,
                                    .mcp = mcp_,
                                    .policy = policy_,
                                    .supervisor = &world_.services});
  }

  Outcome finish(Task<Outcome> task) {
    task.start();
    EXPECT_TRUE(world_.commands.loop.run_until_idle(100'000).ok());
    EXPECT_TRUE(task.done());
    return std::move(task.result());
  }

  Outcome ask(Session& session, const std::string& tool, Json arguments,
              const std::string& thread = "t") {
    const Json call = {{"tool", tool}, {"arguments", std::move(arguments)}};
    return finish(session.start({dump_json(call), {}, "talk"}, Place{saver_, thread}));
  }

  static std::string said(const Outcome& outcome, const char* key) {
    return string_or(outcome.state["final_output"], key, "");
  }

  static Json step(std::int64_t number, bool next) {
    return {{"step", "step " + std::to_string(number)},
            {"step_number", number},
            {"total_steps", 2},
            {"next_step_required", next},
            {"findings", {{{"text", "finding " + std::to_string(number)}}}}};
  }

  SupervisorWorld world_;
  connector::TinyLoop tiny_;
  connector::FakeMcp mcp_{tiny_};
  Policy policy_;
  graph::MemorySaver<SavedState> saver_;
};

TEST_F(SupervisorAgentTest, TextIsAPromptForChat) {
  const auto session = open();
  const Outcome ended = finish(session->start({"hello", {}}, std::nullopt));
  EXPECT_EQ(said(ended, "status"), "ok");
  EXPECT_EQ(said(ended, "response"), "said");
  EXPECT_EQ(string_or(ended.state, "tool_name", ""), "chat");
  for (const std::string_view field : supervisor_agent().state_fields()) {
    EXPECT_NE(find(ended.state, field), nullptr) << field;
  }
}

TEST_F(SupervisorAgentTest, AWorkflowAsksForItsNextStepAndAnotherProcessTakesIt) {
  auto session = open();
  ASSERT_TRUE(ask(*session, "debug", step(1, true)).review);
  session = open();
  const Outcome again = ask(*session, "debug", step(1, true));
  ASSERT_TRUE(again.review);
  EXPECT_EQ((*again.review)["type"], "step");
  const Outcome wrong = finish(session->resume({{"step", "x"}}));
  EXPECT_TRUE(wrong.wrong_answer && wrong.review);
  const Outcome ended = finish(session->resume(step(2, false)));
  EXPECT_EQ(said(ended, "status"), "ok");
  EXPECT_EQ(ended.state["findings"].size(), 2U);
}

TEST_F(SupervisorAgentTest, RequestsOfAConversationKnowWhatWasSaid) {
  const auto session = open();
  ask(*session, "chat", {{"prompt", "remember 42"}}, "a");
  ask(*session, "thinkdeep", {{"prompt", "what was it?"}}, "b");
  std::string all;
  for (const model::Message& message : world_.shelf.prompts.back().messages) all += message.text;
  EXPECT_NE(all.find("remember 42"), std::string::npos);
}

TEST_F(SupervisorAgentTest, ACommandWhoseProcessDiedIsUnknownAndNotRunAgain) {
  const Json call = {{"tool", "cli_execute"}, {"arguments", {{"commands", {"npm test"}}}}};
  auto session = open();
  {
    auto dying = session->start({dump_json(call), {}}, Place{saver_, "t"});
    dying.start();
    ASSERT_TRUE(
        world_.commands.loop
            .run_until([this] { return world_.commands.shell.ran().size() == 1; }, 10'000, kNever)
            .ok());
  }
  session = open();
  const Outcome ended = finish(session->start({dump_json(call), {}}, Place{saver_, "t"}));
  EXPECT_EQ(said(ended, "outcome"), "unknown");
  EXPECT_EQ(said(ended, "status"), "needs_review");
  EXPECT_EQ(world_.commands.shell.ran().size(), 1U);
}

TEST_F(SupervisorAgentTest, ARequestThatIsNoneSaysWhatWasExpected) {
  const auto wrong = [this](const char* input) {
    const auto session = open();
    const Outcome ended = finish(session->start({input, {}}, std::nullopt));
    EXPECT_EQ(said(ended, "status"), "failed");
    return ended.state["errors"][0].get<std::string>();
  };
  EXPECT_TRUE(wrong("{x").starts_with("the request begins with \"{\" and is no JSON: "));
  EXPECT_NE(wrong("{}").find("names no tool"), std::string::npos);
  EXPECT_NE(wrong(R"({"tool": "x", "arguments": 1})").find("no object"), std::string::npos);
  EXPECT_NE(wrong(R"({"tool": "debugger"})").find("debug"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::agents::supervisor
