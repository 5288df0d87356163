// `check` as a user meets it, on servers of the program itself.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class CheckTest : public ProgramTest {
 protected:
  // check_server judges with the words given, which end in a target; it writes report.json.
  Outcome check_server(std::vector<std::string> words) {
    words.insert(words.begin(), {"check", "server", "--report", "json=report.json"});
    return run(std::move(words));
  }

  // check_reference judges our own server over stdio.
  Outcome check_reference(std::vector<std::string> words) {
    for (const char* const word :
         {"--stdio", "--", PLUMBLINE_PROGRAM, "serve", "--reference", "--stdio"}) {
      words.emplace_back(word);
    }
    return check_server(std::move(words));
  }

  Json report() {
    Result<Json> read_back = parse_json(read("report.json"));
    return read_back.ok() ? std::move(read_back).value() : Json();
  }

  static std::int64_t count(const Json& report, const char* verdict) {
    const Json* const summary = find(report, "summary");
    return summary == nullptr ? -1 : int_or(*summary, verdict, -1);
  }
};

TEST_F(CheckTest, OurServerPassesOverStdioInEveryRevision) {
  const Outcome judged = check_reference({"--revision", "all"});
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
  const Json told = report();
  EXPECT_EQ(count(told, "fail"), 0);
  EXPECT_EQ(count(told, "warn"), 0) << judged.out;
  EXPECT_GT(count(told, "pass"), 60);
}

TEST_F(CheckTest, OurServerPassesOverEveryOtherTransport) {
  for (const std::string transport : {"--http", "--sse", "--ws"}) {
    const RunningServer server({"--reference", transport, "127.0.0.1:0"}, folder_.string());
    const Outcome judged = check_server({"--url", server.url()});
    EXPECT_EQ(judged.code, 0) << transport << judged.out << judged.err;
    EXPECT_GT(count(report(), "pass"), 15) << transport;
  }
}

TEST_F(CheckTest, OneCheckInOneRevisionIsRunAlone) {
  const Outcome judged =
      check_reference({"--only", "jsonrpc.method-not-found-code", "--revision", "2025-06-18"});
  EXPECT_EQ(judged.code, 0);
  ASSERT_EQ(report()["results"].size(), 1U);
  EXPECT_EQ(report()["results"][0]["id"], "jsonrpc.method-not-found-code");
}

// Goal: who judges the same again gets the same attestation. Method: all of two in one revision.
TEST_F(CheckTest, AnAttestationIsTheSameEachTime) {
  for (const std::string name : {"one.json", "two.json"}) {
    EXPECT_EQ(check_reference({"--revision", "2025-11-25", "--report", "attestation=" + name}).code,
              0);
  }
  EXPECT_EQ(read("one.json"), read("two.json"));
  const Result<Json> told = parse_json(read("one.json"));
  ASSERT_TRUE(told.ok());
  EXPECT_EQ(told.value()["_type"], "https://in-toto.io/Statement/v1");
  const Json& subject = told.value()["subject"][0];
  EXPECT_EQ(subject["digest"]["sha256"], told.value()["predicate"]["by"]["digest"]["sha256"])
      << "both are our program";
  EXPECT_EQ(told.value()["predicate"]["verdict"], "pass");
  EXPECT_GT(told.value()["predicate"]["checks"].size(), 60U);
}

TEST_F(CheckTest, OnlyWhatWasCheckedIsAttested) {
  write("s.json", R"({"plumbline":1,"id":"s","title":"t","request":{"input":"hello"},"servers":{},
                      "expect":{"status":"answered_without_mcp"}})");
  const Outcome ran = run({"run", "s.json", "--report", "attestation=a.json"});
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_NE(
      ran.err.find("--report attestation: expected what check has judged, and this is no check"),
      std::string::npos)
      << ran.err;
}

TEST_F(CheckTest, ServersOfAConfigurationAreToldApart) {
  Json servers = Json::object();
  for (const char* const name : {"one", "two"}) {
    servers["mcpServers"][name]["command"] = PLUMBLINE_PROGRAM;
    servers["mcpServers"][name]["args"] = {"serve", "--reference", "--stdio"};
  }
  write("mcp.json", dump_json(servers));
  EXPECT_EQ(check_server({"--config", "mcp.json", "--only", "lifecycle.server-answers-initialize",
                          "--revision", "2025-11-25"})
                .code,
            0);
  const Json told = report();
  ASSERT_EQ(told["results"].size(), 2U);
  EXPECT_EQ(told["results"][0]["server"], "one");
  EXPECT_EQ(told["results"][1]["server"], "two");
}

