// The program as a user runs it: real processes, exit statuses, standard output and error.
//
// Every run is bounded. Servers are this program's own `serve`, and the official filesystem server
// from npm, which ./plumb test installs.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

std::string files_with(const std::string& does, const std::string& rest = "") {
  return R"({"tools":[{"name":"list_directory","description":"Lists the files of a folder.",
    "inputSchema":{"type":"object"},"does":)" +
         does + "}]" + rest + "}";
}

const std::string kTwoFiles =
    R"([{"reply":{"content":[{"type":"text","text":"notes.md\nsample.txt"}]}}])";

void expect_one_line(const std::string& text) {
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

// Usage and input files -----------------------------------------------------------------------

TEST_F(ProgramTest, BadUsageIsOneLineAndExitTwo) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"fly"},
                                             {"run"},
                                             {"run", "missing.json"},
                                             {"explain", "nothing"},
                                             {"graph", "nobody"},
                                             {"ask", "x", "--config", "missing.json"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << words.front();
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    expect_one_line(outcome.err);
  }
}

// Of a program whose file was removed no second process can be started.
TEST_F(ProgramTest, ADemoThatCouldNotJudgeIsNoSuccess) {
  const Outcome outcome =
      shell("cp \"$1\" gone; exec 3<gone; rm gone; exec /proc/self/fd/3 demo --tour");
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("[server.cannot-start]"), std::string::npos) << outcome.err;
}

