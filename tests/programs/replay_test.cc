// A recording, played against the next version of a server, our orchestrator, and clients of a
// network.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/options/shown_words.h"
#include "fakes/sample_size.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

constexpr const char* kRequest = "Email the report to finance";

class ReplayTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    scripted("email", kEmail);
    const Outcome live =
        run({"ask", kRequest, "--config",
             config("email", {PLUMBLINE_PROGRAM, "record", "--out", path("r.jsonl"), "--",
                              PLUMBLINE_PROGRAM, "serve", "server.json", "--stdio"}),
             "--approve", "all"});
    ASSERT_EQ(live.code, 0) << live.err;
  }

  // against plays the recording against the server of a scenario file.
  Outcome against(const std::vector<std::string>& how, const std::string& report) {
    std::vector<std::string> words = {"replay", "r.jsonl"};
    words.insert(words.end(), how.begin(), how.end());
    for (const std::string& word :
         {std::string("--report"), "json=" + report, std::string("--stdio"), std::string("--"),
          std::string(PLUMBLINE_PROGRAM), std::string("serve"), std::string("server.json"),
          std::string("--stdio")}) {
      words.push_back(word);
    }
    return run(words);
  }

  // verdicts returns the verdict of each row of a report, by id.
  std::map<std::string, std::string> verdicts(const std::string& report) {
    std::map<std::string, std::string> found;
    const Result<Json> document = parse_json(read(report));
    EXPECT_TRUE(document.ok()) << read(report);
    if (!document.ok()) return found;
    for (const Json& row : document.value()["results"]) {
      found[string_or(row, "id", "")] = string_or(row, "verdict", "");
    }
    return found;
  }
};

TEST_F(ReplayTest, TheSameServerHasNoDifference) {
  const Outcome same = against({"--diff"}, "d.json");
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_EQ(verdicts("d.json")["diff.same:tools/call/send_email"], "pass");
}

// Goal: who replays hears a server to its end, however much was recorded. Method: more messages
// than a judge would listen to on one connection.
TEST_F(ReplayTest, ALongRecordingIsPlayedToItsEnd) {
  std::string text = read("r.jsonl");
  const std::size_t opened = text.find("notifications/initialized");
  ASSERT_NE(opened, std::string::npos) << text;
  text.resize(text.find('\n', opened) + 1);
  for (int id = 1'000; id < 21'100; ++id) {
    const std::string head = R"({"ns":9000000000,"to":")";
    const std::string message = R"(","message":{"jsonrpc":"2.0","id":)" + std::to_string(id);
    text += head + "server" + message + R"(,"method":"ping"}})" + "\n";
    text += head + "client" + message + R"(,"result":{}}})" + "\n";
  }
  write("r.jsonl", text);
  const Outcome same = against({"--diff"}, "d.json");
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_EQ(verdicts("d.json")["diff.same:ping"], "pass");
}

TEST_F(ReplayTest, AToolThatWantsMoreAndOneThatIsGoneBreakClients) {
  std::string next = kEmail;
  next.replace(next.find(R"("required":["to")"), 16, R"("required":["cc","to")");
  scripted("email", next);
  const Outcome changed = against({"--diff"}, "d.json");
  EXPECT_EQ(changed.code, 1) << changed.out << changed.err;
  EXPECT_EQ(verdicts("d.json")["diff.argument-required:send_email/cc"], "fail");
  EXPECT_EQ(verdicts("d.json")["diff.error-came:tools/call/send_email"], "fail");
  scripted("email", R"({"tools":[{"name":"send_mail"}]})");
  against({"--diff"}, "e.json");
  EXPECT_EQ(verdicts("e.json")["diff.tool-lost:send_email"], "fail");
  EXPECT_EQ(verdicts("e.json")["diff.tool-added:send_mail"], "pass");
  const Outcome answers = against({"--against", "server"}, "f.json");
  EXPECT_EQ(answers.code, 1);
  EXPECT_EQ(verdicts("f.json")["replay.answer:tools/call/send_email"], "fail");
  EXPECT_EQ(verdicts("f.json")["replay.answer:initialize"], "pass");
}

TEST_F(ReplayTest, ABaselineExcusesADifferenceByItsPlace) {
  scripted("email", R"({"tools":[{"name":"send_mail"}]})");
  write("base.json", R"({"entries":[{"id":"diff.tool-lost:send_email","reason":"renamed"},
    {"id":"diff.error-came:tools/call/send_email","reason":"renamed"}]})");
  const Outcome excused = against({"--diff", "--baseline", "base.json"}, "d.json");
  EXPECT_EQ(excused.code, 0) << excused.out << excused.err;
}

