// Whose a session is: what a gate has found out about who asks goes along with every channel, and a
// session is there for its own principal alone.

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/mcp/transport/server/web_server.h"
#include "core/net/http_client.h"
#include "core/net/http_gate.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "tests/transports/channel_end.h"

namespace plumbline::transports_test {
namespace {

using std::chrono::seconds;

// NameGate lets in whoever says a name.
class NameGate final : public net::HttpGate {
 public:
  void guard(const std::string& /*url*/, net::HttpHandler& inside) override { inside_ = &inside; }
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    reply.set_principal(std::string(request.headers.get("X-Name").value_or("")));
    inside_->on_request(std::move(request), std::move(reply));
  }

 private:
  net::HttpHandler* inside_ = nullptr;
};

struct Answer final : net::HttpExchangeReader {
  void on_head(int code, const wire::HttpHeaders& fields) override {
    status = code;
    headers = fields;
  }
  void on_body(std::string_view bytes) override { body += bytes; }
  void on_end() override {}
  void on_failed(const Error& why, bool /*was_connected*/) override { body = why.message; }
  int status = 0;
  wire::HttpHeaders headers;
  std::string body;
};

class PrincipalTest : public testing::Test {
 protected:
  void serve(mcp::Transport over) {
    transport::WebServerOptions options;
    options.transport = over;
    options.at = {"h", 80};
    options.access = net::HttpAccess::anybody();
    options.stateful_versions = {"2025-11-25"};
    options.stateless_versions = {"2026-07-28"};
    options.new_session_id = [this] { return "s" + std::to_string(++ids_); };
    options.gate = &gate_;
    auto listening = transport::WebServer::listen(
        loop_, network_, std::move(options), [this](auto channel, std::string principal) {
          principals_.push_back(std::move(principal));
          served_.push_back(std::make_unique<ChannelEnd>());
          served_.back()->act = [end = served_.back().get()](const Json& message) {
            if (message.contains("id")) {
              end->answer(message["id"], {{"protocolVersion", "2025-11-25"}});
            }
          };
          served_.back()->take(std::move(channel));
        });
    web_ = std::move(listening).value();
  }

  // ask sends one request as `name` and returns what has come of it ten seconds later, as streams
  // stay open.
  const Answer& ask(std::string method, const std::string& name, const std::string& target,
                    wire::HttpHeaders headers = {}, const Json& message = nullptr) {
    wire::HttpRequest request;
    request.method = std::move(method);
    request.headers = std::move(headers);
    request.headers.set("X-Name", name);
    request.headers.set("Accept", request.method == "POST" ? "application/json, text/event-stream"
                                                           : "text/event-stream");
    if (!message.is_null()) {
      request.headers.set("Content-Type", "application/json");
      request.body = dump_json(message);
    }
    answers_.push_back(std::make_unique<Answer>());
    const wire::Url to = wire::parse_url("http://h" + target).value();
    exchanges_.push_back(client_.start(to, std::move(request), *answers_.back(), kNever));
    Alarm over([] {});
    loop_.arm(over, after(loop_.now(), seconds(10)));
    EXPECT_TRUE(loop_.run_until([&over] { return !over.armed(); }).ok());
    return *answers_.back();
  }

  static Json call(int id, const std::string& method) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", Json::object()}};
  }

  fakes::SimLoop loop_;
  fakes::SimNetwork network_{loop_, fakes::PipeOptions(), Rng(1)};
  NameGate gate_;
  int ids_ = 0;
  std::vector<std::string> principals_;
  std::vector<std::unique_ptr<ChannelEnd>> served_;
  std::unique_ptr<transport::WebServer> web_;
  net::HttpClient client_{loop_, network_};
  std::vector<std::unique_ptr<Answer>> answers_;
  std::vector<std::unique_ptr<net::HttpExchange>> exchanges_;
};

