#include "core/agents/supervisor/run/supervisor_graph.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/agent.h"
#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/graph/memory_saver.h"
#include "core/graph/saved_state.h"
#include "fakes/shell/sim_remote.h"

namespace plumbline::agents::supervisor {
namespace {

using Route = std::vector<std::string_view>;

Json step(std::int64_t number, bool next, Json findings = Json::array()) {
  return {{"step", "step " + std::to_string(number)},
          {"step_number", number},
          {"total_steps", 3},
          {"next_step_required", next},
          {"findings", std::move(findings)}};
}

Json leak() {
  return Json::array({{{"text", "a leak"}, {"file", "a.cc"}, {"line", 7}, {"severity", "high"}}});
}

class SupervisorTest : public testing::Test {
 protected:
  std::string response() { return world_.run->state().answer.response_content; }
  Progressing status() { return world_.run->state().answer.status; }
  std::string error() { return world_.run->state().answer.error_message.value_or(""); }

  SupervisorWorld world_;
};

TEST_F(SupervisorTest, AChatGoesThroughTheModelAndTheFilesToTheSimpleAgent) {
  world_.shelf.add("m", R"({"turns": [{"text": "Hello."}]})");
  world_.file("/srv/project/a.cc", "int a;");
  world_.call("chat", {{"prompt", "hi"}, {"files", {"/srv/project/a.cc"}}});
  EXPECT_EQ(response(), "Hello.");
  EXPECT_EQ(status(), Progressing::kCompleted);
  EXPECT_EQ(world_.run->route(),
            (Route{kSupervisor, kModelSelection, kFileProcessing, kSimpleToolAgent}));
  EXPECT_NE(world_.shelf.prompts[0].messages.back().text.find("int a;"), std::string::npos);
  EXPECT_EQ(world_.run->state().tokens.tokens_used, 24);
}

TEST_F(SupervisorTest, EveryToolIsAnsweredAndAnUnknownOneIsToldWhatThereIs) {
  world_.shelf.add("m", R"({"turns": [{"text": "Fine.", "always": true}]})");
  for (const ToolSpec& tool : all_tools()) {
    world_.call(std::string(tool.name), {{"prompt", "do it"}});
    EXPECT_EQ(status(), Progressing::kCompleted) << tool.name << error();
  }
  world_.call("debugger", {{"prompt", "x"}});
  EXPECT_EQ(status(), Progressing::kError);
  EXPECT_NE(error().find("there is no tool \"debugger\"; there are chat"), std::string::npos);
  EXPECT_EQ(world_.run->route(), Route{kSupervisor});
}

TEST_F(SupervisorTest, AUsersStepsReturnToHimAndAnExpertEndsThem) {
  world_.shelf.add("m", R"({"turns": [{"text": "It is the cache."}]})");
  world_.call("debug", step(1, true));
  ASSERT_NE(world_.run->review(), nullptr);
  EXPECT_EQ(world_.run->review()->at("type"), "step");
  EXPECT_NE(world_.run->review()
                ->at("arguments")
                .at("required_actions")
                .at(0)
                .get<std::string>()
                .find("Look for evidence"),
            std::string::npos);
  world_.answer(step(2, true, leak()));
  ASSERT_NE(world_.run->review(), nullptr);
  EXPECT_EQ(world_.run->review()->at("arguments").at("findings").size(), 1U);
  EXPECT_TRUE(world_.shelf.prompts.empty());
  world_.answer(step(3, false));
  EXPECT_EQ(world_.run->review(), nullptr);
  EXPECT_EQ(response(), "It is the cache.");
  EXPECT_EQ(world_.run->route().back(), kExpertAnalysis);
  EXPECT_EQ(world_.run->state().routing.visits, 3);
  EXPECT_NE(world_.shelf.prompts[0].messages.back().text.find("[high] a.cc:7: a leak"),
            std::string::npos);
}

TEST_F(SupervisorTest, NoExpertWhereOneIsCertain) {
  world_.shelf.add("m", R"({"turns": [{"text": "never", "always": true}]})");
  Json certain = step(1, false, leak());
  certain["confidence"] = "certain";
  world_.call("debug", certain);
  EXPECT_NE(response().find("confidence \"certain\": 1 finding."), std::string::npos) << response();
  EXPECT_NE(response().find("step 1"), std::string::npos) << "the steps are the answer";
  EXPECT_TRUE(world_.shelf.prompts.empty());
}

TEST_F(SupervisorTest, GoingBackForgetsAndAWrongStepIsRefused) {
  world_.shelf.add("m", R"({"turns": [{"text": "x", "always": true}]})");
  world_.call("debug", step(1, true));
  world_.answer(step(2, true, leak()));
  Json back = step(2, true);
  back["backtrack_from_step"] = 2;
  const Status wrong =
      check_supervisor_answer(*world_.run->review(), Json{{"step", "x"}, {"step_number", 0}});
  EXPECT_FALSE(wrong.ok());
  world_.answer(back);
  EXPECT_TRUE(world_.run->review()->at("arguments").at("findings").empty());
  world_.answer(approval(false));
  EXPECT_EQ(status(), Progressing::kCompleted);
  world_.call("debug", Json{{"step", "x"}});
  EXPECT_EQ(status(), Progressing::kError);
  EXPECT_NE(error().find("step_number"), std::string::npos) << error();
}

// The first example: a failing test is debugged with the output of a command and a file.
TEST_F(SupervisorTest, DebugRunsACommandReadsAFileAndAsksTheExpert) {
  world_.shelf.add("m", R"({"turns": [
    {"text": "{\"step\": \"the test fails\", \"next_step_required\": true,
               \"commands\": [\"pytest tests/test_foo.py -v\"]}"},
    {"text": "{\"step\": \"foo is wrong\", \"next_step_required\": true,
               \"files\": [\"/srv/project/foo.py\"],
               \"findings\": [{\"text\": \"foo returns 2\", \"file\": \"foo.py\", \"line\": 1}]}"},
    {"text": "{\"step\": \"read foo\", \"confidence\": \"high\", \"next_step_required\": false}"},
    {"text": "foo must return 1."}]})");
  world_.file("/srv/project/foo.py", "def foo(): return 2");
  world_.call("debug", {{"prompt", "Debug the failing test and show me the error logs"}});
  EXPECT_EQ(response(), "foo must return 1.") << error();
  ASSERT_EQ(world_.commands.shell.ran().size(), 1U);
  const SupervisorState& state = world_.run->state();
  ASSERT_EQ(state.commands.cli_past.size(), 1U);
  EXPECT_EQ(string_or(state.commands.cli_past[0], "stdout", ""), "1 failed: test_foo\n");
  const auto seen = [&](std::size_t prompt, std::string_view text) {
    return world_.shelf.prompts.at(prompt).messages.back().text.find(text) != std::string::npos;
  };
  EXPECT_TRUE(seen(1, "1 failed: test_foo"));
  EXPECT_TRUE(seen(1, "the test fails")) << "what step 1 has said";
  EXPECT_TRUE(seen(2, "1\tdef foo(): return 2")) << "with its line";
  EXPECT_TRUE(seen(3, "Debug the failing test")) << "the expert knows what was asked";
  EXPECT_TRUE(seen(3, "the test fails")) << "and every step";
  EXPECT_TRUE(seen(3, "foo returns 2"));
  EXPECT_EQ(std::ranges::count(world_.run->route(), kCliAgent), 1);
  EXPECT_EQ(world_.run->route().back(), kExpertAnalysis);
}

