// `check` of servers that have to be started first, that end in the middle, or that want
// credentials.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/options/shown_words.h"
#include "core/json/json.h"
#include "core/os/net/real_network.h"
#include "core/os/real_loop.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

// free_port returns one that was free a moment ago.
std::string free_port() {
  os::RealLoop loop;
  os::RealNetwork network(loop);
  const Result<std::unique_ptr<net::Listener>> listener =
      network.listen({"127.0.0.1", 0}, std::nullopt, [](std::unique_ptr<net::Pipe>) {});
  EXPECT_TRUE(listener.ok());
  return std::to_string(listener.value()->port());
}

class CheckLiveTest : public ProgramTest {
 protected:
  static std::string serving(const std::string& port) {
    return quoted(PLUMBLINE_PROGRAM) + " serve --reference --http 127.0.0.1:" + port;
  }
};

TEST_F(CheckLiveTest, AServerIsStartedWhereNobodyListens) {
  const std::string port = free_port();
  const Outcome judged =
      run({"check", "server", "--only", "ping.empty-result", "--revision", "2025-11-25", "--start",
           serving(port), "--url", "http://127.0.0.1:" + port + "/mcp"});
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
  const Outcome afterwards = run({"check", "server", "--url", "http://127.0.0.1:" + port + "/mcp"});
  EXPECT_EQ(afterwards.code, 3) << "what was started was not ended";
}

TEST_F(CheckLiveTest, AServerThatCannotBeStartedIsNoVerdict) {
  const std::string port = free_port();
  const Outcome judged =
      run({"check", "server", "--wait", "500ms", "--start", "echo no such thing >&2; exit 1",
           "--url", "http://127.0.0.1:" + port + "/mcp"});
  EXPECT_EQ(judged.code, 3);
  EXPECT_NE(judged.err.find("nobody listens"), std::string::npos) << judged.err;
  EXPECT_NE(judged.err.find("no such thing"), std::string::npos) << judged.err;
}

TEST_F(CheckLiveTest, ASpanOfRevisionsIsJudgedInFull) {
  const Outcome judged = run({"check", "server", "--only", "ping.empty-result", "--revision",
                              "2025-06-18..2025-11-25", "--report", "json=report.json", "--stdio",
                              "--", PLUMBLINE_PROGRAM, "serve", "--reference", "--stdio"});
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
  EXPECT_EQ(parse_json(read("report.json")).value()["results"].size(), 2U);
}

TEST_F(CheckLiveTest, ExplainSuggestsTheNearestId) {
  const Outcome refused = run({"explain", "ping.emtpy-result"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("the nearest are ping.empty-result"), std::string::npos)
      << refused.err;
  const Outcome told = run({"explain", "gateway.keeps-order"});
  EXPECT_EQ(told.code, 0) << told.err;
}

TEST_F(CheckLiveTest, ExplainSaysWhyItMattersWithAnExample) {
  const Outcome told = run({"explain", "ping.empty-result"});
  EXPECT_NE(told.out.find("why it matters\n  Clients take a server whose ping fails for dead"),
            std::string::npos)
      << told.out;
  EXPECT_NE(told.out.find("for example: "), std::string::npos) << told.out;
  EXPECT_NE(told.out.find(R"("method":"ping"})"), std::string::npos) << told.out;
  EXPECT_NE(run({"explain", "jsonrpc.batch-receive"}).out.find("in SDKs\n  TypeScript SDK 1"),
            std::string::npos);
}

// kSigned is a server that says one thing that only tmcp says, and fails every ping by itself.
constexpr const char* kSigned = R"(while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([^,}]*\).*/\1/p')
  [ -n "$id" ] || continue
  case $line in
    *'"initialize"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18",' "$id"
      printf '%s"capabilities":{},"serverInfo":{"name":"x","version":"1"}}}\n' "$SIGN";;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id";;
  esac
done)";

