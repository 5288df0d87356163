#include "core/agents/supervisor/threads/tool_desk.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/base/wait.h"

namespace plumbline::agents::supervisor {
namespace {

Json debug_step(std::int64_t number, bool next) {
  return {{"step", "step " + std::to_string(number)},
          {"step_number", number},
          {"total_steps", 4},
          {"next_step_required", next},
          {"findings", {{{"text", "finding " + std::to_string(number)}}}}};
}

class ToolDeskTest : public testing::Test {
 protected:
  ToolDeskTest() {
    world_.services.desk = &world_.commands.desk();
    world_.shelf.add("m", R"({"turns": [{"text": "said", "always": true}]})");
  }

  Result<Json> call(std::string tool, Json arguments, const std::string& thread = "") {
    if (!thread.empty()) arguments["continuation_id"] = thread;
    Task<Result<Json>> task = desk_.call(std::move(tool), std::move(arguments));
    check(world_.commands.loop.run_task(task).ok(), "the call hangs");
    return std::move(task.result());
  }

  static std::string thread_of(const Json& answer) { return string_or(answer, "thread_id", ""); }

  std::string last_prompt() {
    std::string out;
    for (const model::Message& message : world_.shelf.prompts.back().messages) out += message.text;
    return out;
  }

  SupervisorWorld world_;
  int ids_ = 0;
  ToolDesk desk_{world_.services,
                 world_.commands.loop,
                 [this](std::size_t) { return std::string(1, static_cast<char>(++ids_)); },
                 {.turns_max = 8}};
};

TEST_F(ToolDeskTest, FourStepsOfDebugAreOneWorkflow) {
  Json answer = call("debug", debug_step(1, true)).value();
  EXPECT_EQ(answer["status"], "continue");
  const std::string thread = thread_of(answer);
  for (std::int64_t number = 2; number < 4; ++number) {
    answer = call("debug", debug_step(number, true), thread).value();
    EXPECT_EQ(answer["next_step"]["findings"].size(), static_cast<std::size_t>(number));
  }
  answer = call("debug", debug_step(4, false), thread).value();
  EXPECT_EQ(answer["status"], "completed");
  EXPECT_EQ(answer["content"], "said");
  EXPECT_NE(last_prompt().find("4 findings"), std::string::npos);
  EXPECT_EQ(world_.shelf.prompts.size(), 1U);
}

TEST_F(ToolDeskTest, AnotherToolContinuesTheThread) {
  world_.file("/srv/project/api.cc", "int api;");
  const Json first =
      call("analyze", {{"prompt", "the API"}, {"files", {"/srv/project/api.cc"}}}).value();
  const Json second = call("codereview", {{"prompt", "review"}}, thread_of(first)).value();
  EXPECT_EQ(thread_of(first), thread_of(second));
  EXPECT_NE(last_prompt().find("the API"), std::string::npos);
  EXPECT_NE(last_prompt().find("int api;"), std::string::npos);
}

TEST_F(ToolDeskTest, AWrongStepLeavesTheWorkflowWaiting) {
  const std::string thread = thread_of(call("debug", debug_step(1, true)).value());
  const Result<Json> wrong = call("debug", {{"step", "x"}}, thread);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("step_number"), std::string::npos);
  EXPECT_EQ(call("debug", debug_step(2, true), thread).value()["next_step"]["findings"].size(), 2U);
}

TEST_F(ToolDeskTest, AThreadThatIsFullGoesOnInANewOne) {
  std::string thread = thread_of(call("chat", {{"prompt", "1"}}).value());
  const std::string first = thread;
  Json answer;
  for (int i = 0; i < 4; ++i) answer = call("chat", {{"prompt", "more"}}, thread).value();
  EXPECT_NE(thread_of(answer), first);
  EXPECT_EQ(answer["parent_thread_id"], first);
}

TEST_F(ToolDeskTest, AThreadExpiresAndNoneIsGuessed) {
  const std::string thread = thread_of(call("chat", {{"prompt", "1"}}).value());
  Sleep night(world_.commands.loop, after(world_.commands.loop.now(), std::chrono::hours(4)));
  Task<void> sleeping = [](Sleep& until) -> Task<void> { co_await until; }(night);
  world_.finish(std::move(sleeping));
  EXPECT_FALSE(call("chat", {{"prompt", "2"}}, thread).ok());
  EXPECT_EQ(desk_.threads(), 0U);
  EXPECT_FALSE(call("debugger", {{"prompt", "2"}}).ok());
  EXPECT_EQ(desk_.threads(), 0U);
}

TEST_F(ToolDeskTest, ACallThatIsDroppedLeavesItsThreadFree) {
  const std::string thread = thread_of(call("chat", {{"prompt", "1"}}).value());
  {
    Task<Result<Json>> task = desk_.call("chat", Json{{"prompt", "2"}, {"thread_id", thread}});
    task.start();
    ASSERT_FALSE(task.done());
    EXPECT_FALSE(call("chat", {{"prompt", "3"}}, thread).ok());
  }
  EXPECT_TRUE(call("chat", {{"prompt", "4"}}, thread).ok());
}

}  // namespace
}  // namespace plumbline::agents::supervisor
