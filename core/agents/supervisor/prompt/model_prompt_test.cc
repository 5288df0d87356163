#include "core/agents/supervisor/prompt/model_prompt.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/supervisor/models/token_budget.h"
#include "core/agents/supervisor/prompt/prompt_parts.h"

namespace plumbline::agents::supervisor {
namespace {

std::string lines(int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += "a line of some length that says nothing\n";
  return out;
}

SupervisorState working_state(int file_lines, int turns, int steps, int output_lines) {
  SupervisorState state;
  state.asked.task = "The task.";
  for (const char* file : {"/named.cc", "/folder.cc"}) {
    state.sources.files.emplace_back(file);
    state.sources.file_content_cache[file] = lines(file_lines);
  }
  state.sources.files_named = {"/named.cc"};
  for (int i = 0; i < turns; ++i) {
    state.conversation.conversation_turns.push_back(
        Json{{"role", i % 2 == 0 ? "user" : "assistant"}, {"content", lines(5)}});
  }
  for (int i = 0; i < steps; ++i) {
    state.workflow.steps.push_back({i + 1, "step " + std::to_string(i + 1) + " " + lines(20)});
    state.commands.cli_past.push_back(
        Json{{"command", "ls"}, {"status", "success"}, {"stdout", lines(output_lines)}});
  }
  state.workflow.findings = {{"the finding", "a.cc", 3}};
  return state;
}

std::string last_of(const BuiltPrompt& built) { return built.prompt.messages.back().text; }

// Whatever goes, what is sent fits, and the task, the findings and the last step are in it.
RC_GTEST_PROP(ModelPromptPropTest, WhatIsSentFitsAndKeepsWhatMatters, ()) {
  const int steps = *rc::gen::inRange(0, 4);
  const SupervisorState state = working_state(*rc::gen::inRange(0, 2'000), *rc::gen::inRange(0, 12),
                                              steps, *rc::gen::inRange(0, 400));
  const auto budget = *rc::gen::inRange<std::int64_t>(3'000, 40'000);
  const Question question{.role = "The role.", .what = "What is to be done.", .form = "The form."};
  const BuiltPrompt built = build_prompt(state, question, budget);
  RC_ASSERT(!built.too_long);
  RC_ASSERT(built.tokens <= budget);
  std::int64_t sent = 0;
  for (const model::Message& message : built.prompt.messages) sent += sent_tokens(message.text);
  RC_ASSERT(sent <= budget);
  for (const char* kept : {"The task.", "What is to be done.", "the finding", "The form."}) {
    RC_ASSERT(last_of(built).find(kept) != std::string::npos);
  }
  if (steps > 0) {
    RC_ASSERT(last_of(built).find("step " + std::to_string(steps) + " ") != std::string::npos);
  }
}

TEST(ModelPromptTest, WhatGoesFirstGoesInItsOrderAndIsTold) {
  const SupervisorState state = working_state(400, 6, 0, 0);
  const BuiltPrompt all = build_prompt(state, {.role = "r"}, 1'000'000);
  EXPECT_TRUE(all.left_out.empty());
  const BuiltPrompt less = build_prompt(state, {.role = "r"}, all.tokens - 20);
  ASSERT_EQ(less.left_out.size(), 1U);
  EXPECT_EQ(less.left_out[0], "The oldest 1 messages of the thread were left out.");
  const BuiltPrompt small = build_prompt(state, {.role = "r"}, 2'000);
  ASSERT_EQ(small.left_out.size(), 3U);
  EXPECT_EQ(small.left_out[1], "/folder.cc was left out.");
  EXPECT_TRUE(small.left_out[2].starts_with("Of /named.cc only lines 1 to ")) << small.left_out[2];
  EXPECT_NE(last_of(small).find("/folder.cc was left out."), std::string::npos)
      << "the model is told, too";
  EXPECT_TRUE(build_prompt(state, {.role = lines(100)}, 500).too_long);
}

TEST(ModelPromptTest, LinesHaveTheirNumbers) {
  EXPECT_EQ(numbered("a\nb"), "1\ta\n2\tb\n");
  EXPECT_EQ(numbered(""), "");
}

TEST(TokenBudgetTest, OfAWindowTheAnswerHasItsShare) {
  EXPECT_EQ(budget_of(std::nullopt), kUnknownBudgetTokens);
  EXPECT_EQ(budget_of(model::ModelInfo{.window_tokens = 8'000, .output_tokens_max = 4'000}),
            8'000 - 3'200 - 240);
  EXPECT_EQ(budget_of(model::ModelInfo{.window_tokens = 1'000'000, .output_tokens_max = 30'000}),
            1'000'000 - 30'000 - 30'000);
}

}  // namespace
}  // namespace plumbline::agents::supervisor