// The second one, of a remote host, ends where no host is configured.
TEST_F(SupervisorTest, ARemoteCommandSaysThatNoHostIsConfigured) {
  world_.call("remote_cli",
              {{"remote_host", "admin@prod"}, {"commands", {"systemctl status nginx"}}});
  EXPECT_EQ(error(), "no remote host is configured, so no command was run on \"admin@prod\"");
  EXPECT_EQ(world_.run->route().back(), kRemoteCliAgent);
}

// What a name stands for is looked up once: what is dialled is what a person has seen.
TEST_F(SupervisorTest, ARemoteCommandGoesWhereItsQuestionSays) {
  command_line::CommandWorld& machines = world_.commands;
  fakes::SimRemote remote(machines.loop, Rng(2), machines.events);
  const command_line::RemotePolicy policy({.programs = {"systemctl"}, .blocked = {}});
  command_line::RemoteDesk desk(policy, machines.loop, &machines.audit);
  fakes::FakeShell& staging = remote.add("10.0.0.1", {});
  fakes::FakeShell& production = remote.add("10.0.0.2", {});
  for (fakes::FakeShell* const shell : {&staging, &production}) {
    shell->add({"systemctl"}, {.out = "active\n"});
  }
  world_.services.remote.dialer = &remote;
  world_.services.remote.desk = &desk;
  world_.services.remote.access.key_path = "/home/ada/key";
  remote.alias("web", "10.0.0.1");
  world_.call("remote_cli",
              {{"remote_host", "root@web"}, {"commands", {"systemctl status nginx"}}});
  const auto shows = [this](const char* text) {
    const Json* const review = world_.run->review();
    return review != nullptr && dump_json(review->at("shown")).find(text) != std::string::npos;
  };
  EXPECT_TRUE(shows("root@10.0.0.1, with the key /home/ada/key"));
  remote.alias("web", "10.0.0.2");
  world_.answer(approval(true));
  EXPECT_TRUE(shows("root@10.0.0.2"));
  EXPECT_TRUE(staging.ran().empty() && production.ran().empty());
  world_.answer(approval(true));
  EXPECT_EQ(world_.run->review(), nullptr);
  EXPECT_TRUE(staging.ran().empty());
  EXPECT_EQ(production.ran().size(), 1U);
}