TEST_F(ReplayTest, TheOlderServerIsAskedWhereOneIsNamed) {
  const Outcome same = against(
      {"--diff", "--old", quoted(PLUMBLINE_PROGRAM) + " serve server.json --stdio"}, "d.json");
  EXPECT_EQ(same.code, 0) << same.out << same.err;
}

TEST_F(ReplayTest, TheOrchestratorComesToTheSameEffectsInEveryOrder) {
  const Outcome seeds = run({"replay", "r.jsonl", "--against", "orchestrator", "--request",
                             kRequest, "--seeds", "1..200", "--scenario-out", "again.json"});
  EXPECT_EQ(seeds.code, 0) << seeds.out << seeds.err;
  const Json scenario = parse_json(read("again.json")).value();
  EXPECT_EQ(*at_pointer(scenario, "/expect/effects/scripted~1send_email"), 1);
  EXPECT_EQ(*at_pointer(scenario, "/expect/status"), "ok");
  const Outcome swept = run({"sweep", "again.json", "--seeds", "1..50"});
  EXPECT_EQ(swept.code, 0) << swept.out << swept.err;
  const Outcome orders = run(
      {"replay", "r.jsonl", "--against", "orchestrator", "--request", kRequest, "--all-orders"});
  EXPECT_EQ(orders.code, 0) << orders.out << orders.err;
  const Outcome other =
      run({"replay", "r.jsonl", "--against", "orchestrator", "--request", "Say hello"});
  EXPECT_EQ(other.code, 1) << "another request has other effects\n" << other.out;
}

// The orchestrator makes one call a request.
TEST_F(ReplayTest, ARecordingOfSeveralCallsWantsARequestForEach) {
  const Json send = {{"name", "send_email"},
                     {"arguments", {{"to", "finance"}, {"document", "report"}}}};
  const Json who = {{"protocolVersion", "2025-11-25"},
                    {"capabilities", Json::object()},
                    {"clientInfo", {{"name", "c"}, {"version", "1"}}}};
  std::string said;
  const auto say = [&said](Json message) {
    message["jsonrpc"] = "2.0";
    said += dump_json(message) + "\n";
  };
  say({{"id", 1}, {"method", "initialize"}, {"params", who}});
  say({{"method", "notifications/initialized"}});
  say({{"id", 2}, {"method", "tools/list"}});
  for (int id = 3; id <= 5; ++id) {
    say({{"id", id}, {"method", "tools/call"}, {"params", send}});
  }
  write("said.jsonl", said);
  const Outcome live = shell(
      R"sh("$1" record --out three.jsonl -- "$1" serve server.json --stdio <said.jsonl >heard)sh");
  ASSERT_EQ(live.code, 0) << live.err;
  const auto replay = [this](int requests, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"replay", "three.jsonl", "--against", "orchestrator"};
    for (int i = 0; i < requests; ++i) words.insert(words.end(), {"--request", kRequest});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const Outcome one = replay(1, {"--report", "json=one.json"});
  EXPECT_EQ(one.code, 3) << one.out << one.err;
  EXPECT_NE(read("one.json")
                .find("2 of 3 recorded tool calls are not judged: the orchestrator "
                      "makes one call a request"),
            std::string::npos)
      << read("one.json");
  EXPECT_EQ(replay(1, {"--all-orders"}).code, 2);
  const Outcome three = replay(3, {"--scenario-out", "again.json"});
  EXPECT_EQ(three.code, 0) << three.out << three.err;
  const Json scenario = parse_json(read("again.json")).value();
  EXPECT_EQ(*at_pointer(scenario, "/expect/effects/scripted~1send_email"), 3);
  EXPECT_EQ(*at_pointer(scenario, "/expect/requests/tools~1call"), 3);
  const Outcome idle =
      run({"replay", "three.jsonl", "--against", "orchestrator", "--request", kRequest, "--request",
           "Which colour has the sea?", "--request", kRequest, "-v"});
  EXPECT_EQ(idle.code, 1) << idle.out << idle.err;
  EXPECT_NE(idle.out.find("request 2, asked alone, leads to no call of a tool"), std::string::npos)
      << idle.out;
  EXPECT_EQ(idle.out.find("request 1, asked"), std::string::npos) << idle.out;
}

TEST_F(ReplayTest, EachDeviationOfARecordedServerIsMet) {
  const Outcome mutated = run({"replay", "r.jsonl", "--against", "orchestrator", "--request",
                               kRequest, "--mutate", "--report", "json=m.json"});
  EXPECT_EQ(mutated.code, 0) << mutated.out << mutated.err;
  EXPECT_GT(verdicts("m.json").size(), 80U);
}