TEST_F(CheckLiveTest, AServerIsKnownByWhatItSaysAndOnlyByThat) {
  write("server.sh", kSigned);
  const auto judged = [this](const std::string& sign) {
    const Outcome outcome = run({"check", "server", "--only", "ping.empty-result", "--revision",
                                 "2025-06-18", "--baseline", "sdk", "--report", "json=report.json",
                                 "--env", "SIGN=" + sign, "--stdio", "--", "sh", "server.sh"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find("--baseline sdk excuses nothing"), std::string::npos);
    return parse_json(read("report.json")).value();
  };
  const Json known = judged(R"("adapter":{},)");
  EXPECT_EQ(known["built_with"][0]["name"], "tmcp") << dump_json(known);
  EXPECT_EQ(known["judged"][0]["name"], "x");
  EXPECT_EQ(known["judged"][0]["sdk"], "tmcp");
  EXPECT_EQ(known["results"][0]["fault"], "own");
  EXPECT_EQ(known["effort"]["starts"], 1);
  const Json unknown = judged("");
  EXPECT_FALSE(unknown.contains("built_with"));
  EXPECT_FALSE(unknown["results"][0].contains("fault"));
}

// kSaying is a server that says what an SDK says, in its first answer or in its errors, and does to
// an array, and to a ping, what it is told.
constexpr const char* kSaying = R"(while IFS= read -r line; do
  case $line in '['*) eval "$BATCH"; continue;; esac
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([^,}]*\).*/\1/p')
  [ -n "$id" ] || continue
  case $line in
    *'"initialize"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-03-26",' "$id"
      printf '%s"capabilities":{"tools":{},"completions":{},"logging":{}},' "$IN"
      printf '"serverInfo":{%s"name":"x","version":"1"}}}\n' "$ABOUT";;
    *'"ping"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{%s}}\n' "$id" "$PING";;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":%s}\n' "$id" "$ERROR";;
  esac
done)";

// One that is every server's on the SDK, and four faults that look alike.
TEST_F(CheckLiveTest, AFaultThatLooksLikeTheSdksIsNeverExcused) {
  write("server.sh", kSaying);
  const std::string plain = R"({"code":-32601,"message":"no"})";
  const std::vector<std::array<std::string, 4>> sdks = {
      {"TypeScript SDK 2", "", "", R"({"code":-32602,"message":"Invalid a/b request: [ x"})"},
      {"fastmcp", "", "", R"({"code":-32601,"message":"MCP error -32601: Unknown tool: x"})"},
      {"mcp-framework", "", "",
       R"({"code":-32603,"message":"Unknown tool: x. Available tools: y"})"},
      {"tmcp", R"("adapter":{},)", "", plain},
      {"xmcp", "", R"("description":"This MCP server was bootstrapped with xmcp.",)", plain}};
  const std::string refusal =
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"n"}})";
  const std::vector<std::array<std::string, 2>> faults = {
      {":", ""},                                                  // Arrays are dropped: the SDK's.
      {"echo '" + refusal + "'", ""},                             // Refused.
      {R"(echo '[{"jsonrpc":"2.0","id":99,"result":{}}]')", ""},  // Answered wrongly.
      {"exit 1", ""},                                             // The end of it.
      {":", R"("ok":true)"}};                                     // Another rule is broken as well.
  for (const auto& [name, in, about, error] : sdks) {
    for (const auto& [batch, ping] : faults) {
      const Outcome outcome =
          run({"check",      "server",
               "--only",     "jsonrpc.batch-receive,stdio.batch-lines-accepted,ping.empty-result",
               "--revision", "2025-03-26",
               "--timeout",  "500ms",
               "--report",   "json=report.json",
               "--env",      "IN=" + in,
               "--env",      "ABOUT=" + about,
               "--env",      "ERROR=" + error,
               "--env",      "BATCH=" + batch,
               "--env",      "PING=" + ping,
               "--stdio",    "--",
               "sh",         "server.sh"});
      const Json report = parse_json(read("report.json")).value();
      const bool of_sdk = &batch == &faults.front()[0];
      EXPECT_EQ(report["judged"][0]["sdk"], name) << outcome.out << outcome.err;
      EXPECT_EQ(outcome.code, of_sdk ? 0 : 1) << name << " " << batch << ping << outcome.out;
      EXPECT_EQ(report["to_mend"]["yours"] == 0, of_sdk) << name << " " << batch << ping;
    }
  }
}

TEST_F(CheckLiveTest, NoLineIsRewrittenWhereNobodySitsAtATerminal) {
  const Outcome judged =
      run({"check", "server", "--only", "ping.empty-result", "--progress", "always", "--stdio",
           "--", PLUMBLINE_PROGRAM, "serve", "--reference", "--stdio"});
  EXPECT_NE(judged.err.find("judging 2025-11-25\n"), std::string::npos) << judged.err;
  EXPECT_EQ(judged.err.find('\r'), std::string::npos) << judged.err;
}

TEST_F(CheckLiveTest, TheBaselineOfTheSdkIsNoFile) {
  const Outcome refused = run({"check", "server", "--baseline", "sdk", "--update-baseline",
                               "--stdio", "--", PLUMBLINE_PROGRAM});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("./sdk"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace plumbline::cli
