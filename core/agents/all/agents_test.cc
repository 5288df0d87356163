#include "core/agents/all/agents.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/connector/connector_fixture.h"
#include "core/graph/memory_saver.h"

namespace plumbline::agents {
namespace {

TEST(AgentsTest, EveryAgentHasANameOfItsOwnAGraphAndAState) {
  std::set<std::string_view> names;
  for (const Agent* const agent : all_agents()) {
    EXPECT_TRUE(names.insert(agent->name()).second) << agent->name();
    EXPECT_EQ(find_agent(agent->name()), agent);
    EXPECT_TRUE(agent->what().ends_with('.')) << agent->what();
    EXPECT_FALSE(agent->drawing().nodes.empty());
    EXPECT_NE(agent_names().find(agent->name()), std::string::npos);
  }
  EXPECT_EQ(default_agent().name(), "operations-assistant");
  EXPECT_EQ(find_agent("nobody"), nullptr);
}

// What follows holds for an Agent that asks before it sends an email.
class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    mcp_.discovery.manifest = connector::manifest_of({connector::tool(
        "email", "send_email", "Send an email to somebody.",
        R"({"to": {"type": "string"}, "subject": {"type": "string"}})", "to subject")});
  }

  std::unique_ptr<Session> open() { return default_agent().open({loop_, mcp_, policy_}); }

  Outcome finish(Task<Outcome> task) {
    task.start();
    loop_.run();
    check(task.done(), "the request hangs");
    return std::move(task.result());
  }

  static Request request() { return {"Send an email to bob@example.com with subject Hello"}; }

  connector::TinyLoop loop_;
  connector::FakeMcp mcp_{loop_};
  Policy policy_;
  graph::MemorySaver<SavedState> saver_;
};

TEST_F(SessionTest, ARequestWaitsForAPersonAndGoesOnWithTheAnswer) {
  const std::unique_ptr<Session> session = open();
  const Outcome waiting = finish(session->start(request(), std::nullopt));
  ASSERT_TRUE(waiting.review);
  EXPECT_EQ(string_or(*waiting.review, "name", ""), "send_email");
  EXPECT_TRUE(mcp_.requests.empty());
  const Outcome ended = finish(session->resume(approval(true)));
  EXPECT_FALSE(ended.review);
  EXPECT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(string_or(*find(ended.state, "final_output"), "status", ""), "ok");
  EXPECT_EQ(ended.route.back(), "generate_final_response");
  for (const std::string_view field : default_agent().state_fields()) {
    EXPECT_NE(find(ended.state, field), nullptr) << field;
  }
}

