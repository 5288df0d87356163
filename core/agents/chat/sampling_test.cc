// Servers that ask the model while a call of theirs is under way.

#include "core/agents/chat/sampling.h"

#include "core/agents/chat/chat_agent_fixture.h"

namespace plumbline::agents::chat {
namespace {

using mcp::Reply;

Json question(std::string_view text) {
  return {{"messages", {{{"role", "user"}, {"content", {{"type", "text"}, {"text", text}}}}}},
          {"systemPrompt", "Be short."},
          {"maxTokens", 20}};
}

// AskingMcp asks the desk in each call, one question after the other, and answers with what came of
// the last. It stands for the hub and its servers.
class AskingMcp final : public connector::McpClient {
 public:
  AskingMcp(SampleDesk& desk, connector::FakeMcp& inner) : desk_(desk), inner_(inner) {}

  std::vector<Json> asks;
  int calls = 0;
  bool goes_on = false;  // Its calls succeed whatever came of it.

  // implements McpClient ---
  Task<connector::Discovery> discover() override { return inner_.discover(); }
  Task<Reply<Json>> invoke(connector::McpRequest request) override {
    ++calls;
    Json said = connector::text_result("nothing was asked");
    for (const Json& one : asks) {
      Json params = one;
      std::string server = request.server;
      const Reply<Json> answer = co_await desk_.answer(std::move(server), std::move(params));
      if (!answer.ok()) {
        Json result = goes_on ? connector::text_result("without")
                              : connector::error_result(answer.error().message);
        co_return result;
      }
      said = connector::text_result("heard: " + dump_json(answer.value()));
    }
    co_return said;
  }

 private:
  SampleDesk& desk_;
  connector::FakeMcp& inner_;
};

class SamplingTest : public ChatTest {
 protected:
  SamplingTest() {
    asking_.asks = {question("sum up the file")};
    script(R"({"turns": [
        {"role": "user", "when": "sum up", "always": true, "text": "a short file"},
        {"role": "user", "when": "read",
         "calls": [{"name": "read_file", "arguments": {"path": "a"}}]},
        {"role": "user", "when": "mail",
         "calls": [{"name": "send_email", "arguments": {"to": "ann"}}]},
        {"role": "tool", "always": true, "text": "{{last}}"}]})");
  }

  void say(std::string text) {
    services_.emplace(ChatServices{*model_, asking_, policy_});
    services_->samples = &desk_;
    turn_.emplace(*services_, loop_, &heard_, nullptr);
    model::Message said{.role = model::Role::kUser, .text = std::move(text)};
    run(turn_->start(chat_turn_state({}, std::move(said))));
  }
  std::string asked_of() {
    return turn_->review() == nullptr ? "" : string_or(*turn_->review(), "type", "");
  }
  std::string shown() { return dump_json(turn_->review()->at("shown")); }

  SampleDesk desk_;
  AskingMcp asking_{desk_, mcp_};
};

TEST_F(SamplingTest, APersonSeesTheQuestionBeforeTheModelDoes) {
  say("read the file");
  ASSERT_EQ(asked_of(), "sampling");
  EXPECT_NE(shown().find("sum up the file"), std::string::npos) << shown();
  EXPECT_NE(shown().find("Be short."), std::string::npos);
  EXPECT_EQ(prompts_.size(), 1U);  // The chat's own.
  decide(R"({"approve": true})");
  EXPECT_EQ(asking_.calls, 2);
  ASSERT_EQ(prompts_.size(), 3U);
  const model::Prompt& prompt = prompts_[1];
  ASSERT_EQ(prompt.messages.size(), 2U);  // Nothing of the conversation.
  EXPECT_EQ(prompt.messages[0].text, "Be short.");
  EXPECT_EQ(prompt.messages[1].text, "sum up the file");
  EXPECT_TRUE(prompt.tools.empty());
  EXPECT_EQ(prompt.settings.output_tokens_max, 20);
  EXPECT_NE(response().find("a short file"), std::string::npos) << response();
  EXPECT_NE(response().find("endTurn"), std::string::npos);
  std::size_t started = 0;
  for (const Json& part : heard_.parts) started += string_or(part, "tool", "") == "started" ? 1 : 0;
  EXPECT_EQ(started, 1U);
}

TEST_F(SamplingTest, WhatIsRefusedIsNotAskedAndTheModelIsTold) {
  say("read the file");
  decide(R"({"approve": false, "reason": "private"})");
  EXPECT_EQ(asking_.calls, 1);
  EXPECT_EQ(prompts_.size(), 2U);
  EXPECT_NE(response().find("a person refused: private"), std::string::npos) << response();
}

TEST_F(SamplingTest, AnotherQuestionThanTheApprovedOneIsAskedAboutAnew) {
  say("read the file");
  asking_.asks = {question("sum up all secrets")};
  decide(R"({"approve": true})");
  EXPECT_EQ(prompts_.size(), 1U);
  ASSERT_EQ(asked_of(), "sampling");
  EXPECT_NE(shown().find("sum up all secrets"), std::string::npos);
}

TEST_F(SamplingTest, AServerThatIsSomewhereElseByNowIsAskedAboutAgain) {
  const auto files_is = [this](const char* place) {
    connector::ServerManifest& files = mcp_.discovery.manifest.servers.front();
    files.place = files.place_digest = place;
  };
  files_is("https://test.example/mcp");
  say("read the file");
  EXPECT_NE(shown().find("https://test.example/mcp"), std::string::npos);
  files_is("https://other.example/mcp");
  decide(R"({"approve": true})");
  EXPECT_EQ(asking_.calls, 1);
  ASSERT_EQ(asked_of(), "sampling");
  EXPECT_NE(shown().find("https://other.example/mcp"), std::string::npos);
}

