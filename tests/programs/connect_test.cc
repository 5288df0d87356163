// `connect`: the examples, against real servers.

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

constexpr const char* kExamples = SOURCE_ROOT "/examples/";
constexpr const char* kEverything =
    SOURCE_ROOT "/build/npm/node_modules/.bin/mcp-server-everything";

class ConnectTest : public ProgramTest {
 protected:
  // example copies a file of examples/ with some of its text replaced, and returns its name here.
  std::string example(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& replaced) {
    std::ostringstream file;
    file << std::ifstream(kExamples + name, std::ios::binary).rdbuf();
    std::string text = file.str();
    EXPECT_FALSE(text.empty()) << name;
    for (const auto& [what, by] : replaced) {
      const std::size_t at = text.find(what);
      EXPECT_NE(at, std::string::npos) << what;
      if (at != std::string::npos) text.replace(at, what.size(), by);
    }
    const std::string here = fs::path(name).filename().string();
    write(here, text);
    return here;
  }

  // test runs `connect test` and returns the rows by agent and test.
  std::map<std::string, Json> test(std::vector<std::string> files, int code) {
    files.insert(files.begin(), {"connect", "test", "--report", "json=-"});
    const Outcome outcome = run(std::move(files));
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    std::map<std::string, Json> rows;
    const Result<Json> report = parse_json(outcome.out);
    if (!report.ok()) return rows;
    for (const Json& row : report.value()["results"]) {
      const std::string id = string_or(row, "id", "").substr(std::string("connect.").size());
      rows[string_or(row, "server", "") + " " + id] = row;
    }
    return rows;
  }

  static std::string told(const std::map<std::string, Json>& rows, const std::string& of) {
    const auto row = rows.find(of);
    if (row == rows.end()) return "no such row";
    return string_or(row->second, "verdict", "") + ": " + string_or(row->second, "message", "");
  }
};

TEST_F(ConnectTest, TheExamplesPass) {
  std::vector<std::string> files = {
      example("agents/settings.json", {}),
      example("agents/reference.json",
              {{"build/release/plumbline", PLUMBLINE_PROGRAM}, {"../..", "."}})};
  if (fs::exists(kEverything)) {
    files.push_back(example(
        "agents/everything.json",
        {{"npx", kEverything}, {R"("-y", "@modelcontextprotocol/server-everything")", ""}}));
  }
  RunningServer server({"--reference", "--ws", "127.0.0.1:0"}, folder_.string());
  write("ws.json", R"({"agentId": "over-ws", "endpoint": ")" + server.url() + R"("})");
  files.push_back("ws.json");
  const std::map<std::string, Json> rows = test(files, 0);
  EXPECT_EQ(rows.size(), 6 * (files.size() - 1));
  for (const auto& [name, row] : rows) {
    const std::string verdict = string_or(row, "verdict", "");
    EXPECT_EQ(verdict, name.ends_with("authentication") ? "skip" : "pass") << told(rows, name);
  }
}