// The state goes through JSON on its way from one process to the next.
TEST_F(SessionTest, AnotherProcessGoesOnWhereTheCheckpointStands) {
  std::unique_ptr<Session> session = open();
  const Outcome before = finish(session->start(request(), Place{saver_, "request"}));
  ASSERT_TRUE(before.review);
  session = open();
  const Outcome again = finish(session->start(request(), Place{saver_, "request"}));
  ASSERT_TRUE(again.review);
  EXPECT_EQ(*again.review, *before.review);
  EXPECT_EQ(mcp_.discoveries, 1);
  const Outcome ended = finish(session->resume(approval(true)));
  EXPECT_EQ(string_or(*find(ended.state, "final_output"), "status", ""), "ok");
  session = open();
  const Outcome told = finish(session->start(request(), Place{saver_, "request"}));
  EXPECT_EQ(told.state, ended.state);
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

TEST_F(SessionTest, OfTwoProcessesThatAnswerOneIsToldAndSendsNothing) {
  const std::unique_ptr<Session> first = open();
  const std::unique_ptr<Session> second = open();
  ASSERT_TRUE(finish(first->start(request(), Place{saver_, "request", 1})).review);
  ASSERT_TRUE(finish(second->start(request(), Place{saver_, "request", 2})).review);
  const Outcome ended = finish(first->resume(approval(true)));
  EXPECT_EQ(string_or(*find(ended.state, "final_output"), "status", ""), "ok");
  const Outcome told = finish(second->resume(approval(true)));
  EXPECT_FALSE(told.review);
  const Json& output = *find(told.state, "final_output");
  EXPECT_EQ(string_or(output, "status", ""), "failed");
  EXPECT_EQ(string_or(output, "outcome", ""), "unknown");
  EXPECT_NE(string_or(output, "response", "").find("written by somebody else"), std::string::npos);
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

TEST_F(SessionTest, AStateThatCannotBeReadIsNotGuessed) {
  std::unique_ptr<Session> session = open();
  ASSERT_TRUE(finish(session->start(request(), Place{saver_, "request"})).review);
  Task<Result<std::optional<graph::Checkpoint<SavedState>>>> reading = saver_.latest("request");
  reading.start();
  graph::Checkpoint<SavedState> broken = *reading.result().value();
  Json state = broken.at.state.json();
  state["value"].erase("mcp_request");
  broken.at.state = SavedState(std::move(state));
  ++broken.step;
  Task<Status> putting = saver_.put({"request", broken.version.number}, broken);
  putting.start();
  session = open();
  const Outcome outcome = finish(session->start(request(), Place{saver_, "request"}));
  const Json& output = *find(outcome.state, "final_output");
  EXPECT_EQ(string_or(output, "status", ""), "failed");
  EXPECT_EQ(string_or(output, "outcome", ""), "unknown");
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(SessionTest, AskPutsWhatWaitsBeforeTheReviewer) {
  const std::unique_ptr<Session> session = open();
  int asked = 0;
  const Outcome outcome = finish(ask(*session, request(), [&asked](const Json&) {
    ++asked;
    return approval(false);
  }));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(mcp_.requests.empty());
  EXPECT_EQ(string_or(*find(outcome.state, "final_output"), "status", ""), "needs_review");
}

TEST_F(SessionTest, AWrongAnswerIsToldAndLeavesTheQuestionOpen) {
  const std::unique_ptr<Session> session = open();
  const Outcome waiting = finish(session->start(request(), Place{saver_, "request"}));
  ASSERT_TRUE(waiting.review);
  const Json wrong[] = {nullptr,
                        true,
                        Json::object(),
                        Json::object({{"approve", 1}}),
                        Json::object({{"approve", true}, {"force", true}}),
                        Json::object({{"approve", false}, {"reason", 7}}),
                        Json::object({{"approve", false}, {"reason", std::string(2000, 'x')}})};
  for (const Json& answer : wrong) {
    EXPECT_FALSE(default_agent().check_answer(*waiting.review, answer).ok());
    const Outcome told = finish(session->resume(answer));
    ASSERT_TRUE(told.wrong_answer) << answer;
    EXPECT_EQ(told.wrong_answer->code, ErrorCode::kInvalidInput);
    EXPECT_EQ(told.review, waiting.review);
  }
  EXPECT_TRUE(mcp_.requests.empty());
  const Outcome ended = finish(session->resume(approval(true)));
  EXPECT_FALSE(ended.wrong_answer);
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

TEST_F(SessionTest, ARefusalMayHaveAReasonThatTheUserIsTold) {
  const std::unique_ptr<Session> session = open();
  ASSERT_TRUE(finish(session->start(request(), Place{saver_, "request"})).review);
  const Json no = {{"approve", false}, {"reason", "the report is not final"}};
  const Outcome ended = finish(session->resume(no));
  const Json& output = *find(ended.state, "final_output");
  EXPECT_EQ(string_or(output, "status", ""), "needs_review");
  EXPECT_NE(string_or(output, "response", "")
                .find("did not use it: a person refused: the report is not final"),
            std::string::npos);
  EXPECT_TRUE(mcp_.requests.empty());
}

// PickySession asks for a colour, whatever is asked of it.
class PickySession final : public Session {
 public:
  Task<Outcome> start(Request, std::optional<Place>) override { co_return asks(std::nullopt); }
  Task<Outcome> resume(Json answer) override {
    const Json* const colour = find(answer, "colour");
    if (colour == nullptr) {
      co_return asks(Error{ErrorCode::kInvalidInput, "expected a \"colour\""});
    }
    Outcome outcome;
    outcome.state["final_output"]["response"] = *colour;
    co_return outcome;
  }

 private:
  static Outcome asks(std::optional<Error> wrong) {
    Outcome outcome;
    outcome.review = "Which colour?";
    outcome.wrong_answer = std::move(wrong);
    return outcome;
  }
};

TEST_F(SessionTest, AQuestionMayWantAnyJson) {
  PickySession session;
  std::vector<Json> answers = {Json::object({{"colour", "red"}}), approval(true)};
  const Outcome outcome = finish(ask(session, request(), [&answers](const Json& review) {
    EXPECT_EQ(review, "Which colour?");
    Json answer = std::move(answers.back());
    answers.pop_back();
    return answer;
  }));
  EXPECT_TRUE(answers.empty());
  EXPECT_EQ(outcome.state["final_output"]["response"], "red");
}

}  // namespace
}  // namespace plumbline::agents
