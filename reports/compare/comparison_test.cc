#include "reports/compare/comparison.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::reports {
namespace {

Report compared_report(const std::vector<std::pair<std::string, Verdict>>& rows) {
  Report report;
  report.command = "check server";
  for (const auto& [id, verdict] : rows) {
    report.results.emplace_back().id = id;
    report.results.back().verdict = verdict;
  }
  return report;
}

Change change_between(Verdict before, Verdict after) {
  const Report old = compared_report({{"a", before}});
  const Report now = compared_report({{"a", after}});
  return Comparison(old, now).of_after().front().change;
}

TEST(ComparisonTest, EveryVerdictIsWorseBetterOrNeither) {
  EXPECT_EQ(change_between(Verdict::kPass, Verdict::kFail), Change::kWorse);
  EXPECT_EQ(change_between(Verdict::kWarn, Verdict::kInconclusive), Change::kWorse);
  EXPECT_EQ(change_between(Verdict::kFail, Verdict::kInconclusive), Change::kBetter);
  EXPECT_EQ(change_between(Verdict::kFail, Verdict::kExpectedFail), Change::kOther)
      << "an excuse mends nothing";
  EXPECT_EQ(change_between(Verdict::kPass, Verdict::kExpectedFail), Change::kWorse);
  EXPECT_EQ(change_between(Verdict::kPass, Verdict::kSkip), Change::kOther);
  EXPECT_EQ(change_between(Verdict::kFail, Verdict::kFail), Change::kSame);
}

TEST(ComparisonTest, ResultsAreKnownByTheirVariantToo) {
  Report before = compared_report({{"a", Verdict::kPass}, {"a", Verdict::kFail}});
  before.results[0].revision = "2025-06-18";
  before.results[1].revision = "2025-11-25";
  Report after = before;
  after.results[1].revision = "2026-07-28";
  const Comparison comparison(before, after);
  EXPECT_EQ(comparison.of_after()[0].change, Change::kSame);
  EXPECT_EQ(comparison.of_after()[1].change, Change::kNew);
  ASSERT_EQ(comparison.gone().size(), 1U);
  EXPECT_EQ(comparison.gone()[0].before, &before.results[1]);
  EXPECT_TRUE(comparison.fails_anew()) << "nobody has seen this one before";
}

TEST(ComparisonTest, FailsAnewOnlyWhereItDidNotFail) {
  const Report failed = compared_report({{"a", Verdict::kFail}});
  const Report passed = compared_report({{"a", Verdict::kPass}});
  EXPECT_FALSE(Comparison(failed, failed).fails_anew());
  EXPECT_FALSE(Comparison(failed, passed).fails_anew());
  EXPECT_TRUE(Comparison(passed, failed).fails_anew());
}

TEST(ComparisonTest, IsTextWithTheWorstFirst) {
  const Report before = compared_report({{"worse", Verdict::kPass},
                                         {"better", Verdict::kFail},
                                         {"gone", Verdict::kWarn},
                                         {"same", Verdict::kPass}});
  Report after = compared_report({{"new", Verdict::kPass},
                                  {"better", Verdict::kPass},
                                  {"worse", Verdict::kFail},
                                  {"same", Verdict::kPass}});
  after.results[2].message = "saw\n\x1b[31mred";
  EXPECT_EQ(write_comparison(before, after),
            "worse   pass -> fail  worse\n"
            "        saw ␛[31mred\n"
            "better  fail -> pass  better\n"
            "new     pass  new\n"
            "gone    warn  gone\n"
            "\n"
            "1 worse, 1 better, 1 new, 1 gone, 1 same\n");
  EXPECT_EQ(write_comparison(after, after), "4 same\n");
}

TEST(ComparisonTest, OnlyReportsOfTheSameCommandAreComparable) {
  const Report one = compared_report({});
  Report other = one;
  EXPECT_TRUE(comparable(one, other).ok());
  other.command = "run";
  const Status status = comparable(one, other);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "one report is of `check server`, the other of `run`: expected two of the same "
            "command");
}

// any_rows returns a report with any of six results, each at most once.
Report any_rows() {
  Report report;
  for (const char* const id : {"a", "b", "c"}) {
    for (const char* const revision : {"1", "2"}) {
      if (!*rc::gen::arbitrary<bool>()) continue;
      CheckResult& result = report.results.emplace_back();
      result.id = id;
      result.revision = revision;
      result.verdict = static_cast<Verdict>(*rc::gen::inRange(0, 6));
    }
  }
  return report;
}

// Goal: nothing is lost, and looking back turns every difference around.
RC_GTEST_PROP(ComparisonTest, TellsOfEveryResultAndTheOtherWayRoundTheOpposite, ()) {
  const Report before = any_rows();
  const Report after = any_rows();
  const Comparison forth(before, after);
  const Comparison back(after, before);
  RC_ASSERT(forth.of_after().size() == after.results.size());
  const std::pair<Change, Change> opposites[] = {
      {Change::kWorse, Change::kBetter}, {Change::kBetter, Change::kWorse},
      {Change::kNew, Change::kGone},     {Change::kGone, Change::kNew},
      {Change::kOther, Change::kOther},  {Change::kSame, Change::kSame}};
  for (const auto& [there, home] : opposites) RC_ASSERT(forth.count(there) == back.count(home));
}

}  // namespace
}  // namespace plumbline::reports
