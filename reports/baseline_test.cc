#include "reports/baseline.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "reports/sample_report.h"

namespace plumbline::reports {
namespace {

CheckResult judged(std::string id, Verdict verdict, std::string revision = "2025-11-25") {
  CheckResult row = odd_pass();
  row.id = std::move(id);
  row.verdict = verdict;
  row.revision = std::move(revision);
  if (verdict != Verdict::kPass) row.message = "seen 1, expected 2";
  return row;
}

Report report_of(std::vector<CheckResult> rows) {
  Report report = odd_heading();
  report.results = std::move(rows);
  return report;
}

BaselineEntry entry(std::string id, std::string revision = "", std::string transport = "") {
  return {std::move(id), "", std::move(revision), std::move(transport), "known bug", ""};
}

std::string refusal(std::string_view text) {
  const Result<Baseline> read = read_baseline(text, "known.json");
  return read.ok() ? "accepted" : read.error().message;
}

TEST(BaselineTest, AListedFailureIsExpectedAndSaysWhy) {
  Report report = report_of({judged("a", Verdict::kFail), judged("b", Verdict::kWarn)});
  BaselineEntry linked = entry("a");
  linked.link = "https://example.com/1";
  EXPECT_EQ(apply_baseline({linked, entry("b")}, report), Baseline{});
  EXPECT_EQ(report.results[0].verdict, Verdict::kExpectedFail);
  EXPECT_EQ(report.results[0].message, "known bug (https://example.com/1): seen 1, expected 2");
  EXPECT_EQ(report.results[1].verdict, Verdict::kExpectedFail);
}

TEST(BaselineTest, WhatIsNotListedStillFails) {
  Report report = report_of({judged("a", Verdict::kFail), judged("a", Verdict::kFail, "2026-07-28"),
                             judged("c", Verdict::kInconclusive)});
  apply_baseline({entry("a", "2026-07-28", "stdio"), entry("a", "", "http"), entry("c")}, report);
  EXPECT_EQ(report.results[0].verdict, Verdict::kFail);
  EXPECT_EQ(report.results[1].verdict, Verdict::kExpectedFail);
  EXPECT_EQ(report.results[2].verdict, Verdict::kInconclusive);
}

TEST(BaselineTest, AnEntryOfOneServerExcusesNoOther) {
  Report report = report_of({judged("a", Verdict::kFail), judged("a", Verdict::kFail)});
  report.results[0].server = "mail";
  report.results[1].server = "files";
  BaselineEntry mail = entry("a");
  mail.server = "mail";
  apply_baseline({mail}, report);
  EXPECT_EQ(report.results[0].verdict, Verdict::kExpectedFail);
  EXPECT_EQ(report.results[1].verdict, Verdict::kFail);
}

TEST(BaselineTest, AnEntryThatPassesIsStale) {
  Report report = report_of({judged("a", Verdict::kPass)});
  EXPECT_EQ(apply_baseline({entry("a"), entry("a", "2025-11-25")}, report).size(), 2U);
  EXPECT_EQ(report.results[0].verdict, Verdict::kPass);
}

TEST(BaselineTest, AnEntryIsNotStaleWhileOneOfItsRowsFailsOrCannotTell) {
  for (const Verdict other : {Verdict::kFail, Verdict::kWarn, Verdict::kInconclusive}) {
    Report report = report_of({judged("a", Verdict::kPass), judged("a", other, "2026-07-28")});
    EXPECT_EQ(apply_baseline({entry("a")}, report), Baseline{}) << name_of(other);
  }
}

TEST(BaselineTest, WhatWasSkippedOrNotRunIsNotStale) {
  Report report = report_of({judged("a", Verdict::kSkip)});
  EXPECT_EQ(apply_baseline({entry("a"), entry("never-run")}, report), Baseline{});
}

TEST(BaselineTest, AnUpdateKeepsReasonsDropsWhatPassesAndAddsWhatIsNew) {
  const Report report = report_of({judged("fixed", Verdict::kPass), judged("old", Verdict::kFail),
                                   judged("new", Verdict::kFail), judged("new", Verdict::kFail)});
  const BaselineUpdate update =
      update_baseline({entry("fixed"), entry("old"), entry("not-run")}, report);
  EXPECT_EQ(update.baseline,
            (Baseline{entry("old"),
                      entry("not-run"),
                      {"new", "", "2025-11-25", "stdio", "recorded by --update-baseline", ""}}));
  EXPECT_EQ(update.added, 1U);
  EXPECT_EQ(update.dropped, 1U);
}

TEST(BaselineTest, AfterAnUpdateNothingFailsAndNothingIsStale) {
  Report report = odd_report();
  const Baseline baseline = update_baseline({}, report).baseline;
  EXPECT_EQ(apply_baseline(baseline, report), Baseline{});
  EXPECT_EQ(summarize(report).fail, 0);
  EXPECT_EQ(summarize(report).warn, 0);
}

TEST(BaselineTest, IsReadAsItWasWritten) {
  const Baseline baseline = {{"a", "mail", "2025-11-25", "stdio", "a \"reason\"", "https://x"},
                             entry("b")};
  const Result<Baseline> read = read_baseline(write_baseline(baseline), "known.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value(), baseline);
  EXPECT_TRUE(read_baseline(write_baseline({}), "known.json").ok());
  EXPECT_EQ(write_baseline({entry("b")}),
            "{\n  \"entries\": [\n    {\"id\": \"b\", \"reason\": \"known bug\"}\n  ]\n}\n");
}

TEST(BaselineTest, ABadFileIsRefusedWithItsPlace) {
  EXPECT_TRUE(refusal("[1,").starts_with("known.json:1:4: ")) << refusal("[1,");
  EXPECT_EQ(refusal("[]"), "known.json:1:1: a baseline is an array, expected an object");
  EXPECT_EQ(refusal("{}"),
            "known.json:1:1: a baseline has no \"entries\", expected {\"entries\": [{\"id\": ..., "
            "\"reason\": ...}]}");
  EXPECT_EQ(refusal("{\"entries\": [], \"x\": 1}"),
            "known.json:1:17: unknown key \"x\" in a baseline, expected one of \"entries\"");
  EXPECT_EQ(refusal("{\"entries\": [\n  7]}"),
            "known.json:2:3: an entry is a number, expected an object");
  EXPECT_EQ(refusal("{\"entries\": [\n  {\"id\": \"a\"}]}"),
            "known.json:2:3: an entry has no \"reason\", expected why a may fail");
  EXPECT_EQ(refusal("{\"entries\": [{\"reason\": \"a\"}]}"),
            "known.json:1:14: an entry has no \"id\", expected the id of a check or scenario");
  EXPECT_EQ(refusal("{\"entries\": [{\"id\": 7}]}"),
            "known.json:1:15: \"id\" is a number, expected a string");
  EXPECT_EQ(refusal("{\"entries\": [{\"id\": \"\"}]}"),
            "known.json:1:15: \"id\" is empty, expected some text");
  EXPECT_EQ(refusal(R"({"entries": [{"id": "a", "reason": "b", "ids": "a"}]})"),
            "known.json:1:41: unknown key \"ids\" in an entry, expected one of \"id\", \"server\", "
            "\"revision\", \"transport\", \"reason\", \"link\"; did you mean \"id\"?");
}

}  // namespace
}  // namespace plumbline::reports
