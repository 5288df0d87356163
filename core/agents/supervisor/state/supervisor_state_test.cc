#include "core/agents/supervisor/state/supervisor_state.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::agents::supervisor {
namespace {

SupervisorState any_state() {
  SupervisorState state;
  state.conversation = {*rc::gen::arbitrary<std::string>().as("thread"),
                        "parent",
                        {Json{{"role", "user"}}},
                        {"ab12"}};
  state.asked.tool_name = "debug";
  state.workflow.workflow_step = *rc::gen::inRange<std::int64_t>(0, 100);
  state.workflow.confidence_level = static_cast<Confidence>(*rc::gen::inRange(0, 7));
  state.workflow.phase = static_cast<Phase>(*rc::gen::inRange(0, 4));
  const int findings = *rc::gen::inRange(0, 4);
  for (int i = 0; i < findings; ++i) {
    state.workflow.findings.push_back(
        {"t", "f.cc", i, static_cast<Severity>(*rc::gen::inRange(0, 5)), i});
  }
  state.model.temperature = *rc::gen::inRange(0, 200) / 100.0;
  state.commands.remote_host = "user@host:22";
  state.routing.next_agent = "cli_agent";
  state.answer.status = static_cast<Progressing>(*rc::gen::inRange(0, 4));
  return state;
}

RC_GTEST_PROP(SupervisorStateTest, JsonKeepsAll, ()) {
  const SupervisorState state = any_state();
  const Json saved = state.to_json();
  const Result<SupervisorState> again = SupervisorState::from_json(saved);
  RC_ASSERT(again.ok());
  RC_ASSERT(again.value().to_json() == saved);
}

TEST(SupervisorStateTest, JsonHasEveryFieldByItsName) {
  const Json saved = SupervisorState().to_json();
  for (const char* name : {"thread_id",
                           "parent_thread_id",
                           "conversation_turns",
                           "tool_name",
                           "request_data",
                           "prompt",
                           "files",
                           "images",
                           "file_content_cache",
                           "model_name",
                           "model_provider",
                           "model_context",
                           "temperature",
                           "thinking_mode",
                           "workflow_step",
                           "total_steps",
                           "confidence_level",
                           "findings",
                           "required_actions",
                           "cli_commands",
                           "cli_results",
                           "remote_host",
                           "next_agent",
                           "should_continue",
                           "needs_expert_analysis",
                           "token_budget",
                           "tokens_used",
                           "response_content",
                           "response_metadata",
                           "status",
                           "error_message"}) {
    EXPECT_TRUE(saved.contains(name)) << name;
    Json without = saved;
    without.erase(name);
    const Result<SupervisorState> read = SupervisorState::from_json(without);
    ASSERT_FALSE(read.ok()) << name;
    EXPECT_NE(read.error().message.find(name), std::string::npos);
  }
}

TEST(SupervisorStateTest, AnUpdateReplacesItsPartsAndAppendsOpinions) {
  SupervisorState state;
  state.opinions = {Json("a")};
  state.tokens.tokens_used = 7;
  SupervisorState::Update update;
  update.answer.emplace().response_content = "yes";
  update.opinions = {Json("b")};
  const Result<SupervisorState::Update> again =
      SupervisorState::Update::from_json(update.to_json());
  ASSERT_TRUE(again.ok());
  state.apply(SupervisorState::Update(again.value()));
  EXPECT_EQ(state.answer.response_content, "yes");
  EXPECT_EQ(state.tokens.tokens_used, 7);
  EXPECT_EQ(state.opinions, (std::vector<Json>{"a", "b"}));
}

TEST(SupervisorStateTest, NamesGoBothWays) {
  EXPECT_EQ(confidence_of("almost_certain"), Confidence::kAlmostCertain);
  EXPECT_EQ(severity_of("critical"), Severity::kCritical);
  EXPECT_FALSE(confidence_of("sure"));
  EXPECT_FALSE(severity_of(""));
}

}  // namespace
}  // namespace plumbline::agents::supervisor