TEST_F(ReplayTest, ClientsOfANetworkAreServedAtOnceByTheRecording) {
  for (const std::string way : {"http", "sse", "ws"}) {
    write("clients.sh", "way=" + way + R"sh(
"$1" replay r.jsonl --fast --serve $way >url.$way 2>told & server=$!
until test -s url.$way; do sleep 0.05; done
printf '{"mcpServers":{"email":{"type":"%s","url":"%s"}}}' $way "$(cat url.$way)" >web.json
"$1" ask 'Email the report to finance' --config web.json --approve all >one & one=$!
"$1" ask 'Email the report to finance' --config web.json --approve all >two
wait $one; cmp one two && grep -q send_email one
code=$?; kill $server; wait $server; cat told >&2; exit $code
)sh");
    const Outcome both = shell("timeout 30 sh clients.sh \"$1\"");
    EXPECT_EQ(both.code, 0) << way << both.out << both.err;
    EXPECT_NE(both.err.find("0 are not in the recording"), std::string::npos) << way << both.err;
  }
}

TEST_F(ReplayTest, AClientIsJudgedByWhatItAsksAgain) {
  const auto client = [this](const char* request, const char* report) {
    return run({"replay", "r.jsonl", "--fast", "--against", "client", "--report",
                std::string("json=") + report, "--", PLUMBLINE_PROGRAM, "ask", request, "--config",
                "{config}", "--approve", "all"});
  };
  const Outcome same = client(kRequest, "a.json");
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_EQ(verdicts("a.json")["replay.asked:tools/call/send_email"], "pass");
  EXPECT_EQ(verdicts("a.json")["replay.ends"], "pass");
  const Outcome other = client("Email the report to legal", "b.json");
  EXPECT_EQ(other.code, 1) << other.out << other.err;
  EXPECT_EQ(verdicts("b.json")["replay.asked:tools/call/send_email"], "fail");
  EXPECT_EQ(verdicts("b.json")["replay.unrecorded:tools/call"], "fail");
}

// Goal: what a client asks of a server that it starts itself is judged as over a network, whatever
// becomes of that server.
TEST_F(ReplayTest, AClientOverStdioIsJudgedByWhatItAsksAgain) {
  const auto client = [this](const std::vector<std::string>& command, const char* report) {
    std::vector<std::string> words = {"replay",    "r.jsonl",  "--fast",
                                      "--against", "client",   "--serve",
                                      "stdio",     "--report", std::string("json=") + report,
                                      "--"};
    words.insert(words.end(), command.begin(), command.end());
    return run(words);
  };
  const auto asks = [](const char* request) {
    return std::vector<std::string>{PLUMBLINE_PROGRAM, "ask",       request, "--config",
                                    "{config}",        "--approve", "all"};
  };
  const Outcome same = client(asks(kRequest), "a.json");
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_EQ(verdicts("a.json")["replay.asked:tools/call/send_email"], "pass");
  const Outcome other = client(asks("Email the report to legal"), "b.json");
  EXPECT_EQ(other.code, 1) << other.out << other.err;
  EXPECT_EQ(verdicts("b.json")["replay.asked:tools/call/send_email"], "fail");
  EXPECT_EQ(verdicts("b.json")["replay.unrecorded:tools/call"], "fail");
  const Outcome nobody = client({"true"}, "c.json");
  EXPECT_EQ(nobody.code, 1) << nobody.out << nobody.err;
  EXPECT_EQ(verdicts("c.json")["replay.asked:initialize"], "fail");
  EXPECT_EQ(client({"curl", "{url}"}, "d.json").code, 2);
}

