#include "reports/merge.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reports/read_report.h"
#include "reports/sample_report.h"
#include "reports/sweep_json.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr std::uint64_t kFirst = 5;
constexpr std::uint64_t kLast = 2'104;

// What world `seed` adds: numbers that differ from world to world.
void run_world(SweepTotals& totals, std::uint64_t seed) {
  ++totals.worlds;
  totals.fingerprint += seed * 0x9e3779b97f4a7c15U;
  ++totals.determinism->checked;
  totals.determinism->traces += seed * seed;
  FaultCount& reset = totals.faults["reset"];
  reset.worlds += seed % 3 == 0 ? 1U : 0U;
  reset.struck += seed % 3;
  reset.met += seed % 2;
  totals.situations["retried"] += seed % 5 == 0 ? 1U : 0U;
  totals.situations["never"] += 0;
  SweptScenario& scenario = totals.scenarios[seed % totals.scenarios.size()];
  ++scenario.runs;
  if (seed % 100 != 7) return;
  ++scenario.failed;
  FailedWorld failed{seed, scenario.id, "invariant.x: \"" + std::to_string(seed) + "\"\n<&>",
                     "plumbline sweep x.json --seeds " + std::to_string(seed)};
  if (!scenario.first) scenario.first = std::move(failed);
}

Report shard(std::uint64_t index, std::uint64_t of) {
  Report report;
  report.version = "0.1.0";
  report.command = "sweep";
  report.target = Json({{"scenarios", 3}});
  report.seed = kFirst;
  report.started = "2026-01-02T03:04:05Z";
  report.duration_ms = 1.5 * static_cast<double>(index);
  SweepTotals& totals = report.sweep.emplace();
  totals.first = kFirst;
  totals.last = kLast;
  totals.shard = index;
  totals.shards = of;
  totals.profile = "default";
  totals.determinism.emplace();
  for (const char* id : {"a", "b", "c"}) totals.scenarios.push_back({id, "basics", "T.", 0, 0, {}});
  for (std::uint64_t seed = kFirst + index - 1; seed <= kLast; seed += of) run_world(totals, seed);
  report.results = rows_of(totals);
  return report;
}

// written returns the report as it comes out of its file.
Report written(const Report& report) {
  Result<Report> read = read_sweep_report(write_json(report));
  EXPECT_TRUE(read.ok()) << read.error().message;
  return std::move(read).value();
}

std::vector<ShardReport> split(std::uint64_t of) {
  std::vector<ShardReport> shards;
  for (std::uint64_t index = of; index >= 1; --index) {
    shards.push_back({std::to_string(index) + ".json", written(shard(index, of))});
  }
  return shards;
}

std::string merged(std::vector<ShardReport> shards) {
  const Result<Report> report = merge_shards(std::move(shards));
  return report.ok() ? write_json(report.value()) : "refused: " + report.error().message;
}

TEST(MergeTest, AnySplitGivesTheSameBytes) {
  const std::string whole = merged(split(1));
  EXPECT_NE(whole.find("\"worlds\": 2100,"), std::string::npos) << whole;
  EXPECT_EQ(whole.find("2026-01"), std::string::npos);
  for (const std::uint64_t of : {2U, 3U, 7U, 40U}) {
    EXPECT_EQ(merged(split(of)), whole) << of;
  }
}

TEST(MergeTest, TheRowsAreThoseOfTheWholeSweep) {
  const Report merged = merge_shards(split(7)).value();
  const Report whole = shard(1, 1);
  ASSERT_EQ(merged.results.size(), whole.results.size());
  for (std::size_t i = 0; i < whole.results.size(); ++i) {
    EXPECT_EQ(merged.results[i].id, whole.results[i].id);
    EXPECT_EQ(merged.results[i].verdict, whole.results[i].verdict);
    EXPECT_EQ(merged.results[i].message, whole.results[i].message);
    EXPECT_EQ(merged.results[i].reproduce, whole.results[i].reproduce);
  }
}

TEST(MergeTest, WhatNeverCameUpIsHeldAgainstTheWholeAlone) {
  const Report report = merge_shards(split(2)).value();
  EXPECT_EQ(report.results.back().id, "sometimes.retried");
  EXPECT_EQ(report.results.back().verdict, Verdict::kPass);
  const CheckResult& never = report.results[report.results.size() - 2];
  EXPECT_EQ(never.id, "sometimes.never");
  EXPECT_EQ(never.verdict, Verdict::kFail);
  EXPECT_EQ(never.message, "never seen in 2100 worlds");
  EXPECT_EQ(shard(1, 2).results.back().id, "determinism.same-seed-same-bytes");
}