TEST_F(ConnectTest, OfABrokenAgentEachFailureIsTold) {
  const std::string script = example("broken-agents/server.json", {});
  RunningServer broken({script, "--http", "127.0.0.1:0"}, folder_.string());
  write("keys.json", R"({"keys": [{"kty": "EC", "crv": "P-256", "kid": "1",
      "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
      "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]})");
  RunningServer guarded({"--reference", "--http", "127.0.0.1:0", "--auth",
                         "jwks=keys.json,issuer=https://as.example"},
                        folder_.string());
  const auto rows =
      test({example("broken-agents/agents.json", {{"http://127.0.0.1:8932/mcp", broken.url()},
                                                  {"http://127.0.0.1:8933/mcp", guarded.url()}})},
           1);
  EXPECT_EQ(rows.size(), 18U);
  const std::pair<const char*, const char*> expected[] = {
      {"broken handshake", "pass: "},
      {"broken authentication", "skip: "},
      {"broken capability-discovery", "fail: it is to be asked prompts/get, and has no capability"},
      {"broken error-recovery", "fail: it answers the unknown method \"plumbline/unknown\""},
      {"broken rate-limiting", "fail: it says \"not so fast\", and refuses as well after the wait"},
      {"broken concurrent-connections", "fail: of 10 connections at one time 1 failed: "},
      {"guarded handshake", "fail: no handshake: the peer answered with error 401: "},
      {"guarded authentication", "fail: it wants credentials, and none are configured: "},
      {"guarded error-recovery", "inconclusive: "},
      {"gone handshake", "fail: no handshake: "},
      {"gone concurrent-connections", "inconclusive: there is no handshake"},
  };
  for (const auto& [of, start] : expected) {
    EXPECT_EQ(told(rows, of).find(start), 0U) << of << ": " << told(rows, of);
  }
  const Json& row = rows.at("broken error-recovery");
  EXPECT_FALSE(row["evidence"].empty());
  EXPECT_EQ(row["reproduce"], "plumbline connect test agents.json --agent broken");
}

TEST_F(ConnectTest, NoSecretOfAnAgentFileIsTold) {
  write("keys.json", R"({"keys": [{"kty": "EC", "crv": "P-256", "kid": "1",
      "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
      "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]})");
  RunningServer guarded({"--reference", "--http", "127.0.0.1:0", "--auth",
                         "jwks=keys.json,issuer=https://as.example"},
                        folder_.string());
  write("agent.json", R"({"agentId": "guarded", "endpoint": ")" + guarded.url() +
                          R"(", "authentication": {"type": "bearer", "token": "tok-4711-tok"}})");
  const Outcome outcome = run({"connect", "test", "agent.json", "--verbose"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("the configured credentials are refused"), std::string::npos)
      << outcome.out;
  EXPECT_EQ((outcome.out + outcome.err).find("4711"), std::string::npos) << outcome.out;
}

TEST_F(ConnectTest, StatusShowsEachAgent) {
  RunningServer server({"--reference", "--http", "127.0.0.1:0"}, folder_.string());
  write("a.json", R"({"agentId": "here", "endpoint": ")" + server.url() + R"("})");
  write("b.json", R"({"agentId": "gone", "endpoint": "http://127.0.0.1:9/mcp", "connection":
      {"retryPolicy": {"maxRetries": 2, "backoff": "fixed", "initialDelay": 150}}})");
  const Outcome outcome = run({"connect", "status", "--json", "a.json", "b.json"});
  EXPECT_EQ(outcome.code, 3);
  const Result<Json> status = parse_json(outcome.out);
  ASSERT_TRUE(status.ok()) << outcome.out << outcome.err;
  ASSERT_EQ(status.value().size(), 2U);
  const Json& here = status.value()[0];
  EXPECT_EQ(here["agent"], "here");
  EXPECT_EQ(here["state"], "ready");
  EXPECT_EQ(here["last_error"], nullptr);
  EXPECT_EQ(here["health"]["status"], "healthy");
  EXPECT_EQ(here["health"]["error_rate"], 0);
  EXPECT_TRUE(string_or(here["health"], "last_check", "").starts_with("20"));
  EXPECT_EQ(here["server"]["name"], "plumbline-reference");
  EXPECT_GT(int_or(here["stats"], "tools", 0), 1);
  const Json& gone = status.value()[1];
  EXPECT_EQ(gone["state"], "error");
  EXPECT_EQ(gone["health"]["error_rate"], 100);
  EXPECT_GE(int_or(gone, "since_ms", 0), 300) << "it was not tried again";
  EXPECT_NE(string_or(gone, "last_error", "").find("Connection refused"), std::string::npos);

  const Outcome table = run({"connect", "status", "a.json", "--agent", "here"});
  EXPECT_EQ(table.code, 0);
  EXPECT_EQ(table.out.rfind("AGENT  STATE  SINCE", 0), 0U) << table.out;
  EXPECT_NE(table.out.find("\nhere   ready  "), std::string::npos) << table.out;
  const Outcome list = run({"connect", "list", "a.json"});
  EXPECT_EQ(list.out, "here  " + server.url() + "\n");
}

