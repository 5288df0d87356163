#include "reports/faults.h"
#include "reports/answers/headline.h"

#include <string>

#include <gtest/gtest.h>

#include "reports/baseline.h"
#include "reports/merge.h"
#include "reports/read_report.h"
#include "reports/report_text.h"
#include "reports/sample_report.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

CheckResult finding(const std::string& id, Verdict verdict) {
  CheckResult row = odd_fail();
  row.id = id;
  row.verdict = verdict;
  row.message = "seen of " + id;
  return row;
}

BuiltWith acme() {
  BuiltWith sdk;
  sdk.name = "Acme SDK";
  sdk.revisions = {"2025-11-25"};
  sdk.whole = true;
  sdk.seen = "1.2.3";
  sdk.signs = {"its own error"};
  sdk.habits = {{"a.habit", "2025-11-25", "stdio", "not in Acme SDK 2"},
                {"a.constant", "2025-11-25", "stdio", ""}};
  sdk.settings = {{"a.setting", "2025-11-25", "stdio", "set careful"}};
  return sdk;
}

// built has two failures and a warning of a server on Acme, and a failure of its own.
Report built(const std::string& server = "") {
  Report report = odd_report();
  BuiltWith sdk = acme();
  sdk.server = server;
  report.target = Json::object();
  report.target["servers"] = Json::array();
  add_built_with(report.target, sdk);
  report.results = {finding("a.habit", Verdict::kFail), finding("a.setting", Verdict::kFail),
                    finding("a.constant", Verdict::kWarn), finding("own", Verdict::kFail),
                    odd_pass()};
  for (CheckResult& row : report.results) row.server = server;
  return report;
}

TEST(FaultsTest, TellsWhatIsTheSdksFromWhatIsOnesOwn) {
  const Report report = built();
  const Faults faults(report);
  EXPECT_EQ(faults.word_for(report.results[0]), "sdk");
  EXPECT_EQ(faults.fix_for(report.results[0]), "not in Acme SDK 2");
  EXPECT_EQ(faults.word_for(report.results[1]), "own");
  EXPECT_EQ(faults.fix_for(report.results[1]), "set careful");
  EXPECT_EQ(faults.word_for(report.results[3]), "own");
  EXPECT_EQ(faults.word_for(report.results[4]), "") << "a pass is nobody's fault";
  CheckResult elsewhere = report.results[0];
  elsewhere.transport = "http";
  EXPECT_EQ(faults.word_for(elsewhere), "own") << "not seen over this transport";
}

TEST(FaultsTest, NamesNobodyWhereNothingWasRecognised) {
  Report report = built();
  report.target.erase(kBuiltWith);
  const Faults faults(report);
  for (const CheckResult& row : report.results) {
    EXPECT_EQ(faults.word_for(row), "");
    EXPECT_EQ(faults.fix_for(row), "");
  }
  EXPECT_EQ(
      headline_of(report),
      "3 failures are yours to mend; 1 warning; 2 of 5 MUSTs hold, broken in revision 2025-11-25");
}

TEST(FaultsTest, AMergedReportNamesSomebodyWhereThePartDid) {
  Report other = built();
  for (CheckResult& row : other.results) row.revision = "2026-07-28";
  other.target.erase(kBuiltWith);
  const Result<Report> merged = merge_reports({{"one", built()}, {"other", other}});
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  EXPECT_EQ(merged.value().target.contains("merged"), false) << "it is one server";
  const Faults faults(merged.value());
  EXPECT_EQ(faults.word_for(merged.value().results[0]), "sdk");
  EXPECT_EQ(faults.word_for(merged.value().results[5]), "") << "nothing was recognised there";
}

TEST(FaultsTest, NamesNobodyWhereTheSignsOfTwoMeet) {
  Report report = built();
  BuiltWith other = acme();
  other.name = "Another SDK";
  add_built_with(report.target, other);
  EXPECT_EQ(Faults(report).word_for(report.results[0]), "");
}

TEST(FaultsTest, WhereNotAllOfAnSdkIsKnownTheRestIsNobodys) {
  Report report = built();
  report.target[kBuiltWith][0]["whole"] = false;
  const Faults faults(report);
  EXPECT_EQ(faults.word_for(report.results[0]), "sdk");
  EXPECT_EQ(faults.word_for(report.results[1]), "own") << "there is a setting for it";
  EXPECT_EQ(faults.word_for(report.results[3]), "");
  excuse_sdk(report);
  EXPECT_EQ(report.results[3].verdict, Verdict::kFail) << "what nobody knows is never excused";
}

TEST(FaultsTest, OfSeveralServersEachHasItsOwn) {
  Report mail = built("mail");
  const Report merged = merge_reports({{"one", built("files")}, {"other", mail}}).value();
  const Faults faults(merged);
  EXPECT_EQ(faults.word_for(merged.results[0]), "sdk");
  CheckResult unknown = merged.results[0];
  unknown.server = "third";
  EXPECT_EQ(faults.word_for(unknown), "");
}

TEST(FaultsTest, JsonAndSarifSayWhoseItIs) {
  const std::string json = write_json(built());
  EXPECT_NE(
      json.find(R"("message": "seen of a.habit", "fault": "sdk", "fix": "not in Acme SDK 2")"),
      std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("message": "seen of own", "fault": "own")"), std::string::npos);
  const Report again = read_report(json).value();
  EXPECT_EQ(write_json(again), json);
  const Json sarif = parse_json(write_sarif(built())).value();
  const Json& first = sarif["runs"][0]["results"][0]["properties"];
  EXPECT_EQ(first["fault"], "sdk");
  EXPECT_EQ(first["sdk"], "Acme SDK");
  EXPECT_EQ(first["fix"], "not in Acme SDK 2");
  EXPECT_EQ(sarif["runs"][0]["results"][2]["properties"]["fault"], "own");
}

TEST(FaultsTest, TheConsoleTellsConstantWarningsOnce) {
  const std::string text = write_console(built(), {.columns = 300});
  EXPECT_EQ(text.find("a.constant"), std::string::npos) << text;
  EXPECT_NE(text.find("as every server on Acme SDK does it: 1 warning\n"), std::string::npos)
      << text;
  const std::string all = write_console(built(), {.verbose = true, .columns = 300});
  EXPECT_NE(all.find("seen of a.constant"), std::string::npos);
  EXPECT_LT(all.find("FAIL own"), all.find("FAIL a.habit")) << "one's own come first";
  EXPECT_NE(all.find("cause     Acme SDK (every server on it does this; last seen in 1.2.3)\n"
                     "  fix       not in Acme SDK 2\n"),
            std::string::npos)
      << all;
}

TEST(FaultsTest, OfAnSdkItsFailuresAreExcusedAndNothingElse) {
  Report report = built();
  EXPECT_EQ(excuse_sdk(report), 1U);
  EXPECT_EQ(report.results[0].verdict, Verdict::kExpectedFail);
  EXPECT_EQ(report.results[0].message,
            "every server on Acme SDK does this (last seen in 1.2.3): seen of a.habit");
  EXPECT_EQ(report.results[1].verdict, Verdict::kFail);
  EXPECT_EQ(report.results[2].verdict, Verdict::kWarn) << "it fails nobody";
  EXPECT_EQ(report.results[3].verdict, Verdict::kFail);
  EXPECT_EQ(Faults(report).word_for(report.results[0]), "sdk") << "still, when it is excused";
  EXPECT_EQ(headline_of(report),
            "2 failures are yours to mend, 1 from Acme SDK; 2 of 5 MUSTs hold, broken in revision "
            "2025-11-25");
}

}  // namespace
}  // namespace plumbline::reports
