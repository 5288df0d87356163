// A line `reproduce:` carries the program's version and the hash of the trace, and who repeats it
// is told where the run is another one.

#include <sstream>
#include <string>
#include <vector>

#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

constexpr std::string_view kWrong = R"({
  "plumbline": 1, "id": "wrong", "title": "Expects what does not happen.",
  "request": {"input": "List the files"},
  "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}]}},
  "world": {"latency_ms": [1, 20]}, "expect": {"status": "failed"}
})";

// Said is the words of a line, and what stands behind its --expect-trace.
struct Said {
  std::vector<std::string> words;  // Without "plumbline".
  std::string version;
  std::string hash;
};

class ExpectedTraceTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("wrong.json", std::string(kWrong));
  }

  // failing runs what fails, and returns its report with the line of its first row that fails.
  Said failing(std::vector<std::string> words) {
    words.insert(words.end(), {"--report", "json=-", "--report", "junit=out.xml", "--report",
                               "sarif=out.sarif", "--report", "markdown=out.md"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    const Result<Json> report = parse_json(outcome.out);
    EXPECT_TRUE(report.ok()) << outcome.out;
    Said said;
    if (!report.ok()) return said;
    for (const Json& row : report.value()["results"]) {
      const std::string line = string_or(row, "reproduce", "");
      if (!line.empty()) said = said_in(line);
      for (const char* const file : {"out.xml", "out.sarif", "out.md"}) {
        EXPECT_TRUE(line.empty() || read(file).find(line) != std::string::npos) << read(file);
      }
    }
    EXPECT_EQ(said.version, string_or(report.value(), "plumbline", ""));
    return said;
  }

  static Said said_in(const std::string& line) {
    Said said;
    std::istringstream words(line);
    for (std::string word; words >> word;) said.words.push_back(word);
    const std::size_t count = said.words.size();
    EXPECT_TRUE(count > 3 && said.words[0] == "plumbline" &&
                said.words[count - 2] == "--expect-trace")
        << line;
    if (count < 4) return {};
    said.words.erase(said.words.begin());
    const std::string& end = said.words.back();
    said.version = end.substr(0, end.find(':'));
    said.hash = end.substr(end.find(':') + 1);
    EXPECT_TRUE(said.hash == "none" || said.hash.size() == 16) << line;
    return said;
  }

  // told repeats a line and returns what is told of its trace.
  std::string told(const Said& said, const std::string& version, const std::string& hash) {
    std::vector<std::string> words = said.words;
    words.back() = version + ":" + hash;
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    const std::size_t at = outcome.err.find("--expect-trace: ");
    if (at == std::string::npos) return "";
    return outcome.err.substr(at, outcome.err.find('\n', at) - at);
  }

  void expect_told(const std::vector<std::string>& words) {
    write("wrong.json", std::string(kWrong));
    const Said said = failing(words);
    ASSERT_FALSE(said.words.empty());
    EXPECT_EQ(told(said, said.version, said.hash), "");
    EXPECT_EQ(told(said, "0.0.1", said.hash),
              "--expect-trace: the line is of plumbline 0.0.1, this is " + said.version +
                  "; the run is the same, to the byte of its trace");
    const std::string other = "0123456789abcdef";
    const std::string traces = " (" + other + " then, " + said.hash + " now)";
    EXPECT_EQ(told(said, "0.0.1", other),
              "--expect-trace: the line is of plumbline 0.0.1, this is " + said.version +
                  "; the run is another one" + traces + ": what failed then may not fail now");
    EXPECT_EQ(told(said, said.version, other),
              "--expect-trace: the run is not the one of the line" + traces +
                  ", by the same version, " + said.version +
                  ": a file has changed, or the program was built from other sources");
    std::string changed(kWrong);
    changed.replace(changed.find("[1, 20]"), 7, "[1, 21]");
    write("wrong.json", changed);
    EXPECT_TRUE(told(said, said.version, said.hash)
                    .starts_with("--expect-trace: the run is not the one of the line (" +
                                 said.hash + " then, "));
  }
};

TEST_F(ExpectedTraceTest, ALineOfRunSaysWhichRunItIs) { expect_told({"run", "wrong.json"}); }

TEST_F(ExpectedTraceTest, ALineOfManySeedsSaysTheTraceOfTheOneThatFails) {
  const Said said = failing({"run", "wrong.json", "--seeds", "5..6"});
  EXPECT_EQ(failing({"run", "wrong.json", "--seed", "5"}).hash, said.hash);
  EXPECT_NE(failing({"run", "wrong.json", "--seed", "6"}).hash, said.hash);
}

TEST_F(ExpectedTraceTest, ALineOfEveryOrderAndOfEveryFailureSaysSo) {
  expect_told({"run", "wrong.json", "--all-orders"});
  expect_told({"run", "wrong.json", "--fail-each-operation"});
}

TEST_F(ExpectedTraceTest, ALineOfASweepSaysWhichWorldItIs) {
  expect_told({"sweep", "wrong.json", "--seeds", "1..3", "--faults", "none"});
}

TEST_F(ExpectedTraceTest, ALineOfASmallFailureSaysWhichRunItIs) {
  const Outcome shrunk = run({"shrink", "wrong.json", "--seed", "2", "--out", "small.json"});
  EXPECT_EQ(shrunk.code, 1) << shrunk.err;
  const std::size_t at = shrunk.out.rfind("plumbline run small.json");
  ASSERT_NE(at, std::string::npos) << shrunk.out;
  const Said said = said_in(shrunk.out.substr(at));
  EXPECT_EQ(told(said, said.version, said.hash), "");
  EXPECT_NE(told(said, said.version, "0123456789abcdef"), "");
}

TEST_F(ExpectedTraceTest, AnIdleRuleHasALineToo) {
  std::string text(kWrong);
  text.replace(text.find("]}}"), 1, R"(], "on": [{"method": "tools/call", "nth": 9, "do": []}])");
  text.replace(text.find("\"failed\""), 8, "\"ok\"");
  write("wrong.json", text);
  const Said said = failing({"run", "wrong.json", "--seeds", "1..3", "--strict"});
  ASSERT_FALSE(said.words.empty());
  EXPECT_EQ(told(said, said.version, said.hash), "");
}

// The hash is the one that --trace writes; whoever has it whole may give it whole.
TEST_F(ExpectedTraceTest, TheHashIsThatOfTheTrace) {
  const Said said = failing({"run", "wrong.json", "--trace", "out.jsonl"});
  const std::string trace = read("out.jsonl");
  const std::string key = "{\"trace_hash\":\"";
  ASSERT_NE(trace.rfind(key), std::string::npos);
  const std::string whole = trace.substr(trace.rfind(key) + key.size(), 64);
  EXPECT_EQ(whole.substr(0, 16), said.hash);
  EXPECT_EQ(told(said, said.version, whole), "");
  EXPECT_NE(told(said, said.version, std::string(64, '0')), "");
}

// A world that ends its process leaves no trace: its line says the version alone.
TEST_F(ExpectedTraceTest, AWorldThatEndsItsProcessHasNoTrace) {
  std::string text(kWrong);
  text.replace(text.find("\"failed\""), 8, "\"ok\"");
  write("wrong.json", text);
  const Result<Json> report = parse_json(run({"sweep", "wrong.json", "--seeds", "1..60", "--plant",
                                              "abort-at-reset", "--report", "json=-"})
                                             .out);
  ASSERT_TRUE(report.ok());
  const Json& first = report.value()["sweep"]["scenarios"][0]["first"];
  const Said said = said_in(string_or(first, "reproduce", ""));
  EXPECT_EQ(said.hash, "none");
  EXPECT_EQ(told(said, said.version, "none"), "");
  EXPECT_EQ(told(said, "0.0.1", "none"),
            "--expect-trace: the line is of plumbline 0.0.1, this is " + said.version +
                "; neither run has a trace");
}

TEST_F(ExpectedTraceTest, WhatIsNoneIsRefusedInOneLine) {
  for (const char* const text : {"x", "0.1.0:", ":01234567", "0.1.0:0123", "0.1.0:0123456G"}) {
    const Outcome outcome = run({"run", "wrong.json", "--expect-trace", text});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "plumbline: --expect-trace " + std::string(text) +
                               ": expected VERSION:HASH, with 8 to 64 digits of the hash of a "
                               "trace, or none [world.expected-trace]\n");
  }
  Outcome outcome = run({"run", "wrong.json", "--real", "--expect-trace", "0.1.0:01234567"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("[world.real]"), std::string::npos) << outcome.err;
  write("other.json", std::string(kWrong).replace(kWrong.find("wrong"), 5, "other"));
  outcome = run({"run", "wrong.json", "other.json", "--expect-trace", "0.1.0:01234567"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("[world.one-seed]"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace plumbline::cli
