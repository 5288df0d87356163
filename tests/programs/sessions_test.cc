// `sessions`: the server as a program.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/net/http_client.h"
#include "core/os/net/real_network.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class SessionsTest : public ProgramTest {
 protected:
  RunningServer serve(const std::vector<std::string>& more) {
    std::vector<std::string> words = {PLUMBLINE_PROGRAM, "sessions", "--listen", "127.0.0.1:0",
                                      "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    net::Command command(words);
    command.cwd = folder_.string();
    return RunningServer(command);
  }

  // ask returns the status and the body of an answer of the server at `url`.
  static wire::HttpResponse ask(const std::string& method, const std::string& url) {
    os::RealLoop loop;
    os::RealNetwork network(loop);
    net::HttpClient client(loop, network);
    wire::HttpRequest request;
    request.method = method;
    std::optional<Result<wire::HttpResponse>> answer =
        os::run(loop, net::fetch(client, wire::parse_url(url).value(), std::move(request),
                                 loop.now() + seconds(20), 1U << 20U));
    if (!answer || !answer->ok()) return {};
    return std::move(*answer).value();
  }

  static std::string base_of(const RunningServer& server) {
    return server.url().substr(0, server.url().rfind("/mcp"));
  }
};

TEST_F(SessionsTest, ARestartWithTheSameStoreLosesNoSession) {
  std::string code;
  {
    RunningServer server = serve({"--store", "sqlite:sessions.db"});
    EXPECT_TRUE(server.url().ends_with("/mcp")) << server.url();
    const wire::HttpResponse made = ask("POST", base_of(server) + "/api/sessions");
    ASSERT_EQ(made.status, 201) << made.body;
    code = string_or(parse_json(made.body).value(), "code", "");
    EXPECT_EQ(server.stop(), net::ExitStatus());
  }
  RunningServer again = serve({"--store", "sqlite:sessions.db"});
  EXPECT_EQ(ask("GET", base_of(again) + "/api/sessions/" + code).status, 200);
  EXPECT_EQ(ask("GET", base_of(again) + "/readyz").status, 200);
  EXPECT_NE(ask("GET", base_of(again) + "/metrics").body.find("plumbline_sessions_active"),
            std::string::npos);
  EXPECT_EQ(ask("GET", base_of(again) + "/").headers.get("Content-Type"),
            "text/html; charset=utf-8");

  // One process at a time serves the sessions of a store.
  const Outcome second =
      run({"sessions", "--listen", "127.0.0.1:0", "--store", "sqlite:sessions.db"});
  EXPECT_EQ(second.code, 3);
  EXPECT_EQ(second.err,
            "plumbline: another process serves the sessions of this store [store.sessions]\n");
}

TEST_F(SessionsTest, WhatIsWrongIsOneLine) {
  write("origin.json", "{\n  \"origins\": [\"class.example\"]\n}");
  write("star.json", R"({"origins": ["*"], "credentials": true})");
  write("day.json", R"({"sunset": "soon"})");
  write("ttl.json", R"({"session_ttl_ms": 0})");
  write("unknown.json", R"({"sesion_ttl_ms": 1})");
  write("auth.json", R"({"auth": "jwks=here"})");
  const std::string at = "127.0.0.1:0";
  struct Case {
    std::vector<std::string> more;
    const char* told;
  };
  const Case cases[] = {
      {{"--listen", "here"}, "--listen here: expected HOST:PORT"},
      {{"--listen", "192.0.2.1:0"}, "cannot listen"},
      {{"--listen", at, "--config", "none.json"}, "none.json"},
      {{"--listen", at, "--config", "origin.json"},
       "origin.json:2:3: \"class.example\" is no origin, expected one such as "
       "https://class.example"},
      {{"--listen", at, "--config", "star.json"}, "exclude each other"},
      {{"--listen", at, "--config", "day.json"}, "day.json:1:2: \"soon\" is no day"},
      {{"--listen", at, "--config", "ttl.json"}, "expected more than 0 ms"},
      {{"--listen", at, "--config", "unknown.json"}, "unknown.json:1:2: "},
      {{"--listen", at, "--config", "auth.json"}, "does not say whose tokens are good"},
      {{"--listen", at, "--store", "nowhere:"}, "nowhere:"},
      {{"--listen", at, "--codes", "mine"}, "expected one of document, specification"},
  };
  for (const Case& one : cases) {
    std::vector<std::string> words = {"sessions"};
    words.insert(words.end(), one.more.begin(), one.more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << one.told << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(one.told), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  }
}

}  // namespace
}  // namespace plumbline::cli