// Every second time it is started it ends at once.
TEST_F(ConnectTest, WhoWatchesSeesHowOftenAnAgentFails) {
  write("flaps.sh", R"(n=$(cat count 2>/dev/null || echo 0)
echo $((n + 1)) > count
[ $((n % 2)) -eq 0 ] && exec "$1" serve --reference --stdio
exit 1
)");
  write("a.json", R"({"agentId": "flaps", "command": "sh", "args": ["flaps.sh", ")" +
                      std::string(PLUMBLINE_PROGRAM) + R"("]})");
  const Outcome outcome = shell(R"("$1" connect status --json --watch --every 50ms a.json > out &
pid=$!
while kill -0 $pid && ! grep -q '"looks": 4' out; do sleep 0.1; done
kill -INT $pid
wait $pid
)");
  const std::string said = read("out");
  EXPECT_NE(said.find("\"error_rate\": 0"), std::string::npos) << said << outcome.err;
  EXPECT_NE(said.find("\"error_rate\": 50"), std::string::npos) << said;
  EXPECT_NE(said.find("\"state\": \"ready\""), std::string::npos) << said;
  EXPECT_NE(said.find("\"state\": \"error\""), std::string::npos) << said;
  const Outcome alone = run({"connect", "status", "a.json", "--every", "5s"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("--every: expected --watch"), std::string::npos) << alone.err;
}

TEST_F(ConnectTest, AnAgentIsAskedForWhatItsFileAllowsAlone) {
  RunningServer tickets(
      {std::string(SOURCE_ROOT) + "/scenarios/library/basics/search-tickets-with-filters.json",
       "--http", "127.0.0.1:0"},
      folder_.string());
  const auto ask = [&](const char* capabilities) {
    write("agent.json", R"({"agentId": "tickets", "endpoint": ")" + tickets.url() +
                            R"(", "capabilities": [)" + capabilities + "]}");
    return run({"ask", "Summarize the open high-priority support tickets.", "--json", "--config",
                "agent.json"})
        .out;
  };
  EXPECT_NE(ask("\"tools/call\"").find("search_tickets"), std::string::npos);
  EXPECT_EQ(ask("\"prompts/get\"").find("search_tickets"), std::string::npos);
}

TEST_F(ConnectTest, WhatIsWrongIsOneLine) {
  write("bad.json", "{\"agentId\": \"a\",\n \"endpoint\": \"nowhere\"}");
  write("good.json", R"({"agentId": "a", "endpoint": "http://127.0.0.1:9/mcp"})");
  write("empty.json", R"({"mcp": {}})");
  struct Case {
    std::vector<std::string> words;
    std::map<std::string, std::string> env;
    const char* told;
  };
  const Case cases[] = {
      {{"connect", "test", "none.json"}, {}, "none.json"},
      {{"connect", "test", "bad.json"}, {}, "bad.json:2:2: "},
      {{"connect", "status", "good.json", "good.json"}, {}, "\"a\" is configured already"},
      {{"connect", "list", "good.json", "--agent", "b"}, {}, "the files name no such agent"},
      {{"connect", "list", "empty.json"}, {}, "expected at least one agent"},
      {{"connect", "list", "good.json"},
       {{"PLUMBLINE_MCP_CONNECTION_TIMEOUT", "soon"}},
       "PLUMBLINE_MCP_CONNECTION_TIMEOUT: "},
  };
  for (const Case& one : cases) {
    const Outcome outcome = run(one.words, one.env);
    EXPECT_EQ(outcome.code, 2) << one.told << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(one.told), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  }
}

}  // namespace
}  // namespace plumbline::cli