TEST(MergeTest, AShardThatWasStoppedLeavesTheWholeUndecided) {
  std::vector<ShardReport> shards = split(2);
  SweptScenario& cut = shards[0].report.sweep->scenarios[0];
  ASSERT_GT(cut.runs, 0U);
  cut.first.reset();
  shards[1].report.sweep->scenarios[0].first.reset();
  --cut.runs;
  const Report report = merge_shards(std::move(shards)).value();
  EXPECT_EQ(report.results[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(report.results[0].message, "stopped after 699 of 700 worlds");
}

TEST(MergeTest, WhatDoesNotBelongTogetherIsRefusedInOneLine) {
  std::vector<ShardReport> shards = split(3);
  shards.pop_back();
  EXPECT_EQ(merged(shards), "refused: missing of 3 shards: 1");
  shards.push_back({"again.json", shards.front().report});
  EXPECT_EQ(merged(shards), "refused: again.json: shard 3 again, it stands in 3.json");

  const auto refused = [](void (*change)(Report&)) {
    std::vector<ShardReport> two = split(2);
    change(two.back().report);
    const std::string message = merged(std::move(two));
    const std::string start = "refused: 1.json: not of the sweep of 2.json: ";
    EXPECT_EQ(message.substr(0, start.size()), start);
    return message.substr(std::min(message.size(), start.size()));
  };
  EXPECT_EQ(refused([](Report& r) { r.version = "0.2.0"; }), "version 0.1.0 and 0.2.0");
  EXPECT_EQ(refused([](Report& r) { r.sweep->last = 3'000; }), "other seeds");
  EXPECT_EQ(refused([](Report& r) { r.sweep->shards = 3; }), "2 shards and 3");
  EXPECT_EQ(refused([](Report& r) { r.sweep->profile = "none"; }), "faults default and none");
  EXPECT_EQ(refused([](Report& r) { r.target = 4; }), "other scenarios");
  EXPECT_EQ(refused([](Report& r) { r.sweep->scenarios[1].id = "z"; }), "other scenarios");
  EXPECT_EQ(refused([](Report& r) { r.sweep->scenarios.pop_back(); }), "other scenarios");
  EXPECT_EQ(refused([](Report& r) { r.sweep->determinism.reset(); }),
            "--check-determinism in one of them only");
  EXPECT_EQ(merged({}), "refused: nothing to merge");
}

// Reports of no sweep ---------------------------------------------------------------------------

std::vector<ShardReport> parts() {
  Report first = odd_report();
  Report second = odd_heading();
  second.started = "2026-01-02T03:04:04Z";
  second.duration_ms = 0.75;
  second.results = {odd_pass()};
  second.results[0].revision = "2026-07-28";
  return {{"old.json", first}, {"new.json", second}};
}

TEST(MergeReportsTest, HaveTheResultsOfAllInTheirOrder) {
  const Report merged = merge_reports(parts()).value();
  ASSERT_EQ(merged.results.size(), odd_report().results.size() + 1);
  EXPECT_EQ(merged.results[1].id, odd_fail().id);
  EXPECT_EQ(merged.results[1].evidence.size(), odd_fail().evidence.size());
  EXPECT_EQ(merged.results.back().revision, "2026-07-28");
  EXPECT_EQ(merged.started, "2026-01-02T03:04:04Z");
  EXPECT_EQ(merged.duration_ms, 61'813.0);
  EXPECT_EQ(merged.target, odd_heading().target);
}

TEST(MergeReportsTest, OfOneIsThatOne) {
  const std::string text = write_json(odd_report());
  Report read = read_report(text).value();
  EXPECT_EQ(write_json(merge_reports({{"a.json", std::move(read)}}).value()), text);
}

TEST(MergeReportsTest, WhatDoesNotBelongTogetherIsRefusedInOneLine) {
  const auto refused = [](void (*change)(Report&)) {
    std::vector<ShardReport> two = parts();
    change(two.back().report);
    const Result<Report> merged = merge_reports(std::move(two));
    return merged.ok() ? "merged" : merged.error().message;
  };
  EXPECT_EQ(refused([](Report& r) { r.results[0].revision = "2025-11-25"; }),
            "new.json: lifecycle.initialize-first (2025-11-25 stdio) stands in old.json, too");
  EXPECT_EQ(refused([](Report& r) { r.command = "run"; }),
            "new.json: command run, of old.json it is check server");
  EXPECT_EQ(refused([](Report& r) { r.version = "0.2.0"; }),
            "new.json: version 0.2.0, of old.json it is 0.1.0");
  EXPECT_EQ(refused([](Report& r) { r.sweep.emplace(); }),
            "new.json: one of a sweep and one that is not: old.json");
}

TEST(ReadReportTest, TellsWhatIsNoReport) {
  const auto problem = [](const char* text) { return read_report(text).error().message; };
  EXPECT_EQ(problem("{\"results\": []}"), "expected a JSON report of plumbline");
  EXPECT_EQ(problem("{\"plumbline\": \"1\", \"results\": [7]}"),
            "result 1: \"id\": expected a string");
  EXPECT_EQ(problem("{\"plumbline\": \"1\", \"results\": [{\"id\": \"a\"}]}"),
            "result 1: \"verdict\": expected pass, fail, warn, skip ...");
}

TEST(SweepJsonTest, EveryBadMemberIsNamed) {
  const std::string good = write_json(shard(1, 2));
  const auto problem = [&good](const std::string& what, const std::string& with) {
    std::string text = good;
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), with);
    const Result<Report> read = read_sweep_report(text);
    return read.ok() ? "read" : read.error().message;
  };
  EXPECT_EQ(problem("\"sweep\":", "\"swept\":"), "expected a JSON report of plumbline sweep");
  EXPECT_EQ(problem("\"index\": 1", "\"index\": 3"), "\"shard\": expected index 1 to of");
  EXPECT_EQ(problem("\"last\": 2104", "\"last\": 4"),
            "\"seeds\": expected a range from first to last");
  EXPECT_EQ(problem("\"worlds\": 1050", "\"worlds\": -1"),
            "\"worlds\": expected a number up to 1000000000000");
  EXPECT_EQ(problem("\"fingerprint\": \"", "\"fingerprint\": \"0"),
            "\"fingerprint\": expected 16 hexadecimal digits");
  EXPECT_EQ(problem("\"area\": \"basics\"", "\"area\": 1"), "\"area\": expected a string");
  EXPECT_EQ(problem("\"situations\": {", "\"situations\": 1, \"x\": {"), "\"\": expected a value");
  EXPECT_NE(problem("\"sweep\":", "\"sweep\" "), "read");
}

}  // namespace
}  // namespace plumbline::reports
