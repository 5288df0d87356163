// One server, several clients.

#include "core/mcp/server/server.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/mcp/both_sides/value_link_fixture.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/protocol/test_values.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;

class ServerTest : public testing::Test {
 protected:
  static ServerOptions offer() {
    ServerOptions options;
    options.tools = {json(R"({"name":"echo","inputSchema":{"type":"object"}})")};
    options.resources = {json(R"({"uri":"file:///a","name":"a"})")};
    options.subscribe = true;
    options.logging = true;
    return options;
  }

  // Guest is a client with its link, and what it has heard.
  struct Guest {
    Guest(Loop& loop, WireJudge& judge) : link(loop, &judge) {}
    ValueLink link;
    std::unique_ptr<ClientSession> session;
    Lines heard;
  };

  Guest& arrive() {
    Guest& guest = *guests_.emplace_back(
        std::make_unique<Guest>(loop_, *judges_.emplace_back(std::make_unique<WireJudge>())));
    server_.accept(std::make_unique<ValueLink::Borrowed>(guest.link.server));
    ClientOptions options;
    options.on_notified = [&guest](std::string_view method, const Json&) {
      guest.heard.emplace_back(method);
    };
    guest.session =
        std::make_unique<ClientSession>(loop_, guest.link.client, options, "client", nullptr);
    Task<Reply<ServerInfo>> opened = guest.session->initialize(loop_.now() + seconds(9));
    opened.start();
    loop_.run_until(loop_.now() + seconds(1));
    check(opened.done() && opened.result().ok(), "the guest is not in");
    return guest;
  }

  void TearDown() override {
    for (const auto& judge : judges_) EXPECT_EQ(judge->problems(), Lines());
  }

  TinyLoop loop_;
  std::vector<std::unique_ptr<WireJudge>> judges_;  // One a conversation.
  std::vector<std::unique_ptr<Guest>> guests_;      // The server uses their links to the end.
  Server server_{loop_, offer(), "server", nullptr};
};

TEST_F(ServerTest, EverySessionHearsWhatConcernsIt) {
  Guest& a = arrive();
  Guest& b = arrive();
  Task<Reply<Json>> subscribed = b.session->subscribe("file:///a", loop_.now() + seconds(9));
  subscribed.start();
  loop_.run();
  server_.set_tools({});
  server_.resource_updated("file:///a");
  server_.log("info", "", "hello");
  loop_.run();
  EXPECT_EQ(a.heard, (Lines{"notifications/tools/list_changed", "notifications/message"}));
  EXPECT_EQ(b.heard, (Lines{"notifications/tools/list_changed", "notifications/resources/updated",
                            "notifications/message"}));
  EXPECT_TRUE(server_.options().tools.empty());
}

TEST_F(ServerTest, OneSetOfHandlersServesEverySession) {
  int calls = 0;
  server_.handle("tools/call", "echo", at_once([&calls](const Json&) {
                   ++calls;
                   return json(R"({"content":[]})");
                 }));
  for (int i = 0; i < 3; ++i) {
    Task<Reply<Json>> call =
        arrive().session->call_tool("echo", Json::object(), loop_.now() + seconds(9));
    call.start();
    loop_.run();
    EXPECT_TRUE(call.result().ok());
  }
  EXPECT_EQ(calls, 3);
}

TEST_F(ServerTest, ASessionThatHasEndedIsLetGo) {
  bool idle = false;
  server_.on_idle([&idle] { idle = true; });
  arrive().session->close();
  Guest& b = arrive();
  loop_.run();
  EXPECT_EQ(server_.sessions(), 1U);
  EXPECT_FALSE(idle);
  b.session->close();
  loop_.run();
  EXPECT_EQ(server_.sessions(), 0U);
  EXPECT_TRUE(idle);
}

TEST_F(ServerTest, ClosingLetsGoOfAClientThatStays) {
  Guest& guest = arrive();
  const Instant closed = loop_.now();
  server_.close();
  loop_.run_until(closed + limits::kStopGrace - Duration(1));
  EXPECT_FALSE(guest.session->open());
  EXPECT_EQ(server_.sessions(), 1U);
  loop_.run_until(closed + limits::kStopGrace);
  EXPECT_EQ(server_.sessions(), 0U);
}

}  // namespace
}  // namespace plumbline::mcp
