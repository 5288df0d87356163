// `plumbline sweep` and `plumbline report merge` as a user runs them.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/program_fixture.h"
#include "core/json/json.h"

namespace plumbline::cli {
namespace {

class SweepTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    fs::create_directories(folder_ / "many" / "deep");
    for (const char* id : {"a", "b", "deep/c"}) scenario("many/" + std::string(id), "ok");
  }

  // scenario writes a file that lists files and expects `status`.
  void scenario(const std::string& name, const std::string& status) {
    const std::string id = fs::path(name).filename().string();
    write(name + ".json", R"({"plumbline": 1, "id": ")" + id +
                              R"(", "title": "T.", "request": {"input": "List the files"},
      "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}]}},
      "world": {"latency_ms": [1, 20]}, "expect": {"status": ")" +
                              status + "\"}}");
  }

  // sweep runs one into `report` and returns its exit status.
  int sweep(const std::string& report, std::vector<std::string> more) {
    std::vector<std::string> words = {
        "sweep", "many", "--seeds", "3..62", "--check-determinism", "--report", "json=" + report};
    words.insert(words.end(), more.begin(), more.end());
    return run(words).code;
  }

  std::string merged(std::vector<std::string> reports) {
    std::vector<std::string> words = {"report", "merge"};
    words.insert(words.end(), reports.begin(), reports.end());
    words.insert(words.end(), {"--out", "-"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }

  std::string refusal(const std::vector<std::string>& words) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }
};

TEST_F(SweepTest, ShardsAndJobsMergeToTheSameBytes) {
  EXPECT_EQ(sweep("whole.json", {}), 0);
  EXPECT_EQ(sweep("jobs.json", {"--jobs", "2"}), 0);
  std::vector<std::string> shards;
  for (const char* shard : {"7", "2", "3", "4", "5", "6", "1"}) {
    shards.push_back(std::string(shard) + ".json");
    EXPECT_EQ(sweep(shards.back(), {"--shard", std::string(shard) + "/7"}), 0);
  }
  const std::string whole = merged({"whole.json"});
  EXPECT_EQ(merged({"jobs.json"}), whole);
  EXPECT_EQ(merged(shards), whole);

  const Result<Json> report = parse_json(whole);
  ASSERT_TRUE(report.ok()) << whole;
  const Json& totals = report.value()["sweep"];
  EXPECT_EQ(totals["worlds"], 60);
  EXPECT_EQ(totals["determinism"]["checked"], 60);
  EXPECT_EQ(totals["determinism"]["differ"], 0);
  EXPECT_EQ(totals["scenarios"][2]["id"], "c");
  EXPECT_EQ(totals["scenarios"][2]["runs"], 20);
  EXPECT_EQ(report.value()["started"], "");

  shards.pop_back();
  std::vector<std::string> words = {"report", "merge", "--out", "all.json"};
  words.insert(words.end(), shards.begin(), shards.end());
  EXPECT_NE(refusal(words).find("missing of 7 shards: 1"), std::string::npos);
  words.push_back("2.json");
  EXPECT_NE(refusal(words).find("2.json: shard 2 again"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "all.json"));
}

TEST_F(SweepTest, AFailureExitsOneAndItsLineRepeatsIt) {
  scenario("many/deep/c", "failed");
  const Outcome found = run({"sweep", "many", "--seeds", "1..30", "--faults", "none"});
  EXPECT_EQ(found.code, 1) << found.err;
  const std::string line = "plumbline sweep many/deep/c.json --seeds 2..2 --faults none";
  EXPECT_NE(found.out.find(line), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("seed 2 is the first of 10 that fail among 10 worlds:"),
            std::string::npos)
      << found.out;
  const Outcome again = run({"sweep", "many/deep/c.json", "--seeds", "2..2", "--faults", "none"});
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.out.find("expect.status: "), std::string::npos) << again.out;

  const Outcome first = run({"sweep", "many", "--seeds", "1..30", "--faults", "none",
                             "--until-failure", "--report", "json=-"});
  EXPECT_EQ(first.code, 1);
  const Result<Json> report = parse_json(first.out);
  ASSERT_TRUE(report.ok()) << first.out;
  EXPECT_EQ(report.value()["sweep"]["worlds"], 2);
}

TEST_F(SweepTest, WhatCannotBeSweptIsOneLine) {
  EXPECT_NE(refusal({"sweep", "many"}).find("--seeds"), std::string::npos);
  for (const char* shard : {"0/7", "8/7", "1", "x/2", "1/0", "-1/2"}) {
    EXPECT_NE(refusal({"sweep", "many", "--seeds", "1..2", "--shard", shard}).find("--shard"),
              std::string::npos)
        << shard;
  }
  refusal({"sweep", "many", "--seeds", "1..2", "--faults", "hail"});
  scenario("other", "ok");
  fs::create_directories(folder_ / "twice");
  scenario("twice/a", "ok");
  EXPECT_NE(refusal({"sweep", "many", "twice", "--seeds", "1..2"})
                .find("twice/a.json: there is \"a\" in many/a.json, too"),
            std::string::npos);
  refusal({"report", "merge", "missing.json", "--out", "-"});
  EXPECT_NE(refusal({"report", "merge", "many/a.json", "--out", "-"})
                .find("many/a.json: expected a JSON report of plumbline"),
            std::string::npos);
}

}  // namespace
}  // namespace plumbline::cli