TEST_F(SamplingTest, OneThatAsksSomethingElseEachTimeIsGivenUp) {
  say("read the file");
  for (std::size_t i = 0; i < kQuestionsCallMax; ++i) {
    ASSERT_EQ(asked_of(), "sampling") << i;
    asking_.asks = {question("sum up " + std::to_string(i))};
    decide(R"({"approve": true})");
  }
  EXPECT_EQ(turn_->review(), nullptr);
  EXPECT_NE(response().find("a person has to approve it first"), std::string::npos) << response();
}

TEST_F(SamplingTest, SeveralQuestionsOfOneCallAreApprovedOneByOne) {
  asking_.asks = {question("sum up the file"), question("sum up the rest")};
  say("read the file");
  EXPECT_NE(shown().find("the file"), std::string::npos);
  decide(R"({"approve": true})");
  ASSERT_EQ(asked_of(), "sampling");
  EXPECT_NE(shown().find("the rest"), std::string::npos);
  decide(R"({"approve": true})");
  EXPECT_EQ(turn_->review(), nullptr);
  EXPECT_NE(response().find("a short file"), std::string::npos) << response();
}

TEST_F(SamplingTest, ACallThatNeedsApprovalNeedsItBesides) {
  say("mail ann");
  EXPECT_EQ(asked_of(), "tool");
  EXPECT_EQ(asking_.calls, 0);
  decide(R"({"approve": true})");
  EXPECT_EQ(asking_.calls, 1);
  EXPECT_EQ(asked_of(), "sampling");
  decide(R"({"approve": true})");
  EXPECT_EQ(asking_.calls, 2);
  EXPECT_NE(response().find("a short file"), std::string::npos) << response();
}

TEST_F(SamplingTest, ACallThatGoesOnWithoutTheModelIsNotMadeAgain) {
  asking_.goes_on = true;
  say("mail ann");
  decide(R"({"approve": true})");
  EXPECT_EQ(turn_->review(), nullptr);
  EXPECT_EQ(asking_.calls, 1);
  EXPECT_EQ(response(), "without");
}

TEST_F(SamplingTest, WhatWasAskedIsKeptWithTheState) {
  say("read the file");
  const ChatState& state = turn_->state();
  ASSERT_EQ(state.samplings.size(), 1U);
  const Result<ChatState> kept = ChatState::from_json(state.to_json());
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept.value().samplings.at(0).params, state.samplings[0].params);
}

// asked returns what the desk says to a question.
Reply<Json> asked(SampleDesk& desk, fakes::SimLoop& loop, const Json& params) {
  Json copy = params;
  Task<Reply<Json>> asking = desk.answer("files", std::move(copy));
  EXPECT_TRUE(loop.run_task(asking).ok());
  return std::move(asking.result());
}

TEST_F(SamplingTest, AQuestionThatBelongsToNoCallOrToSeveralIsTurnedDown) {
  const ChatServices services{*model_, asking_, policy_};
  EXPECT_EQ(asked(desk_, loop_, question("sum up")).error().code, -1);
  const std::string digest = digest_of(sample_action("files", "read_file", question("sum up")));
  const SampleDesk::Visit::Call call{"files", "read_file", {digest}, kNever, ""};
  const SampleDesk::Visit one(desk_, loop_, services, call);
  EXPECT_TRUE(asked(desk_, loop_, question("sum up")).ok());
  const SampleDesk::Visit two(desk_, loop_, services, call);
  EXPECT_EQ(asked(desk_, loop_, question("sum up")).error().code, -1);
  EXPECT_EQ(one.turned_down(), nullptr);
}

TEST_F(SamplingTest, TheEndOfTheCallStopsTheModel) {
  script(R"({"turns": [{"always": true, "text": "One two three.", "piece_ms": 1000}]})");
  const ChatServices services{*model_, asking_, policy_};
  const std::string digest = digest_of(sample_action("files", "read_file", question("x")));
  std::optional<SampleDesk::Visit> visit;
  visit.emplace(desk_, loop_, services,
                SampleDesk::Visit::Call{"files", "read_file", {digest}, kNever, ""});
  Task<Reply<Json>> asking = desk_.answer("files", question("x"));
  asking.start();
  EXPECT_FALSE(asking.done());
  visit.reset();
  ASSERT_TRUE(loop_.run_task(asking).ok());
  EXPECT_EQ(asking.result().error().code, -1);
}

TEST_F(SamplingTest, WhatOurModelDoesNotTakeIsNoQuestion) {
  const ChatServices services{*model_, asking_, policy_};
  const auto code = [&](std::string_view params) {
    const Reply<model::Prompt> prompt = sample_prompt(connector::json(params), services);
    return prompt.ok() ? 0 : prompt.error().code;
  };
  EXPECT_EQ(code(R"({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"},
      {"type": "image", "mimeType": "image/png", "data": "AA=="}]}]})"),
            0);
  EXPECT_EQ(code(R"([])"), -32602);
  EXPECT_EQ(code(R"({})"), -32602);
  EXPECT_EQ(code(R"({"messages": []})"), -32602);
  EXPECT_EQ(code(R"({"messages": [{"role": "system", "content": {"type": "text"}}]})"), -32602);
  EXPECT_EQ(code(R"({"messages": [{"role": "user"}]})"), -32602);
  EXPECT_EQ(code(R"({"messages": [{"role": "user", "content": {"type": "tool_use"}}]})"), -32602);
  EXPECT_EQ(code(R"({"tools": [], "messages": [{"role": "user", "content": []}]})"), -32602);
  Json long_one = question(std::string(limits::kContextBytesMax + 1, 'x'));
  EXPECT_EQ(sample_prompt(long_one, services).error().code, -32602);
}

}  // namespace
}  // namespace plumbline::agents::chat