// The third one: analyze, then the tests, then a review of both.
TEST_F(SupervisorTest, AnalyzeRunsTheTestsAndGoesOverToTheReview) {
  world_.shelf.add("m", R"({"turns": [
    {"text": "{\"step\": \"two layers\", \"next_step_required\": false,
               \"commands\": [\"pytest tests/test_api.py -v --cov\"],
               \"next_tool\": \"codereview\"}"},
    {"text": "{\"step\": \"reviewed\", \"next_step_required\": false,
               \"findings\": [{\"text\": \"test_foo fails\"}]}"},
    {"text": "The API is fine, the test is not."}]})");
  world_.call("analyze", {{"prompt", "Analyze the API, run the tests, review"}});
  EXPECT_EQ(response(), "The API is fine, the test is not.") << error();
  EXPECT_EQ(world_.run->state().asked.tool_name, "codereview");
  EXPECT_EQ(std::ranges::count(world_.run->route(), kCliAgent), 1);
  EXPECT_NE(world_.shelf.prompts[1].messages.back().text.find("1 failed"), std::string::npos);
}

TEST_F(SupervisorTest, CommandsWaitForAPersonWhereTheRulesSaySo) {
  world_.commands.rules.approval = true;
  world_.call("cli_execute", {{"commands", {"git status", "rm -rf /", "pytest"}}});
  ASSERT_NE(world_.run->review(), nullptr);
  EXPECT_EQ(world_.run->review()->at("arguments").at("command"), "git status");
  EXPECT_TRUE(world_.commands.shell.ran().empty());
  world_.answer(approval(true));
  ASSERT_NE(world_.run->review(), nullptr);
  EXPECT_EQ(world_.run->review()->at("arguments").at("command"), "pytest");
  world_.answer(approval(false));
  const std::vector<Json>& results = world_.run->state().commands.cli_results;
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(string_or(results[0], "status", ""), "success");
  EXPECT_EQ(string_or(results[1], "status", ""), "blocked");
  EXPECT_EQ(string_or(results[2], "status", ""), "blocked");
  EXPECT_EQ(world_.commands.shell.ran().size(), 1U);
  EXPECT_NE(response().find("$ git status\nclean\n"), std::string::npos);
}

TEST_F(SupervisorTest, AConsensusAsksSideBySideAndJoins) {
  world_.shelf.add("m", R"({"turns": [{"text": "Do it, with care."}]})");
  world_.shelf.add("a", R"({"turns": [{"text": "It is fast."}]})");
  world_.shelf.add("b", R"({"turns": [{"text": "It is fragile."}]})");
  world_.shelf.add("down", R"({"turns": [{"always": true, "fails": {"status": 401}}]})");
  world_.call("consensus", {{"prompt", "Use a cache?"},
                            {"models",
                             {{{"model", "a"}, {"stance", "for"}},
                              {{"model", "b"}, {"stance", "against"}},
                              {{"model", "down"}}}}});
  EXPECT_EQ(response(), "Do it, with care.") << error();
  const std::vector<Json>& opinions = world_.run->state().opinions;
  ASSERT_EQ(opinions.size(), 3U);
  EXPECT_EQ(opinions[0]["text"], "It is fast.");
  EXPECT_NE(string_or(opinions[2], "error", "").find("returned 401"), std::string::npos);
  EXPECT_EQ(world_.shelf.asked, (std::vector<std::string>{"a", "b", "down", "m"}));
  for (std::size_t voice = 0; voice < 3; ++voice) {
    EXPECT_EQ(world_.shelf.prompts[voice].messages.back().text.find("Opinion of"),
              std::string::npos);
  }
  const std::string& last = world_.shelf.prompts.back().messages.back().text;
  EXPECT_NE(last.find("Opinion of b (against)\nIt is fragile."), std::string::npos);
}

