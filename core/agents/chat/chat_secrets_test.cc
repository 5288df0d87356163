// Reading is not asked about, but what usually holds secrets is: whoever wants it, the model or the
// one that speaks to it.

#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/chat/chat_turn.h"
#include "core/connector/connector_fixture.h"
#include "fakes/model/scripted_model.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::agents::chat {
namespace {

using connector::json;

class ChatSecretsTest : public testing::Test {
 protected:
  ChatSecretsTest() {
    mcp_.discovery.manifest = connector::manifest_of({connector::tool(
        "files", "read_file", "Read a file", R"({"path": {"type": "string"}})", "path")});
  }

  // say begins a turn in which the model reads `paths`.
  void say(std::string text, const Json& paths) {
    Json calls = Json::array();
    for (const Json& path : paths) {
      calls.push_back({{"name", "read_file"}, {"arguments", {{"path", path}}}});
      mcp_.replies.emplace_back(connector::text_result("the content"));
    }
    const Json turns = {{{"calls", calls}}, {{"role", "tool"}, {"text", "read"}}};
    script_ = fakes::parse_model_script({{"turns", turns}}).value();
    model_.emplace(loop_, script_);
    services_.emplace(ChatServices{*model_, mcp_, policy_});
    turn_.emplace(*services_, loop_, nullptr, nullptr);
    model::Message said{.role = model::Role::kUser, .text = std::move(text)};
    Task<void> task = turn_->start(chat_turn_state({}, std::move(said)));
    ASSERT_TRUE(loop_.run_task(task).ok());
  }

  fakes::SimLoop loop_;
  connector::FakeMcp mcp_{loop_};
  Policy policy_;
  fakes::ModelScript script_;
  std::optional<fakes::ScriptedModel> model_;
  std::optional<ChatServices> services_;
  std::optional<ChatTurn> turn_;
};

TEST_F(ChatSecretsTest, AFileThatHoldsThemWaitsForAPersonAndTheOthersDoNot) {
  say("read a", {"a", "~/.ssh/id_rsa"});
  ASSERT_NE(turn_->review(), nullptr);
  EXPECT_EQ(turn_->review()->at("risks"), json(R"(["sensitive_data"])"));
  EXPECT_EQ(mcp_.requests.size(), 1U);
  Task<void> refused = turn_->resume(json(R"({"approve": false})"));
  ASSERT_TRUE(loop_.run_task(refused).ok());
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

TEST_F(ChatSecretsTest, SoDoesWhatThePersonCallsOne) {
  say("show me the salaries in b", {"b"});
  EXPECT_NE(turn_->review(), nullptr);
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(ChatSecretsTest, WhatIsAllowedByNameIsNotAskedAbout) {
  policy_ = Policy::parse(json(R"({"plumbline_policy": 1, "allow": ["files/*"]})")).value();
  say("read the secrets", {".env"});
  EXPECT_EQ(turn_->review(), nullptr);
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

}  // namespace
}  // namespace plumbline::agents::chat