TEST_F(ProgramTest, ABrokenScenarioIsOneLineWithFileLineAndColumn) {
  write("bad.json", "{\n  \"plumbline\": 1,\n  \"id\" \"bad\"\n}");
  Outcome outcome = run({"run", "bad.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("bad.json:3:"), std::string::npos) << outcome.err;
  expect_one_line(outcome.err);

  write("bad.json",
        "{\"plumbline\": 1, \"id\": \"bad\", \"title\": \"t\",\n \"request\": {\"input\": \"x\"},\n"
        " \"servres\": {},\n \"servers\": {}, \"expect\": {\"status\": \"ok\"}}");
  outcome = run({"run", "bad.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("bad.json:3:2"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("servres"), std::string::npos) << outcome.err;

  write("bad.json",
        "{\"plumbline\": 1, \"id\": \"bad\", \"title\": \"t\", \"request\": {\"input\": \"x\"},\n"
        " \"servers\": {}, \"expect\": {\"status\": \"ok\", \"route\": [\"preprocess_request\",\n"
        "   \"nowhere\"]}}");
  outcome = run({"run", "bad.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("bad.json:3:4"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("nowhere"), std::string::npos) << outcome.err;
  expect_one_line(outcome.err);
}

// Simulation ----------------------------------------------------------------------------------

TEST_F(ProgramTest, TheSameSeedGivesTheSameTrace) {
  const std::string file = std::string(SOURCE_ROOT) + "/examples/email-server.json";
  EXPECT_EQ(run({"run", file, "--seed", "7", "--trace", "a.jsonl"}).code, 0);
  EXPECT_EQ(run({"run", file, "--seed", "7", "--trace", "b.jsonl"}).code, 0);
  EXPECT_FALSE(read("a.jsonl").empty());
  EXPECT_EQ(read("a.jsonl"), read("b.jsonl"));
}

TEST_F(ProgramTest, AReportOnStandardOutputIsOneJsonDocument) {
  const std::string file = std::string(SOURCE_ROOT) + "/examples/email-server.json";
  const Outcome outcome = run({"run", file, "--report", "json=-", "--report", "junit=out.xml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Result<Json> report = parse_json(outcome.out);
  ASSERT_TRUE(report.ok()) << outcome.out;
  EXPECT_EQ(report.value()["summary"]["pass"], 1);
  EXPECT_NE(read("out.xml").find("<testsuite"), std::string::npos);
}

TEST_F(ProgramTest, AFailureNamesScenarioSeedAndTheCommandThatReproducesIt) {
  write("wrong.json",
        "{\"plumbline\":1,\"id\":\"wrong\",\"title\":\"Expects what does not happen.\","
        "\"request\":{\"input\":\"hello\"},\"servers\":{},"
        "\"expect\":{\"status\":\"ok\"}}");
  const Outcome outcome = run({"run", "wrong.json", "--seeds", "5..6"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("plumbline run wrong.json --seed 5"), std::string::npos)
      << outcome.out;
}

TEST_F(ProgramTest, TheGraphIsDrawn) {
  const Outcome mermaid = run({"graph", "operations-assistant", "--format", "mermaid"});
  EXPECT_EQ(mermaid.code, 0);
  EXPECT_EQ(mermaid.out.rfind("flowchart", 0), 0U) << mermaid.out;
  for (const char* node : {"preprocess_request", "mark_needs_review", "integrate_result"}) {
    EXPECT_NE(mermaid.out.find(node), std::string::npos);
  }
  EXPECT_EQ(run({"graph", "--format", "dot"}).out.rfind("digraph", 0), 0U);
}

TEST_F(ProgramTest, ListAndExplainKnowTheSameIds) {
  for (const char* what : {"checks", "scenarios", "revisions", "agents", "faults"}) {
    const Outcome listed = run({"list", what, "--json"});
    ASSERT_EQ(listed.code, 0);
    const Result<Json> document = parse_json(listed.out);
    ASSERT_TRUE(document.ok());
    ASSERT_FALSE(document.value()[what].empty()) << what;
    const std::string id = document.value()[what][0]["id"];
    const Outcome explained = run({"explain", id});
    EXPECT_EQ(explained.code, 0) << id;
    EXPECT_EQ(explained.out.rfind(id, 0), 0U);
  }
}

TEST_F(ProgramTest, ScenariosAreListedWithWhereTheirFailureWasTold) {
  const Outcome text = run({"list", "scenarios"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("failures/rug-pull-description  [failures security severity-3]\n"),
            std::string::npos);
  EXPECT_NE(text.out.find("    https://github.com/node9-ai/node9-proxy/pull/81 "),
            std::string::npos);
  EXPECT_NE(text.out.find(" scenarios stand for failures from the field: "), std::string::npos);
  const Result<Json> document = parse_json(run({"list", "scenarios", "--json"}).out);
  ASSERT_TRUE(document.ok());
  for (const Json& row : document.value()["scenarios"]) {
    EXPECT_EQ(row["area"] == "failures", row.contains("source")) << row["id"];
  }
}

// Real servers --------------------------------------------------------------------------------

TEST_F(ProgramTest, AskAnswersFromARealServer) {
  const Outcome outcome = run({"ask", "List the files in the managed folder", "--config",
                               scripted("files", files_with(kTwoFiles)), "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Result<Json> answer = parse_json(outcome.out);
  ASSERT_TRUE(answer.ok()) << outcome.out;
  EXPECT_EQ(answer.value()["status"], "ok");
  EXPECT_EQ(answer.value()["mcp_result_summary"]["item_count"], 2);
}

TEST_F(ProgramTest, AnEmailWaitsForApprovalAndThenIsSentExactlyOnce) {
  const std::string file = scripted("email", kEmail);
  Outcome outcome = run({"ask", "Email the report to finance", "--config", file, "--json"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  Result<Json> answer = parse_json(outcome.out);
  ASSERT_TRUE(answer.ok()) << outcome.out;
  EXPECT_EQ(answer.value()["status"], "needs_review");
  EXPECT_EQ(effects(), 0U);

  const std::string id = answer.value()["approval_id"];
  outcome =
      run({"ask", "Email the report to finance", "--config", file, "--json", "--approve", id});
  answer = parse_json(outcome.out);
  ASSERT_TRUE(answer.ok()) << outcome.out;
  EXPECT_EQ(answer.value()["status"], "ok");
  EXPECT_EQ(effects(), 1U);

  outcome = run({"ask", "Email the report to sales", "--config", file, "--json", "--approve", id});
  answer = parse_json(outcome.out);
  ASSERT_TRUE(answer.ok()) << outcome.out;
  EXPECT_EQ(answer.value()["status"], "needs_review") << "an approval is for one call";
}

// Goal: a script learns by the exit status what came of a request, and the JSON says the same.
TEST_F(ProgramTest, TheExitStatusSaysWhatCameOfIt) {
  const auto tool = [](const std::string& name, const std::string& does) {
    return R"({"tools":[{"name":")" + name + R"(","description":"List the files of a folder",
        "inputSchema":{"type":"object","properties":{"path":{"type":"string","default":"."}}},
        "does":)" +
           does + "}]}";
  };
  const auto status_of = [&](const std::string& request, const std::string& file) {
    const Outcome outcome = run({"ask", request, "--config", file, "--json"});
    const Result<Json> answer = parse_json(outcome.out);
    EXPECT_TRUE(answer.ok()) << outcome.out << outcome.err;
    if (answer.ok()) {
      EXPECT_EQ(int_or(answer.value(), "exit_status", -1), outcome.code);
    }
    return outcome.code;
  };
  const std::string fine = scripted("files", files_with(kTwoFiles));
  EXPECT_EQ(status_of("List the files in the managed folder", fine), 0);
  EXPECT_EQ(status_of("Hello!", fine), 0);
  EXPECT_EQ(status_of("  ", fine), 2);
  EXPECT_EQ(status_of("What are the salaries of Bob?", fine), 5);
  EXPECT_EQ(status_of("Count the words of the files", fine), 5);
  const std::string fails = scripted(
      "files", tool("list_directory", R"([{"reply":{"content":[{"type":"text","text":"broken"}],
                                                    "isError":true}}])"));
  EXPECT_EQ(status_of("List the files in the managed folder", fails), 1);
  const std::string malformed = scripted("files", R"({"tools":[{"description":"no name"}]})");
  EXPECT_EQ(status_of("List the files in the managed folder", malformed), 3);
  const std::string mail = scripted("email", kEmail);
  EXPECT_EQ(status_of("Email the report to finance", mail), 4);
  EXPECT_EQ(status_of("Send an email", mail), 4);
}

TEST_F(ProgramTest, AServerThatIsKilledInMidCallIsAnAnswerAndNotAHang) {
  const std::string file = scripted("files", files_with(R"([{"crash":{"signal":9}}])"));
  const Outcome outcome = run({"ask", "List the files", "--config", file, "--json"});
  const Result<Json> answer = parse_json(outcome.out);
  ASSERT_TRUE(answer.ok()) << outcome.out << outcome.err;
  EXPECT_EQ(answer.value()["status"], "needs_review");
  EXPECT_NE(outcome.out.find("signal 9"), std::string::npos) << outcome.out;
}

TEST_F(ProgramTest, GarbageOnStandardOutputDoesNotHideTheAnswer) {
  const std::string file = scripted(
      "files", files_with(R"([{"garbage":"Warning: {not json\n"},)" + kTwoFiles.substr(1)));
  const Outcome outcome = run({"ask", "List the files", "--config", file, "--json"});
  EXPECT_NE(outcome.out.find("\"ok\""), std::string::npos) << outcome.out;
}

TEST_F(ProgramTest, AFloodOnStandardErrorDoesNotFreezeTheServer) {
  const std::string file = scripted(
      "files", files_with(R"([{"stderr":"0123456789abcdef0123456789abcdef\n","repeat":60000},)" +
                          kTwoFiles.substr(1)));
  const Outcome outcome = run({"ask", "List the files", "--config", file, "--json"});
  EXPECT_NE(outcome.out.find("\"ok\""), std::string::npos) << outcome.out;
}

TEST_F(ProgramTest, AHangingServerEndsAtTheTimeout) {
  const std::string file = scripted("files", files_with(R"([{"hang":true}])"));
  const Outcome outcome =
      run({"ask", "List the files", "--config", file, "--json", "--timeout", "300ms"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("\"failed\""), std::string::npos) << outcome.out;
}

TEST_F(ProgramTest, AServerThatCannotBeStartedIsExitThree) {
  const Outcome outcome =
      run({"ask", "List the files", "--config", config("files", {"no-such-program-here"})});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE((outcome.out + outcome.err).find("no-such-program-here"), std::string::npos);
}

TEST_F(ProgramTest, NoSecretOfTheConfigurationIsShown) {
  write(
      "server.json",
      R"({"plumbline":1,"id":"server","title":"t","request":{"input":"x"},"servers":{"files":)" +
          files_with(R"([{"reply":{"content":[{"type":"text","text":"key hush-hush-42 ok"}]}}])") +
          R"(},"expect":{"status":"ok"}})");
  write("config.json", std::string(R"({"mcpServers":{"files":{"command":")") + PLUMBLINE_PROGRAM +
                           R"(","args":["serve","server.json","--stdio"],"cwd":".",)"
                           R"("env":{"FILES_TOKEN":"hush-hush-42"}}}})");
  const Outcome outcome = run({"ask", "List the files", "--config", "config.json", "--json",
                               "--verbose", "--trace", "t.jsonl"});
  EXPECT_NE(outcome.out.find("[redacted]"), std::string::npos) << outcome.out;
  EXPECT_EQ((outcome.out + outcome.err + read("t.jsonl")).find("hush-hush-42"), std::string::npos);
}

// The official filesystem server ----------------------------------------------------------------

class FilesystemServerTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    server_ = std::string(SOURCE_ROOT) +
              "/build/npm/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
    ASSERT_TRUE(fs::exists(server_)) << "./plumb test installs " << server_;
    ours_["policy"]["plumbline_policy"] = 1;
    ours_["policy"]["defaults"]["filesystem"]["path"] = ".";
  }

  // behind returns a configuration of the server behind a shell script.
  std::string behind(const std::string& script) {
    write("server.sh", script);
    return config("filesystem", {"sh", "server.sh", server_}, ours_);
  }

  void expect_files(const Outcome& outcome) {
    const Result<Json> answer = parse_json(outcome.out);
    ASSERT_TRUE(answer.ok()) << outcome.out << outcome.err;
    EXPECT_EQ(answer.value()["status"], "ok") << outcome.out;
    EXPECT_EQ(answer.value()["mcp_result_summary"]["item_count"], 2) << outcome.out;
    EXPECT_NE(outcome.out.find("notes.md"), std::string::npos);
    EXPECT_NE(outcome.out.find("sample.txt"), std::string::npos);
  }

  Outcome ask(const std::string& file) {
    return run({"ask", "List the files in the managed project folder", "--config", file, "--json"});
  }

  std::string server_;
  Json ours_;
};

TEST_F(FilesystemServerTest, ListsTheManagedFolder) {
  expect_files(ask(config("filesystem", {"node", server_, "managed"}, ours_)));
}

TEST_F(FilesystemServerTest, ReadsAFileThatTheRequestNames) {
  const Outcome outcome =
      run({"ask", "Read the file notes.md", "--config",
           config("filesystem", {"node", server_, "managed"}, ours_), "--json"});
  EXPECT_NE(outcome.out.find("hello"), std::string::npos) << outcome.out;
}

TEST_F(FilesystemServerTest, WritingWaitsForApproval) {
  const Outcome outcome =
      run({"ask", "Create the file new.txt with text saying \"x\"", "--config",
           config("filesystem", {"node", server_, "managed"}, ours_), "--json"});
  EXPECT_NE(outcome.out.find("needs_review"), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(folder_ / "managed/new.txt"));
}

TEST_F(FilesystemServerTest, KilledInMidCallIsAClearAnswer) {
  const Outcome outcome = ask(behind(R"(mkfifo in.fifo
node "$1" managed < in.fifo &
server=$!
exec 3> in.fifo
while read -r line; do
  case "$line" in *'"tools/call"'*) kill -9 $server; exit 0 ;; esac
  printf '%s\n' "$line" >&3
done
)"));
  const Result<Json> answer = parse_json(outcome.out);
  ASSERT_TRUE(answer.ok()) << outcome.out << outcome.err;
  EXPECT_EQ(answer.value()["status"], "needs_review") << outcome.out;
}

TEST_F(FilesystemServerTest, GarbageOnStandardOutputIsPassedOver) {
  expect_files(ask(behind("echo 'Starting up, one moment...'\nexec node \"$1\" managed\n")));
}

TEST_F(FilesystemServerTest, AFullStandardErrorDoesNotFreezeIt) {
  expect_files(
      ask(behind("head -c 3000000 /dev/zero | tr '\\0' x >&2\nexec node \"$1\" managed\n")));
}

}  // namespace
}  // namespace plumbline::cli
