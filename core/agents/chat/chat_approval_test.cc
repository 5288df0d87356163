// What a person has approved in the chat is what is called, where it was, and what is linked.

#include "core/agents/chat/chat_agent_fixture.h"

namespace plumbline::agents::chat {
namespace {

using ChatApprovalTest = ChatTest;

TEST_F(ChatApprovalTest, AServerThatIsSomewhereElseByNowIsAskedAboutAgain) {
  script(R"({"turns": [{"calls": [{"name": "send_email", "arguments": {"to": "ann"}}]},
                       {"role": "tool", "text": "{{last}}"}]})");
  const auto mail_is = [this](const char* place) {
    connector::ServerManifest& mail = mcp_.discovery.manifest.servers.back();
    mail.place = mail.place_digest = place;
  };
  const auto shows = [this](const char* place) {
    return dump_json(turn_->review()->at("shown")).find(place) != std::string::npos;
  };
  mail_is("https://test.example/mcp");
  say("mail ann");
  ASSERT_NE(turn_->review(), nullptr);
  EXPECT_TRUE(shows("https://test.example/mcp"));
  mail_is("https://production.example/mcp");
  decide(R"({"approve": true})");
  EXPECT_TRUE(mcp_.requests.empty());
  ASSERT_NE(turn_->review(), nullptr);
  EXPECT_TRUE(shows("https://production.example/mcp"));
  decide(R"({"approve": true})");
  ASSERT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(mcp_.requests[0].place, "https://production.example/mcp");
}

TEST_F(ChatApprovalTest, WhatIsLinkedIsWhatWasShown) {
  Shelf shelf;
  directory_ = &shelf;
  const Json found = {{"id", "files"}, {"name", "Files"}, {"url", "http://other"}};
  shelf.entries = {found};  // Another one than the list has.
  const char* const kScript = R"({"turns": [
      {"calls": [{"name": "add_mcp_server", "arguments": {"mcpServerId": "files"}}]},
      {"role": "tool", "text": "{{last}}"}]})";
  script(kScript);
  say("link files");
  ASSERT_NE(turn_->review(), nullptr);
  EXPECT_NE(dump_json(turn_->review()->at("shown")).find("http://other"), std::string::npos);
  shelf.entries[0]["url"] = "http://third";
  decide(R"({"approve": true})");
  EXPECT_TRUE(shelf.kept.empty());
  ASSERT_NE(turn_->review(), nullptr);
  shelf.entries[0] = found;
  decide(R"({"approve": true})");  // Of what was asked about last.
  EXPECT_TRUE(shelf.kept.empty());
  decide(R"({"approve": true})");
  EXPECT_EQ(shelf.added, found);
  EXPECT_EQ(shelf.kept.size(), 1U);

  shelf.entries.clear();
  shelf.kept.clear();
  script(kScript);
  say("link files");
  EXPECT_EQ(turn_->review(), nullptr);
  EXPECT_EQ(response(), "not called: there is no MCP server \"files\"");
}

}  // namespace
}  // namespace plumbline::agents::chat