// Goal: nothing of a session is there for anybody else. Method: each way to come to it, with its
// right id, as its own principal and as others.
TEST_F(PrincipalTest, ASessionOfStreamableHttpIsThereForItsOwnPrincipalAlone) {
  serve(mcp::Transport::kStreamableHttp);
  const Answer& opened = ask("POST", "ada", "/mcp", {}, call(0, "initialize"));
  ASSERT_EQ(opened.status, 200);
  const wire::HttpHeaders session = {
      {"Mcp-Session-Id", std::string(opened.headers.get("Mcp-Session-Id").value_or(""))}};
  EXPECT_EQ(principals_, (std::vector<std::string>{"ada"}));
  for (const char* const other : {"bob", "", "Ada", "ad"}) {
    EXPECT_EQ(ask("POST", other, "/mcp", session, call(1, "tools/list")).status, 404) << other;
    EXPECT_EQ(ask("GET", other, "/mcp", session).status, 404) << other;
    EXPECT_EQ(ask("DELETE", other, "/mcp", session).status, 404) << other;
  }
  EXPECT_EQ(served_.at(0)->messages.size(), 1U) << "nothing of others has arrived";
  EXPECT_EQ(ask("POST", "ada", "/mcp", session, call(2, "tools/list")).status, 200);
  const Answer& listening = ask("GET", "ada", "/mcp", session);
  EXPECT_EQ(listening.status, 200);
  served_.at(0)->notify("notifications/x");
  wire::HttpHeaders resuming = session;
  resuming.set("Last-Event-ID", "0-1");
  EXPECT_EQ(ask("GET", "bob", "/mcp", resuming).status, 404);
  EXPECT_NE(listening.body.find("notifications/x"), std::string::npos) << listening.body;
  EXPECT_EQ(ask("GET", "ada", "/mcp", resuming).status, 200);
  EXPECT_EQ(ask("DELETE", "ada", "/mcp", session).status, 200);
}

TEST_F(PrincipalTest, AStatelessRequestIsOfWhoSendsIt) {
  serve(mcp::Transport::kStreamableHttp);
  Json message = call(0, "tools/list");
  message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  const wire::HttpHeaders headers = {{"MCP-Protocol-Version", "2026-07-28"},
                                     {"Mcp-Method", "tools/list"}};
  for (const char* const name : {"ada", "bob", ""}) {
    EXPECT_EQ(ask("POST", name, "/mcp", headers, message).status, 200) << name;
  }
  EXPECT_EQ(principals_, (std::vector<std::string>{"ada", "bob", ""}));
}

TEST_F(PrincipalTest, ASessionOfHttpAndSseTakesMessagesOfItsOwnPrincipalAlone) {
  serve(mcp::Transport::kSse);
  EXPECT_EQ(ask("GET", "ada", "/sse").status, 200);
  EXPECT_EQ(principals_, (std::vector<std::string>{"ada"}));
  const std::string to = "/messages?sessionId=s1";
  EXPECT_EQ(ask("POST", "bob", to, {}, call(0, "initialize")).status, 404);
  EXPECT_EQ(ask("POST", "", to, {}, call(0, "initialize")).status, 404);
  EXPECT_TRUE(served_.at(0)->messages.empty());
  EXPECT_EQ(ask("POST", "ada", to, {}, call(0, "initialize")).status, 202);
  EXPECT_EQ(served_.at(0)->messages.size(), 1U);
}

TEST_F(PrincipalTest, AWebSocketIsOfWhoHasOpenedIt) {
  serve(mcp::Transport::kWebSocket);
  const wire::HttpHeaders upgrade = {{"Upgrade", "websocket"},
                                     {"Connection", "Upgrade"},
                                     {"Sec-WebSocket-Version", "13"},
                                     {"Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="},
                                     {"Sec-WebSocket-Protocol", "mcp"}};
  ask("GET", "ada", "/mcp", upgrade);
  EXPECT_EQ(principals_, (std::vector<std::string>{"ada"}));
}

}  // namespace
}  // namespace plumbline::transports_test