TEST_F(SupervisorTest, TheRulesChooseTheModel) {
  world_.shelf.add("m", R"({"turns": [{"text": "m", "always": true}]})");
  world_.shelf.add("o3", R"({"turns": [{"text": "o3", "always": true}]})");
  world_.shelf.add("gemini-2.0-flash", R"({"turns": [{"text": "gemini", "always": true}]})");
  world_.call("thinkdeep", {{"prompt", "x"}});
  EXPECT_EQ(response(), "o3");
  world_.file("/srv/project/big.cc", std::string(50'001, 'x'));
  world_.call("codereview", {{"prompt", "x"}, {"files", {"/srv/project/big.cc"}}});
  EXPECT_EQ(world_.run->state().model.model_name, "gemini-2.0-flash");
  world_.call("chat", {{"prompt", "x"}, {"model", "gone"}});
  EXPECT_TRUE(error().starts_with("There is no model \"gone\". There are ")) << error();
}

TEST_F(SupervisorTest, FilesAreNewestFirstWithinTheBudgetAndTheFolders) {
  world_.shelf.add("m", R"({"turns": [{"text": "ok", "always": true}]})");
  world_.file("/srv/project/old.cc", "old");
  world_.file("/srv/project/new.cc", std::string(4, 'n'));
  world_.file("/srv/project/bin", std::string("a\0b", 3));
  world_.file("/etc/passwd", "root");
  world_.commands.paths.link("/srv/project/link", "/etc/passwd");
  world_.file("/srv/project/huge", std::string(500'000, 'x'));
  Conversation before;
  before.conversation_turns = {
      Json{{"role", "user"}, {"content", "x"}, {"files", {"/srv/project/old.cc"}}}};
  world_.call("chat",
              {{"prompt", "x"},
               {"files",
                {"/srv/project/huge", "/srv/project/link", "/etc/passwd", "/srv/project/bin",
                 "/srv/project/new.cc", "/srv/project/new.cc"}}},
              before);
  const Sources& sources = world_.run->state().sources;
  EXPECT_EQ(sources.files.front(), "/srv/project/new.cc");
  EXPECT_EQ(sources.files.back(), "/srv/project/old.cc");
  EXPECT_EQ(sources.file_content_cache,
            (Json{{"/srv/project/new.cc", "nnnn"}, {"/srv/project/old.cc", "old"}}))
      << "what is too large keeps out nothing that is smaller";
  std::vector<std::string> why;
  for (const Json& out : sources.files_left_out) why.push_back(string_or(out, "why", ""));
  EXPECT_EQ(why,
            (std::vector<std::string>{"it is binary", "it is outside of the allowed folders",
                                      "it is outside of the allowed folders",
                                      "there is no room for it in what the model can be sent"}));
}

TEST_F(SupervisorTest, AModelThatNeverEndsIsStopped) {
  world_.shelf.add("m", R"({"turns": [{"always": true,
    "text": "{\"step\": \"more\", \"next_step_required\": true, \"next_tool\": \"debug\"}"}]})");
  world_.call("debug", {{"prompt", "x"}});
  EXPECT_EQ(status(), Progressing::kError);
  EXPECT_NE(error().find("as often as it may be"), std::string::npos) << error();
  EXPECT_LE(world_.run->state().routing.visits, 64);
}

// What waits for its user goes on in another process.
TEST_F(SupervisorTest, AWorkflowGoesOnAfterARestart) {
  world_.shelf.add("m", R"({"turns": [{"text": "the cause"}]})");
  graph::MemorySaver<graph::SavedState> saver;
  graph::SavedCheckpoints<SupervisorState> first(saver);
  SupervisorThread thread(first, "t", world_.commands.loop, 0);
  world_.call("debug", step(1, true, leak()), {}, &thread);
  ASSERT_NE(world_.run->review(), nullptr);
  world_.run.reset();
  graph::SavedCheckpoints<SupervisorState> second(saver);
  SupervisorThread again(second, "t", world_.commands.loop, 1);
  world_.call("debug", {}, {}, &again);
  ASSERT_NE(world_.run->review(), nullptr);
  EXPECT_EQ(world_.run->review()->at("arguments").at("step_number"), 1);
  world_.answer(step(2, false));
  EXPECT_EQ(response(), "the cause");
  EXPECT_EQ(world_.run->state().workflow.steps.size(), 2U);
}

}  // namespace
}  // namespace plumbline::agents::supervisor
