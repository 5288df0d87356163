// A token that is obtained in the middle of a run is a secret from then on: its server may say it
// back, and it stands in no event, no result and no line of a log.

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/auth/auth_fixture.h"
#include "core/connector/mcp_hub.h"
#include "core/events/redacting_sink.h"
#include "core/mcp/server/server.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "fakes/world/trace_recorder.h"

namespace plumbline::connector {
namespace {

constexpr const char* kTold = "https://told.example/mcp";

// TellingServer is an MCP server that takes tokens, and whose tool says which one was shown last.
class TellingServer final : public net::HttpHandler {
 public:
  TellingServer(Loop& loop, fakes::AuthorizationServer& tokens, net::HttpHandler& stranger)
      : tokens_(tokens),
        stranger_(stranger),
        server_(loop, offer(), "telling", nullptr),
        http_(loop, options(), [this](auto channel, const std::string& /*principal*/) {
          server_.accept(std::move(channel));
        }) {
    server_.handle("tools/call", "whoami", mcp::at_once([this](const Json&) -> mcp::Reply<Json> {
                     const Json text = {{"type", "text"}, {"text", "You are " + shown_}};
                     return Json::object({{"content", Json::array({text})}});
                   }));
  }

  const std::string& shown() const { return shown_; }

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    std::string token(request.headers.get("Authorization").value_or(""));
    token.erase(0, std::string_view("Bearer ").size());
    if (!tokens_.accepts(token, kTold, "")) {
      return stranger_.on_request(std::move(request), std::move(reply));
    }
    shown_ = token;
    http_.on_request(std::move(request), std::move(reply));
  }

 private:
  static mcp::ServerOptions offer() {
    mcp::ServerOptions options;
    options.tools.push_back({{"name", "whoami"}, {"inputSchema", {{"type", "object"}}}});
    return options;
  }
  static transport::StreamableHttpServerOptions options() {
    transport::StreamableHttpServerOptions options;
    options.stateful_versions = {"2025-11-25"};
    options.new_session_id = [number = 0]() mutable { return std::to_string(++number); };
    return options;
  }

  fakes::AuthorizationServer& tokens_;
  net::HttpHandler& stranger_;
  std::string shown_;
  mcp::Server server_;
  transport::StreamableHttpServer http_;
};

class LearnedSecretTest : public testing::Test, protected auth::AuthWorldFixture {
 protected:
  // call returns all that was told of one call, as JSON.
  std::string call() {
    McpRequest request;
    request.server = "telling";
    request.method = "tools/call";
    request.params = {{"name", "whoami"}, {"arguments", Json::object()}};
    const mcp::Reply<Json> reply = run(hub_.invoke(std::move(request)));
    return reply.ok() ? dump_json(reply.value()) : reply.error().message;
  }

  static auth::TokenManagerOptions telling(Redactor& secrets) {
    auth::TokenManagerOptions options;
    options.on_secret = [&secrets](const std::string& secret) { secrets.add(secret); };
    return options;
  }
  std::map<std::string, transport::HttpEndpoint> endpoints() {
    transport::HttpEndpoint endpoint;
    endpoint.transport = mcp::Transport::kStreamableHttp;
    endpoint.url = url();
    endpoint.authorizer = &authorizer_;
    std::map<std::string, transport::HttpEndpoint> all;
    all.emplace("telling", std::move(endpoint));
    return all;
  }
  static wire::Url url() { return wire::parse_url(kTold).value(); }
  static HubOptions telling_alone() {
    HubOptions options;
    options.servers = {"telling"};
    return options;
  }

  Redactor secrets_;
  fakes::TraceRecorder trace_{fakes::Keep::kText};
  RedactingSink events_{secrets_, trace_};
  auth::TokenManager tokens_{world(), telling(secrets_)};
  auth::OAuthAuthorizer authorizer_{loop, url(), tokens_, nullptr, "sign in"};
  transport::HttpConnector connector_{loop, network, endpoints(), random_bytes()};
  McpHub hub_{loop, connector_, telling_alone(), secrets_, &events_};
};

TEST_F(LearnedSecretTest, WhatIsRenewedInTheMiddleOfARunStandsNowhere) {
  fakes::ProtectedResource stranger(kTold, auth::kIssuer, issuer);
  TellingServer telling(loop, issuer, stranger);
  const auth::Place place(loop, network, "told.example", telling);
  auth::SignIn by(world(), auth::SignInOptions(), &person);
  const Result<auth::Token> first = run(by.run(url(), auth::Challenge(), std::nullopt));
  ASSERT_TRUE(first.ok()) << first.error().message;
  ASSERT_TRUE(run(tokens_.store(first.value())).ok());
  std::string told = call();
  EXPECT_EQ(telling.shown(), first.value().access_token);
  wait(std::chrono::minutes(58));  // It is renewed five minutes before it ends.
  told += call();
  const std::string renewed = telling.shown();
  EXPECT_NE(renewed, first.value().access_token);
  EXPECT_EQ(issuer.asked().refreshes, 1U);
  ASSERT_NE(told.find("You are [redacted]"), std::string::npos) << told;
  for (const std::string& secret :
       {first.value().access_token, first.value().refresh_token, renewed}) {
    EXPECT_EQ(told.find(secret), std::string::npos) << told;
    EXPECT_EQ(trace_.text().find(secret), std::string::npos);
  }
  EXPECT_NE(trace_.text().find("You are [redacted]"), std::string::npos);
  Task<void> closing = hub_.close();
  EXPECT_TRUE(loop.run_task(closing).ok());
}

}  // namespace
}  // namespace plumbline::connector
