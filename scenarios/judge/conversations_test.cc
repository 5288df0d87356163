#include "scenarios/judge/conversations.h"

#include <gtest/gtest.h>

namespace plumbline::scenarios {
namespace {

class ConversationsTest : public testing::Test {
 protected:
  void says(EventKind kind, std::string_view message, std::string_view who = "mail") {
    const Json detail = parse_json(message).value();
    conversations_.on_event({Instant{}, kind, who, detail});
  }
  void client(std::string_view message) { says(EventKind::kMessageSent, message); }
  void server(std::string_view message) { says(EventKind::kMessageReceived, message); }

  void open() {
    client(R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
               {"protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "a", "version": "1"}}})");
    server(R"({"jsonrpc": "2.0", "id": 1, "result":
               {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "b", "version": "1"}}})");
    client(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})");
  }

  Redactor redactor_;
  Conversations conversations_{redactor_};
};

TEST_F(ConversationsTest, WhatIsRightIsRightInEachConnection) {
  open();
  client(R"({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})");
  server(R"({"jsonrpc": "2.0", "id": 2, "result": {"tools": []}})");
  says(EventKind::kConnection, R"({"state": "closed"})");
  open();  // With the ids of the one before.
  EXPECT_EQ(conversations_.failures(), std::vector<RunFailure>{});
}

TEST_F(ConversationsTest, ANewProcessCountsAnew) {
  open();
  says(EventKind::kConnection, R"({"state": "started"})");  // What an HTTP server says late.
  client(R"({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})");
  conversations_.restarted();
  open();
  EXPECT_EQ(conversations_.failures(), std::vector<RunFailure>{});
}

TEST_F(ConversationsTest, WhatIsOnItsWayWhenAProcessExitsBelongsToItsConversation) {
  open();
  client(R"({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})");
  says(EventKind::kConnection, R"({"state": "exited"})");
  server(R"({"jsonrpc": "2.0", "id": "s", "method": "ping"})");
  client(R"({"jsonrpc": "2.0", "id": "s", "result": {}})");
  says(EventKind::kConnection, R"({"state": "started"})");
  open();  // Of the next process, though nobody had closed the one before.
  EXPECT_EQ(conversations_.failures(), std::vector<RunFailure>{});
}

TEST_F(ConversationsTest, AnIdThatIsUsedTwiceIsFound) {
  open();
  for (int i = 0; i < 2; ++i) {
    client(R"({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})");
    server(R"({"jsonrpc": "2.0", "id": 2, "result": {"tools": []}})");
  }
  const std::vector<RunFailure> failures = conversations_.failures();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].check, "invariant.keeps-the-specification");
  EXPECT_NE(failures[0].message.find("id"), std::string::npos) << failures[0].message;
}

TEST_F(ConversationsTest, WhatAServerSaysIsNotHeldAgainstUs) {
  open();
  server(R"({"jsonrpc": "2.0", "id": 77, "result": {}})");
  server(R"({"jsonrpc": "1.0", "method": 7})");
  EXPECT_EQ(conversations_.failures(), std::vector<RunFailure>{});
}

}  // namespace
}  // namespace plumbline::scenarios