TEST_F(CheckTest, AWrongServerFailsWithTheCommandThatShowsItAgain) {
  // A scripted server that says nothing about itself.
  write("wrong.sh",
        "while read -r line; do case \"$line\" in *initialize\\\"*) "
        "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
        "\"capabilities\":{},\"serverInfo\":{\"name\":\"wrong\"}}}';; esac; done\n");
  const Outcome judged =
      check_server({"--only", "lifecycle.implementation-name-and-version", "--revision",
                    "2025-11-25", "--timeout", "2s", "--stdio", "--", "sh", "wrong.sh"});
  EXPECT_EQ(judged.code, 1) << judged.out << judged.err;
  const Json row = report()["results"][0];
  EXPECT_EQ(row["verdict"], "fail");
  EXPECT_FALSE(row["message"].get<std::string>().empty());
  EXPECT_EQ(row["reproduce"],
            "plumbline check server --only lifecycle.implementation-name-and-version --revision "
            "2025-11-25 --stdio -- sh wrong.sh");
}

TEST_F(CheckTest, WhatCannotBeReachedIsNoVerdict) {
  EXPECT_EQ(run({"check", "server", "--stdio", "--", "false"}).code, 3);
  EXPECT_EQ(run({"check", "server", "--stdio", "--", "no-such-program"}).code, 3);
  const Outcome refused = run({"check", "server", "--url", "http://127.0.0.1:9/mcp"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("127.0.0.1:9"), std::string::npos) << refused.err;
  EXPECT_EQ(refused.out, "");
  const Outcome silent =
      run({"check", "server", "--timeout", "500ms", "--stdio", "--", "sleep", "1000"});
  EXPECT_EQ(silent.code, 3);
}

TEST_F(CheckTest, BadUsageIsOneLine) {
  const std::vector<std::vector<std::string>> bad = {
      {"check", "server"},
      {"check", "server", "--stdio"},
      {"check", "server", "--url", "ftp://x/"},
      {"check", "server", "--url", "http://x/", "--header", "no colon"},
      {"check", "server", "--url", "http://x/", "--second-header", "no colon"},
      {"check", "server", "--stdio", "--second-header", "A: b", "--", "x"},
      {"check", "server", "--url", "http://x/", "--only", "no.such-check"},
      {"check", "server", "--config", "missing.json"},
      {"check", "server", "--url", "http://x/", "--revision", "2025-06-18..2024-11-05"},
      {"check", "server", "--url", "http://x/", "--revision", "2025-06"},
      {"check", "server", "--url", "http://x/", "--report", "json=/nonexistent/x"},
      {"check", "server", "--stdio", "--start", "x", "--", "x"},
      {"check", "gateway", "--listen", "127.0.0.1:0"},
      {"check", "gateway", "--listen", "127.0.0.1:0", "--url", "http://x/", "--", "x"},
      {"check", "gateway", "--listen", "127.0.0.1:0", "--url", "http://x/", "--only", "ping.x"},
      {"check", "gateway", "--listen", "x", "--url", "http://x/"}};
  for (const std::vector<std::string>& words : bad) {
    const Outcome refused = run(words);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
  }
}

TEST_F(CheckTest, ASecretOfTheCommandLineIsInNoReport) {
  const RunningServer server({"--reference", "--http", "127.0.0.1:0"}, folder_.string());
  const Outcome judged =
      check_server({"--url", server.url(), "--header", "Authorization: Bearer s3cr3t-t0ken",
                    "--verbose", "--report", "html=report.html"});
  EXPECT_EQ(judged.code, 0) << judged.out;
  for (const std::string& text : {judged.out, read("report.json"), read("report.html")}) {
    EXPECT_EQ(text.find("s3cr3t-t0ken"), std::string::npos);
  }
}

// The reference server looks at nobody's token.
TEST_F(CheckTest, ASecondUserIsKeptFromTheSessionsOfTheFirst) {
  const RunningServer server({"--reference", "--http", "127.0.0.1:0"}, folder_.string());
  const Outcome judged =
      check_server({"--url", server.url(), "--header", "Authorization: Bearer s3cr3t-t0ken",
                    "--second-header", "Authorization: Bearer 0ther-s3cr3t", "--verbose", "--only",
                    "security.session-bound-to-user"});
  EXPECT_EQ(judged.code, 0) << judged.out;
  EXPECT_NE(judged.out.find("the second user in a session of the first"), std::string::npos)
      << judged.out;
  EXPECT_EQ((judged.out + read("report.json")).find("0ther-s3cr3t"), std::string::npos);
}

TEST_F(CheckTest, AGatewayThatIsNotThereIsNoVerdict) {
  const Outcome judged = run({"check", "gateway", "--listen", "127.0.0.1:0", "--url",
                              "http://127.0.0.1:9/mcp", "--wait", "500ms"});
  EXPECT_EQ(judged.code, 3);
  EXPECT_NE(judged.err.find("nothing goes through the gateway"), std::string::npos) << judged.err;
}

}  // namespace
}  // namespace plumbline::cli
