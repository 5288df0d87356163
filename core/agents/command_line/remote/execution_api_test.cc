#include "core/agents/command_line/remote/execution_api.h"

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/command_line/command_fixture.h"
#include "core/agents/command_line/remote/execution_client.h"
#include "core/agents/command_line/remote/remote_desk.h"
#include "core/net/http_server.h"
#include "fakes/world/sim_network.h"

namespace plumbline::agents::command_line {
namespace {

constexpr const char* kApi = "http://127.0.0.1:8080";

// Silent takes requests and never answers, or answers what it is told.
struct Silent final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    ++requests;
    token = std::string(request.headers.get("Authorization").value_or(""));
    if (answer) return reply.respond(*answer);
    replies.push_back(std::move(reply));
  }
  int requests = 0;
  std::string token;
  std::optional<wire::HttpResponse> answer;
  std::vector<net::HttpReply> replies;
};

class ExecutionApiTest : public testing::Test {
 protected:
  ExecutionApiTest() { world_.rules.approval = false; }

  void serve(net::HttpHandler& handler) {
    server_ = std::make_unique<net::HttpServer>(world_.loop, handler, net::HttpAccess::anybody());
    listener_ = network_
                    .listen({"127.0.0.1", 8080}, std::nullopt,
                            [this](auto pipe) { server_->accept(std::move(pipe)); })
                    .value();
  }

  Result<std::unique_ptr<net::RemoteHost>> connect(std::string url, std::string token = "t") {
    net::RemoteAccess access;
    access.host = std::move(url);
    access.password = std::move(token);
    auto task = dialer_.connect(std::move(access), kNever);
    check(world_.loop.run_task(task).ok(), "it hangs");
    return std::move(task.result());
  }

  Result<net::RemoteEnd> run(std::string line, Duration time = std::chrono::seconds(30)) {
    auto host = connect(kApi);
    check(host.ok(), host.ok() ? "" : host.error().message.c_str());
    auto task = host.value()->run(std::move(line), after(world_.loop.now(), time), 1'000);
    check(world_.loop.run_task(task).ok(), "it hangs");
    return std::move(task.result());
  }

  CommandWorld world_;
  fakes::SimNetwork network_{world_.loop, {}, Rng(1)};
  std::unique_ptr<net::HttpServer> server_;
  std::unique_ptr<net::Listener> listener_;
  net::HttpClient client_{world_.loop, network_};
  ExecutionDialer dialer_{client_, {kApi, "https://api.example", "http://api.example"}};
};

TEST_F(ExecutionApiTest, ACommandRunsThereAndIsWrittenDown) {
  ExecutionApi api(world_.desk());
  serve(api);
  const Result<net::RemoteEnd> end = run(quoted_line({"git", "status"}));
  ASSERT_TRUE(end.ok()) << end.error().message;
  EXPECT_EQ(end.value().out, "clean\n");
  EXPECT_EQ(end.value().return_code, 0);
  EXPECT_FALSE(end.value().unknown);
  EXPECT_EQ(string_or(world_.logged().at(0), "who", ""), "HTTP API");
}

TEST_F(ExecutionApiTest, TheRulesThereHold) {
  ExecutionApi api(world_.desk());
  serve(api);
  const Result<net::RemoteEnd> end = run("rm x");
  ASSERT_FALSE(end.ok());
  EXPECT_NE(end.error().message.find("\"rm\" is not among the programs"), std::string::npos);
  EXPECT_TRUE(world_.shell.ran().empty());
}

TEST_F(ExecutionApiTest, NothingRunsThatWantsAPerson) {
  world_.rules.approval = true;
  ExecutionApi api(world_.desk());
  serve(api);
  EXPECT_NE(run("git status").error().message.find("nobody has approved it"), std::string::npos);
  EXPECT_TRUE(world_.shell.ran().empty());
}

TEST_F(ExecutionApiTest, WhatTakesTooLongIsStoppedAndItsOutcomeUnknown) {
  ExecutionApi api(world_.desk());
  serve(api);
  const Result<net::RemoteEnd> end = run("npm test", std::chrono::seconds(2));
  ASSERT_TRUE(end.ok()) << end.error().message;
  ASSERT_TRUE(end.value().unknown);
  EXPECT_EQ(end.value().unknown->code, ErrorCode::kDeadlineExceeded);
}

TEST_F(ExecutionApiTest, WhoHangsUpEndsHisCommand) {
  ExecutionApi api(world_.desk());
  serve(api);
  auto host = connect(kApi);
  {
    auto task = host.value()->run("npm test", kNever, 1'000);
    task.start();
    EXPECT_TRUE(world_.loop.run_until([this] { return !world_.shell.ran().empty(); }, 1'000).ok());
  }
  EXPECT_TRUE(world_.loop.run_until_idle(10'000).ok());
  EXPECT_EQ(world_.logged().size(), 1U);  // That it was decided, and no end.
}

TEST_F(ExecutionApiTest, AnAnswerThatDoesNotComeIsUnknownAndNothingIsSentAgain) {
  Silent silent;
  serve(silent);
  const Result<net::RemoteEnd> late = run("git status", std::chrono::seconds(1));
  ASSERT_TRUE(late.ok());
  EXPECT_TRUE(late.value().unknown);
  silent.answer = wire::HttpResponse{502, {}, ""};
  EXPECT_TRUE(run("git status").value().unknown);
  silent.answer = wire::HttpResponse{200, {}, "{}"};
  EXPECT_TRUE(run("git status").value().unknown);
  EXPECT_EQ(silent.requests, 3);
  EXPECT_EQ(silent.token, "Bearer t");
  silent.answer = wire::HttpResponse{401, {}, ""};
  EXPECT_FALSE(run("git status").ok());
}

TEST_F(ExecutionApiTest, WithoutAConnectionItCertainlyDidNotRun) {
  EXPECT_FALSE(run("git status").ok());
}

TEST_F(ExecutionApiTest, ATokenGoesOnlyWhereItMay) {
  EXPECT_NE(connect("https://other.example").error().message.find("is not among the APIs"),
            std::string::npos);
  EXPECT_NE(connect("http://api.example").error().message.find("expected https"),
            std::string::npos);
  EXPECT_NE(connect(kApi, "").error().message.find("there is no token"), std::string::npos);
  EXPECT_TRUE(connect("https://api.example/v1/").ok());
}

TEST_F(ExecutionApiTest, WhatIsNoRequestIsRefused) {
  ExecutionApi api(world_.desk());
  serve(api);
  const auto post = [this](std::string method, std::string body) {
    wire::HttpRequest request;
    request.method = std::move(method);
    request.body = std::move(body);
    auto task = net::fetch(client_, wire::parse_url(std::string(kApi) + kExecutionPath).value(),
                           std::move(request), kNever, 10'000);
    check(world_.loop.run_task(task).ok(), "it hangs");
    return task.result().value();
  };
  EXPECT_EQ(post("GET", "").status, 405);
  EXPECT_EQ(post("POST", "{").status, 400);
  EXPECT_EQ(post("POST", "{}").body,
            R"({"error":"a request has no \"command\", expected a string"})");
  EXPECT_EQ(post("POST", R"({"command": "git status", "env_vars": {}})").status, 400);
  EXPECT_EQ(post("POST", R"({"command": "git status"})").status, 200);
}

}  // namespace
}  // namespace plumbline::agents::command_line
