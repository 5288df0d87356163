// How the server engine asks by a result, in the stateless revision.

#include <gtest/gtest.h>

#include "core/mcp/server/server_engine_fixture.h"

namespace plumbline::mcp {
namespace {

const char* const kForms = R"({"elicitation":{}})";

class ServerInputTest : public StatelessServerTest {
 protected:
  // call sends the call, with `more` members in its params.
  Json call(const std::string& more = "", Instant now = at(1), const std::string& arguments = "t") {
    return ask("tools/call",
               R"({"name":"ask","arguments":{"text":")" + arguments + "\"}" + more + "}", kForms,
               now);
  }

  Json question(const std::string& name) {
    std::vector<Ask> asks;
    asks.push_back(Ask{name, "elicitation/create", json(R"({"message":"?"})")});
    engine_->ask(calls_.at(0).key, std::move(asks), at(1));
    take();
    return sent_.at(0)["result"];
  }

  // second_state plays two rounds and returns the requestState of the second.
  std::string second_state() {
    make(full());
    call();
    const std::string state = string_or(question("first"), "requestState", "");
    call(R"(,"inputResponses":{"first":{"action":"accept"},"unasked":{}},"requestState":)" +
         dump_json(Json(state)));
    EXPECT_NE(engine_->answer_of(calls_.at(0).key, "first"), nullptr);
    return string_or(question("second"), "requestState", "");
  }

  std::int64_t code_with(const std::string& state, Instant now = at(1),
                         const std::string& arguments = "t") {
    const Json answer = call(R"(,"requestState":)" + dump_json(Json(state)), now, arguments);
    const Json* const code = at_pointer(answer, "/error/code");
    return code ? code->get<std::int64_t>() : 0;
  }
};

TEST_F(ServerInputTest, AQuestionEndsTheCall) {
  make(full());
  call();
  const Json result = question("who");
  EXPECT_EQ(dump_json(result["inputRequests"]),
            R"({"who":{"method":"elicitation/create","params":{"message":"?"}}})");
  EXPECT_EQ(string_or(result, "resultType", ""), "input_required");
  EXPECT_EQ(find(result, "ttlMs"), nullptr);
  EXPECT_EQ(engine_->running(), 0U);
}

TEST_F(ServerInputTest, AnswersOfEarlierRoundsComeBackInTheState) {
  const std::string state = second_state();
  call(R"(,"inputResponses":{"second":{"action":"decline"}},"requestState":)" +
       dump_json(Json(state)));
  const ServerEngine::Key key = calls_.at(0).key;
  EXPECT_EQ(string_or(*engine_->answer_of(key, "first"), "action", ""), "accept");
  EXPECT_EQ(string_or(*engine_->answer_of(key, "second"), "action", ""), "decline");
  EXPECT_EQ(engine_->answer_of(key, "unasked"), nullptr);  // Nobody had asked: not kept.
  EXPECT_EQ(find(calls_.at(0).params, "requestState"), nullptr);
}

TEST_F(ServerInputTest, AnAnswerWithoutTheStateOfItsQuestionDoesNotCount) {
  make(full());
  call();
  const std::string state = string_or(question("first"), "requestState", "");
  const auto counts = [&](const std::string& name, const std::string& with_state) {
    call(",\"inputResponses\":{\"" + name + "\":{\"action\":\"accept\"}}" + with_state);
    const Json* const kept = find(calls_.at(0).params, "inputResponses");
    const bool counted = engine_->answer_of(calls_.at(0).key, name) != nullptr;
    EXPECT_EQ(kept->size(), counted ? 1U : 0U);
    return counted;
  };
  const std::string with = ",\"requestState\":" + dump_json(Json(state));
  EXPECT_TRUE(counts("first", with));
  EXPECT_FALSE(counts("first", ""));
  EXPECT_FALSE(counts("second", with));
}

TEST_F(ServerInputTest, AStateThatIsNotOursIsRefused) {
  const std::string state = second_state();
  EXPECT_EQ(code_with(state), 0);
  for (const std::string& bad :
       {std::string(), std::string("x"), state + " ", state.substr(1),
        std::string(64, '0') + R"({"answers":{"first":{"action":"accept"}}})"}) {
    EXPECT_EQ(code_with(bad), rpc::kInvalidParams) << bad;
  }
  const Json number = call(R"(,"requestState":7)");
  EXPECT_NE(find(number, "error"), nullptr);
}

TEST_F(ServerInputTest, AStateHoldsForItsCallItsPersonAndItsTime) {
  const std::string state = second_state();
  EXPECT_EQ(code_with(state, at(1), "another"), rpc::kInvalidParams);
  EXPECT_EQ(code_with(state, at(601)), 0);
  EXPECT_EQ(code_with(state, at(602)), rpc::kInvalidParams);
  principal_ = "mallory";
  make(full());
  EXPECT_EQ(code_with(state), rpc::kInvalidParams);
}

// The secret is shared by processes: a state is as old for one that has just begun.
TEST_F(ServerInputTest, AStateAgesByTheTimeOfDayWhoeverReadsIt) {
  const std::string state = second_state();
  const auto begun_at = [this](std::chrono::seconds day_time) {
    ServerOptions options = full();
    options.clock = day_time;
    make(std::move(options));
  };
  begun_at(std::chrono::seconds(500));
  EXPECT_EQ(code_with(state, at(1)), 0);
  begun_at(std::chrono::seconds(601));
  EXPECT_EQ(code_with(state, at(1)), rpc::kInvalidParams);
}

TEST_F(ServerInputTest, AHandlersOwnStateComesBackAsItWas) {
  make(full());
  call();
  const Json result = finish(R"({"resultType":"input_required","requestState":"mine"})");
  const std::string state = string_or(result["result"], "requestState", "");
  EXPECT_NE(state, "mine");
  call(R"(,"requestState":)" + dump_json(Json(state)));
  EXPECT_EQ(string_or(calls_.at(0).params, "requestState", ""), "mine");
}

TEST_F(ServerInputTest, WhatTheClientHasNotDeclaredIsNotAsked) {
  make(full());
  call();
  Ask roots;
  roots.method = "roots/list";
  const auto no = engine_->undeclared(calls_.at(0).key, roots);
  ASSERT_TRUE(no.has_value());
  EXPECT_EQ(no->code, rpc::kMissingClientCapability);
  EXPECT_EQ(dump_json(no->data), R"({"requiredCapabilities":{"roots":{}}})");
  const Json answer = finish(R"({"resultType":"input_required","inputRequests":{
      "k":{"method":"elicitation/create","params":{"mode":"url"}}}})");
  EXPECT_EQ(dump_json(*at_pointer(answer, "/error/data")),
            R"({"requiredCapabilities":{"elicitation":{"url":{}}}})");
}

TEST_F(ServerInputTest, MalformedAnswersAreRefused) {
  make(full());
  for (const char* bad : {R"(,"inputResponses":7)", R"(,"inputResponses":{"a":7})"}) {
    EXPECT_NE(find(call(bad), "error"), nullptr) << bad;
  }
}

TEST_F(ServerInputTest, OnlyThreeMethodsMayAskByTheirResult) {
  make(full());
  ask("completion/complete", R"({"ref":{"type":"ref/prompt","name":"greet"},
                                 "argument":{"name":"a","value":""}})");
  const Json answer = finish(R"({"resultType":"input_required","requestState":"x"})");
  EXPECT_NE(find(answer, "error"), nullptr);
  call();
  EXPECT_NE(find(finish(R"({"resultType":"input_required"})"), "error"), nullptr);
}

}  // namespace
}  // namespace plumbline::mcp