TEST_F(ReplayTest, AClientMeetsEveryDeviationInEveryAnswer) {
  // It reaches the server and asks for nothing that is recorded.
  const Outcome idle =
      run({"replay", "r.jsonl", "--fast", "--against", "client", "--mutate", "--timeout", "1s",
           "--report", "json=m.json", "--", "sh", "-c", "curl -s -o /dev/null {url}; exit 1"});
  EXPECT_EQ(idle.code, 3) << idle.out << idle.err;
  const auto rows = verdicts("m.json");
  EXPECT_EQ(rows.at("replay.mutated:initialize:empty_version"), "inconclusive");
  EXPECT_EQ(rows.at("replay.mutated:tools/list:wrong_response_id"), "inconclusive");
  EXPECT_EQ(rows.at("replay.mutated:tools/call/send_email:missing_content"), "inconclusive");
  const Outcome crashes = run({"replay", "r.jsonl", "--fast", "--against", "client", "--mutate",
                               "--report", "json=c.json", "--", "sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(crashes.code, 1) << crashes.err;
  EXPECT_EQ(verdicts("c.json").at("replay.mutated:initialize:empty_version"), "fail");
  const Outcome nobody = run({"replay", "r.jsonl", "--diff", "--mutate", "--stdio", "--", "true"});
  EXPECT_EQ(nobody.code, 2);
}

// Goal: a client that starts its server itself meets the same, and is told how to meet it again.
TEST_F(ReplayTest, AClientOverStdioMeetsEveryDeviation) {
  if (kEachNth > 1) GTEST_SKIP() << "a process a deviation: see the build without sanitizers";
  const Outcome met = run({"replay",   "r.jsonl",     "--fast",   "--against",       "client",
                           "--serve",  "stdio",       "--mutate", "--timeout",       "1s",
                           "--report", "json=m.json", "--",       PLUMBLINE_PROGRAM, "ask",
                           kRequest,   "--config",    "{config}", "--approve",       "all"});
  EXPECT_EQ(met.code, 0) << met.out << met.err;
  const Result<Json> document = parse_json(read("m.json"));
  ASSERT_TRUE(document.ok()) << read("m.json");
  std::int64_t played = 0;
  for (const Json& row : document.value()["results"]) {
    played = std::max(played, int_or(row, "observed", 0));
    const std::string again = string_or(row, "reproduce", "");
    EXPECT_EQ(again.empty(), string_or(row, "verdict", "") == "pass");
    const std::string how = " --against client --serve stdio --fast --mutate -- ";
    EXPECT_TRUE(again.empty() || again.find(how) != std::string::npos) << again;
  }
  EXPECT_GE(played, 3) << "it asked the server that it started";
}

// Where nothing was asked nothing is compared, and nothing is known.
TEST_F(ReplayTest, ARecordingInWhichNobodyAsksSaysNothing) {
  write("none.jsonl",
        "{\"command\":\"true\",\"plumbline\":\"0.1.0\",\"recording\":1,"
        "\"started\":\"2026-11-26T20:41:07Z\",\"transport\":\"stdio\"}\n"
        "{\"end\":\"server\",\"ns\":1}\n{\"exit\":\"exit code 0\",\"ns\":2}\n");
  const std::vector<std::vector<std::string>> ways = {
      {"--against", "server", "--stdio", "--", "/bin/cat"},
      {"--diff", "--stdio", "--", "/bin/cat"},
      {"--against", "client", "--", "/bin/true"},
      {"--against", "client", "--mutate", "--", "/bin/true"},
      {"--against", "orchestrator", "--request", "x"},
      {"--against", "orchestrator", "--request", "x", "--mutate"}};
  for (const std::vector<std::string>& way : ways) {
    std::vector<std::string> words = {"replay", "none.jsonl"};
    words.insert(words.end(), way.begin(), way.end());
    const Outcome judged = run(words);
    EXPECT_EQ(judged.code, 3) << way[1] << judged.out;
    EXPECT_NE(judged.err.find("no request of a client is recorded there"), std::string::npos)
        << way[1] << judged.err;
  }
}

TEST_F(ReplayTest, AClientThatAsksNothingMeetsNoDeviation) {
  const Outcome judged = run({"replay", "r.jsonl", "--against", "client", "--mutate", "--report",
                              "json=m.json", "--", "/bin/true"});
  EXPECT_EQ(judged.code, 3) << judged.out << judged.err;
  for (const auto& [id, verdict] : verdicts("m.json")) EXPECT_EQ(verdict, "inconclusive") << id;
}

TEST_F(ReplayTest, ATraceOfOursIsARecordingToo) {
  run({"replay", "r.jsonl", "--against", "orchestrator", "--request", kRequest, "--scenario-out",
       "again.json"});
  run({"run", "again.json", "--trace", "t.jsonl"});
  const Outcome imported = run({"record", "--import", "t.jsonl", "--out", "i.jsonl"});
  EXPECT_EQ(imported.code, 0) << imported.err;
  const Outcome again =
      run({"replay", "i.jsonl", "--against", "orchestrator", "--request", kRequest});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
}

TEST_F(ReplayTest, WhatCannotBeAskedIsToldInOneLine) {
  const Outcome nobody = run({"replay", "r.jsonl", "--diff", "--stdio", "--", "false"});
  EXPECT_EQ(nobody.code, 1) << nobody.err;
  const Outcome gone = run({"replay", "r.jsonl", "--diff", "--url", "http://127.0.0.1:1/mcp"});
  EXPECT_NE(gone.code, 0);
  const Outcome ways = run({"replay", "r.jsonl"});
  EXPECT_EQ(ways.code, 2);
  EXPECT_EQ(ways.err,
            "plumbline: replay: expected one of --serve WAY, --against WHOM and --diff "
            "[replay.how]\n");
  const Outcome words = run({"replay", "r.jsonl", "--against", "orchestrator"});
  EXPECT_EQ(words.code, 2);
}

}  // namespace
}  // namespace plumbline::cli
