// `plumbline sweep` and `plumbline report merge` as a user runs them.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "scenarios/format/format.h"
#include "tests/programs/program_fixture.h"

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

  // merged_failing returns the whole of shards in which something failed.
  std::string merged_failing(const std::vector<std::string>& shards) {
    std::vector<std::string> words = {"report", "merge", "--out", "-"};
    words.insert(words.end(), shards.begin(), shards.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    return outcome.out;
  }

  // entries returns all that lies in the test's folder, but for its state.
  std::vector<std::string> entries() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_)) {
      names.push_back(fs::relative(entry.path(), folder_).string());
    }
    std::ranges::sort(names);
    return names;
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
  const std::vector<std::string> before = entries();
  const Outcome found = run({"sweep", "many", "--seeds", "1..30", "--faults", "none"});
  EXPECT_EQ(found.code, 1) << found.err;
  EXPECT_EQ(entries(), before) << "it leaves what nobody asked for";
  EXPECT_NE(found.out.find("plumbline shrink many/deep/c.json --seed 2 --out FILE"),
            std::string::npos)
      << found.out;
  const std::string line = "plumbline sweep many/deep/c.json --seeds 2..2 --faults none";
  EXPECT_NE(found.out.find(line), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("seed 2 is the first of 10 that fail among 10 worlds:"),
            std::string::npos)
      << found.out;
  const Outcome again = run({"sweep", "many/deep/c.json", "--seeds", "2..2", "--faults", "none"});
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.out.find("expect.status: "), std::string::npos) << again.out;

  const Outcome kept =
      run({"sweep", "many", "--seeds", "1..30", "--faults", "none", "--failures", "small"});
  EXPECT_NE(kept.out.find("by itself: plumbline run small/c-2.json"), std::string::npos)
      << kept.out;
  EXPECT_TRUE(fs::exists(folder_ / "small" / "c-2.json"));

  const Outcome first = run({"sweep", "many", "--seeds", "1..30", "--faults", "none",
                             "--until-failure", "--report", "json=-"});
  EXPECT_EQ(first.code, 1);
  const Result<Json> report = parse_json(first.out);
  ASSERT_TRUE(report.ok()) << first.out;
  EXPECT_EQ(report.value()["sweep"]["worlds"], 2);
}

// A planted abort takes one world with it: all others come to what they came to before.
TEST_F(SweepTest, AnAbortLosesOneWorldAndNoOther) {
  const auto sweep_many = [this](const std::string& out, std::vector<std::string> words) {
    words.insert(words.begin(), {"sweep", "many", "--seeds", "1..150", "--report", "json=" + out});
    return run(words);
  };
  const std::vector<std::string> planted = {"--plant", "abort-at-reset"};
  EXPECT_EQ(sweep_many("calm.json", {}).code, 0);
  const Outcome found = sweep_many("whole.json", planted);
  EXPECT_EQ(found.code, 1) << found.err;
  EXPECT_NE(found.err.find("check failed: a planted abort"), std::string::npos) << found.err;
  const std::string message =
      "invariant.no-abort: check failed: a planted abort, signal 6 (SIGABRT)";
  EXPECT_NE(found.out.find(message), std::string::npos) << found.out;

  const Result<Json> calm = parse_json(read("calm.json"));
  const Result<Json> whole = parse_json(read("whole.json"));
  ASSERT_TRUE(calm.ok() && whole.ok());
  EXPECT_EQ(whole.value()["sweep"]["worlds"], 150);
  std::int64_t aborted = 0;
  for (const Json& row : whole.value()["sweep"]["scenarios"]) {
    aborted += int_or(row, "failed", 0);
    EXPECT_EQ(row["runs"], 50);
  }
  EXPECT_GT(aborted, 3);
  EXPECT_LT(aborted, 75);

  EXPECT_EQ(sweep_many("jobs.json", {"--jobs", "3", "--plant", "abort-at-reset"}).code, 1);
  EXPECT_EQ(merged_failing({"jobs.json"}), merged_failing({"whole.json"}));
  std::vector<std::string> shards;
  for (const char* shard : {"1", "2", "3"}) {
    shards.push_back(std::string(shard) + "of3.json");
    sweep_many(shards.back(), {"--plant", "abort-at-reset", "--shard", std::string(shard) + "/3"});
  }
  EXPECT_EQ(merged_failing(shards), merged_failing({"whole.json"}));

  const std::string seed =
      std::to_string(int_or(whole.value()["sweep"]["scenarios"][0]["first"], "seed", 0));
  const Outcome shrunk = run({"shrink", "many/a.json", "--seed", seed, "--plant", "abort-at-reset",
                              "--out", "small.json"});
  EXPECT_EQ(shrunk.code, 1) << shrunk.err;
  EXPECT_NE(shrunk.out.find("fails " + message), std::string::npos) << shrunk.out;
  const Result<scenarios::Scenario> small =
      scenarios::load_scenario(read("small.json"), "small.json");
  ASSERT_TRUE(small.ok()) << small.error().message;
  EXPECT_EQ(small.value().faults.size(), 1U);
  const Outcome again = run({"run", "small.json"});
  EXPECT_NE(again.err.find("check failed: a planted abort"), std::string::npos) << again.err;
}

// A matrix may have more shards than there are worlds: one without any says so, and passes.
TEST_F(SweepTest, AShardWithoutAWorldSaysWhoHasThem) {
  const Outcome none = run({"sweep", "many", "--seeds", "1..2", "--shard", "5/7"});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_NE(none.err.find("--shard 5/7 has no world of seeds 1..2"), std::string::npos) << none.err;
  const Outcome one = run({"sweep", "many", "--seeds", "1..2", "--shard", "1/7"});
  EXPECT_EQ(one.err.find("has no world"), std::string::npos) << one.err;
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
