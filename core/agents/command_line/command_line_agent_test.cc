#include "core/agents/command_line/command_line_agent.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/command_line/command_fixture.h"
#include "core/connector/connector_fixture.h"
#include "core/graph/memory_saver.h"

namespace plumbline::agents::command_line {
namespace {

using std::chrono::seconds;

class CommandLineAgentTest : public testing::Test {
 protected:
  std::unique_ptr<Session> open() {
    return command_line_agent().open(
        {.loop = world_.loop, .mcp = mcp_, .policy = policy_, .commands = &world_.desk()});
  }

  Outcome finish(Task<Outcome> task) {
    task.start();
    EXPECT_TRUE(world_.loop.run_until_idle(100'000).ok());
    EXPECT_TRUE(task.done());
    return std::move(task.result());
  }

  Outcome ask(Session& session, std::string input) {
    return finish(session.start({std::move(input), {}}, Place{saver_, "t"}));
  }

  static std::string status(const Outcome& outcome) {
    return string_or(outcome.state["final_output"], "status", "");
  }

  CommandWorld world_;
  connector::TinyLoop tiny_;
  connector::FakeMcp mcp_{tiny_};
  Policy policy_;
  graph::MemorySaver<SavedState> saver_;
};

TEST_F(CommandLineAgentTest, ACommandWaitsForAPersonAndThenRunsOnce) {
  const auto session = open();
  const Outcome waiting = ask(*session, "git status");
  ASSERT_TRUE(waiting.review) << waiting.state;
  EXPECT_EQ(
      (*waiting.review)["arguments"],
      Json({{"command", "git status"}, {"folder", "/srv/project"}, {"program", "/usr/bin/git"}}));
  EXPECT_TRUE(world_.shell.ran().empty());
  const Outcome ended = finish(session->resume(approval(true)));
  EXPECT_EQ(status(ended), "ok");
  EXPECT_EQ(string_or(ended.state["final_output"], "response", ""), "$ git status\nclean\n");
  EXPECT_EQ(world_.shell.ran().size(), 1U);
  EXPECT_EQ(ended.route, (std::vector<std::string>{"check_command", "ask_person", "run_command",
                                                   "check_command", "answer"}));
  for (const std::string_view field : command_line_agent().state_fields()) {
    EXPECT_NE(find(ended.state, field), nullptr) << field;
  }
}

TEST_F(CommandLineAgentTest, ARefusalRunsNothingAndIsTold) {
  const auto session = open();
  ask(*session, "git push");
  const Outcome ended =
      finish(session->resume(Json({{"approve", false}, {"reason", "not on Fridays"}})));
  EXPECT_EQ(status(ended), "needs_review");
  EXPECT_EQ(string_or(ended.state["cli_results"][0], "error", ""),
            "Command blocked for security: a person refused it: not on Fridays");
  EXPECT_TRUE(world_.shell.ran().empty());
  EXPECT_EQ(string_or(world_.logged().at(0), "decision", ""), "refused");
}

TEST_F(CommandLineAgentTest, WhatTheRulesRefuseIsNotEvenAsked) {
  const auto session = open();
  const Outcome ended = ask(*session, R"({"commands": ["rm x", "git a; git b"]})");
  EXPECT_FALSE(ended.review);
  EXPECT_EQ(status(ended), "needs_review");
  ASSERT_EQ(ended.state["cli_results"].size(), 2U);
  EXPECT_EQ(string_or(ended.state["cli_results"][1], "status", ""), "blocked");
}

TEST_F(CommandLineAgentTest, WhatIsRememberedIsThatLineAndNoOther) {
  const auto session = open();
  ask(*session, R"({"commands": ["git status", "git status", "git log"]})");
  const Outcome next = finish(session->resume(Json({{"approve", true}, {"remember", true}})));
  ASSERT_TRUE(next.review);
  EXPECT_EQ(string_or((*next.review)["arguments"], "command", ""), "git log");
  EXPECT_EQ(world_.shell.ran().size(), 2U);
  EXPECT_EQ(status(finish(session->resume(approval(true)))), "ok");
}

TEST_F(CommandLineAgentTest, ATimeoutOfTheRequestHolds) {
  const auto session = open();
  ask(*session, R"({"commands": ["npm test"], "timeout": 2})");
  const Outcome ended = finish(session->resume(approval(true)));
  EXPECT_EQ(status(ended), "failed");
  EXPECT_EQ(string_or(ended.state["cli_results"][0], "status", ""), "timeout");
  EXPECT_EQ(int_or(ended.state["cli_results"][0], "duration_ms", 0), 2'000);
}

TEST_F(CommandLineAgentTest, AQuestionIsAskedAgainInTheNextProcessAndAnAnswerIsNot) {
  auto session = open();
  ASSERT_TRUE(ask(*session, "git status").review);
  session = open();
  ASSERT_TRUE(ask(*session, "git status").review);
  EXPECT_EQ(status(finish(session->resume(approval(true)))), "ok");
  session = open();
  EXPECT_EQ(status(ask(*session, "git status")), "ok");
  EXPECT_EQ(world_.shell.ran().size(), 1U);
}

// Whenever it dies, a command runs at most once, and what may have run is said to be unknown.
TEST_F(CommandLineAgentTest, WhateverDiesWhenNothingRunsTwice) {
  world_.shell.add({"git", "push"}, {.out = "pushed\n", .takes = seconds(10)});
  auto session = open();
  ASSERT_TRUE(ask(*session, R"({"commands": ["git push", "git log"]})").review);
  Task<Outcome> dying = session->resume(approval(true));
  dying.start();
  bool late = false;
  Alarm death([&late] { late = true; });
  world_.loop.arm(death, after(world_.loop.now(), seconds(3)));
  EXPECT_TRUE(world_.loop.run_until([&late] { return late; }, 10'000).ok());
  EXPECT_FALSE(dying.done());
  ASSERT_EQ(world_.shell.ran().size(), 1U);
  dying.drop();
  session = open();
  const Outcome next = ask(*session, R"({"commands": ["git push", "git log"]})");
  ASSERT_TRUE(next.review);  // Of the second command.
  EXPECT_EQ(string_or((*next.review)["arguments"], "command", ""), "git log");
  const Outcome ended = finish(session->resume(approval(true)));
  EXPECT_EQ(world_.shell.ran().size(), 2U);
  EXPECT_EQ(status(ended), "needs_review");
  const Json& push = ended.state["cli_results"][0];
  EXPECT_EQ(string_or(push, "outcome", ""), "unknown");
  EXPECT_EQ(string_or(push, "error", ""),
            "it is not known whether it ran: it may have, to its end or not, and is not run again");
}

TEST_F(CommandLineAgentTest, AWrongRequestIsOneLine) {
  const auto wrong = [this](std::string input) {
    const auto session = command_line_agent().open(
        {.loop = world_.loop, .mcp = mcp_, .policy = policy_, .commands = &world_.desk()});
    const Outcome ended = finish(session->start({std::move(input), {}}, std::nullopt));
    EXPECT_EQ(status(ended), "failed");
    return ended.state["errors"][0].get<std::string>();
  };
  EXPECT_EQ(wrong("{}"), "cli_execute has no \"commands\", expected a list of command lines");
  EXPECT_EQ(wrong(R"({"commands": ["ls"], "env_vars": {"A": 1}})"),
            "/env_vars/A: here is a number, expected a string");
  EXPECT_TRUE(wrong("{x").starts_with("the request begins with \"{\" and is no JSON: "));
}

TEST_F(CommandLineAgentTest, WithoutADeskNothingRuns) {
  const auto session = command_line_agent().open({world_.loop, mcp_, policy_});
  const Outcome ended = finish(session->start({"git status", {}}, std::nullopt));
  EXPECT_EQ(status(ended), "failed");
  EXPECT_EQ(ended.state["errors"][0], "no commands are run here");
}

TEST_F(CommandLineAgentTest, AnAnswerThatIsNoneIsTold) {
  const Json review = {{"remembers", true}};
  const auto right = [&review](const char* answer) {
    return command_line_agent().check_answer(review, parse_json(answer).value()).ok();
  };
  EXPECT_TRUE(right(R"({"approve": true, "remember": true})"));
  EXPECT_TRUE(right(R"({"approve": false, "reason": "no"})"));
  EXPECT_FALSE(right(R"({"approve": false, "remember": true})"));
  EXPECT_FALSE(right(R"({"approve": true, "remember": 1})"));
  EXPECT_FALSE(right(R"({"remember": true})"));
  const Json remote = Json::object();
  const Json keep = {{"approve", true}, {"remember", true}};
  EXPECT_FALSE(command_line_agent().check_answer(remote, keep).ok());
}

}  // namespace
}  // namespace plumbline::agents::command_line
