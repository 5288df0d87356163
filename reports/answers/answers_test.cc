// The two answers of a report of checks, and that every format tells the same ones.

#include "reports/answers/answers.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "reports/answers/headline.h"
#include "reports/answers/judged.h"
#include "reports/baseline.h"
#include "reports/faults.h"
#include "reports/merge.h"
#include "reports/read_report.h"
#include "reports/report_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

CheckResult row(const std::string& id, Verdict verdict,
                const std::string& revision = "2025-11-25") {
  CheckResult row;
  row.id = id;
  row.verdict = verdict;
  row.revision = revision;
  row.level = "MUST";
  row.area = id.substr(0, id.find('.'));
  row.transport = "stdio";
  row.title = "A rule that " + id + " is about, as the specification has it in so many words.";
  if (verdict != Verdict::kPass) {
    row.message = "got something else to " + id + ", expected what the rule says it shall be";
  }
  return row;
}

CheckResult because(CheckResult row, const std::string& cause) {
  row.because = cause;
  return row;
}

// planted has a server on Acme with three faults of its own, one in two revisions and one with a
// follower, one of the SDK's, and a warning of each.
Report planted() {
  Report report;
  report.version = "0.1.0";
  report.command = "check server";
  report.target = Json(Json::value_t::object);
  report.duration_ms = 6'700;
  BuiltWith sdk;
  sdk.name = "Acme SDK";
  sdk.revisions = {"2025-03-26", "2025-11-25"};
  sdk.whole = true;
  sdk.seen = "1.2.3";
  sdk.habits = {{"jsonrpc.batch", "2025-03-26", "stdio", ""},
                {"logging.code", "2025-11-25", "stdio", ""}};
  add_built_with(report.target, sdk);
  add_judged(report.target,
             {"", "shop", "2.1.0", "Acme SDK", "stdio", {"2025-03-26", "2025-11-25"}});
  report.results = {row("prompts.names", Verdict::kFail),
                    row("ping.empty", Verdict::kPass, "2025-03-26"),
                    row("tools.names", Verdict::kFail, "2025-03-26"),
                    row("tools.names", Verdict::kFail),
                    row("jsonrpc.batch", Verdict::kFail, "2025-03-26"),
                    row("lifecycle.version", Verdict::kFail, "2025-03-26"),
                    because(row("base.parts", Verdict::kFail, "2025-03-26"), "lifecycle.version"),
                    row("logging.code", Verdict::kWarn),
                    row("schema.dialect", Verdict::kWarn),
                    row("tasks.none", Verdict::kSkip)};
  for (CheckResult& each : report.results) {
    if (each.verdict == Verdict::kWarn) each.level = "SHOULD";
  }
  excuse_sdk(report);
  return report;
}

TEST(AnswersTest, ConformanceExcusesNothingAndWhatIsYoursIsCountedApart) {
  const Report report = planted();
  const Answers answers = answers_of(report);
  EXPECT_EQ(answers.conformance.musts, 7);
  EXPECT_EQ(answers.conformance.held, 1);
  EXPECT_EQ(answers.conformance.broken_in, (std::vector<std::string>{"2025-03-26", "2025-11-25"}));
  EXPECT_EQ(answers.count(Whose::kYours), 3) << "variants and followers are no findings";
  EXPECT_EQ(answers.count(Whose::kSdk), 1);
  EXPECT_EQ(headline_of(report),
            "3 failures are yours to mend, 1 from Acme SDK; 1 warning; 1 of 7 MUSTs hold, broken "
            "in revisions "
            "2025-03-26, 2025-11-25");
}

TEST(AnswersTest, TheHeaviestComesFirst) {
  const Report report = planted();
  std::vector<std::string> ids;
  for (const Finding& finding : answers_of(report).findings) ids.push_back(finding.result->id);
  EXPECT_EQ(ids, (std::vector<std::string>{"tools.names", "prompts.names", "lifecycle.version",
                                           "jsonrpc.batch"}))
      << "yours, the newest revision, what every client meets";
}

TEST(AnswersTest, EveryFormatTellsTheSameCounts) {
  const Report report = planted();
  const std::string headline = headline_of(report);
  for (const std::string_view name : {"markdown", "tap", "github", "html"}) {
    EXPECT_NE(find_format(name)->write(report).find(headline), std::string::npos) << name;
  }
  for (const bool verbose : {false, true}) {
    EXPECT_NE(write_console(report, {.verbose = verbose}).find(headline), std::string::npos);
  }
  const Json json = parse_json(write_json(report)).value();
  EXPECT_EQ(json["to_mend"], Json({{"yours", 3}, {"sdk", 1}, {"excused", 0}}));
  EXPECT_EQ(json["conformance"]["held"], 1);
  EXPECT_EQ(json["judged"][0]["name"], "shop");
  const Json sarif = parse_json(write_sarif(report)).value()["runs"][0]["properties"];
  EXPECT_EQ(sarif["to_mend"], json["to_mend"]);
  EXPECT_EQ(sarif["conformance"], json["conformance"]);
  EXPECT_NE(write_junit(report).find(R"(name="to_mend.yours" value="3")"), std::string::npos);
  EXPECT_NE(write_badge(report).find("3 to mend, 1 of 7 MUSTs hold"), std::string::npos);
  EXPECT_EQ(write_json(read_report(write_json(report)).value()), write_json(report));
}

TEST(AnswersTest, WithNothingOfYoursTheVerdictIsAPassThatStillSaysWhatIsBroken) {
  Report report = planted();
  std::erase_if(report.results,
                [](const CheckResult& one) { return one.verdict == Verdict::kFail; });
  EXPECT_EQ(overall_verdict(report), Verdict::kPass);
  EXPECT_EQ(headline_of(report),
            "no failure is yours to mend, 1 from Acme SDK; 1 warning; 1 of 2 MUSTs hold, broken in "
            "revision "
            "2025-03-26");
  EXPECT_NE(write_badge(report).find("\"green\""), std::string::npos);
}

TEST(AnswersTest, WhereOnlyTheNewestCountsNoLineSaysFail) {
  Report report = planted();
  std::erase_if(report.results, [](const CheckResult& one) {
    return one.verdict == Verdict::kFail && one.revision == "2025-11-25";
  });
  EXPECT_EQ(overall_verdict(report), Verdict::kFail);
  excuse_older(report);
  EXPECT_EQ(overall_verdict(report), Verdict::kPass);
  std::istringstream lines(write_console(report, {}));
  for (std::string line; std::getline(lines, line);) EXPECT_FALSE(line.starts_with("FAIL")) << line;
  EXPECT_EQ(answers_of(report).count(Whose::kExcused), 2);
}

TEST(AnswersTest, WhatTheNewestRevisionShowsIsNeverOlder) {
  Report report = planted();
  excuse_older(report);
  EXPECT_EQ(answers_of(report).count(Whose::kYours), 2);
  CheckResult none = row("auth.metadata", Verdict::kFail, "");
  CheckResult other = row("tools.names", Verdict::kFail, "2025-03-26");
  other.server = "which knows no newer one";
  report.results = {row("ping.empty", Verdict::kPass), none, other};
  excuse_older(report);
  EXPECT_EQ(report.results[1].verdict, Verdict::kFail);
  EXPECT_EQ(report.results[2].verdict, Verdict::kFail);
}

TEST(AnswersTest, ThreeFindingsFitATerminal) {
  const std::string text = write_console(planted(), {.columns = 80});
  std::istringstream lines(text);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);)
    rows += line.empty() ? 1 : (width_of(line) + 79) / 80;
  EXPECT_LE(rows, 23U) << text << "and a line for the prompt";
  EXPECT_TRUE(text.starts_with("FAIL  check server: shop 2.1.0 on Acme SDK over stdio\n")) << text;
}

// What an SDK mostly decides stands behind what its user wrote, which is told to the end.
TEST(AnswersTest, WarningsOfWhatTheVendorWroteAreReadable) {
  Report report = planted();
  std::erase_if(report.results, [](const CheckResult& each) {
    return each.verdict == Verdict::kFail && each.id != "prompts.names";
  });
  for (const char* const id : {"jsonrpc.garbage", "lifecycle.first", "jsonrpc.ids", "stdio.lines",
                               "jsonrpc.codes", "pagination.ends", "resources.templates"}) {
    CheckResult warned = row(id, Verdict::kWarn);
    warned.level = std::string_view(id).starts_with("jsonrpc") ? "MUST" : "SHOULD";
    warned.message = std::string(id) +
                     " was asked for \"City Hall\" as its completion offers, "
                     "and got error -32002, which is the end";
    report.results.push_back(std::move(warned));
  }
  const std::string text = write_console(report, {.columns = 80});
  for (const char* const id : {"pagination.ends", "resources.templates"}) {
    const std::size_t at = text.find("warn " + std::string(id) + ": ");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_LT(text.find("which is the end", at) - at, 160U) << text;
  }
  EXPECT_LE(std::ranges::count(text, '\n'), 23) << text;
}

TEST(AnswersTest, AnyReportFitsWhatCiShows) {
  Report report = planted();
  for (int i = 0; i < 1'000; ++i) {
    CheckResult more = row("area" + std::to_string(i % 40) + ".check-" + std::to_string(i),
                           static_cast<Verdict>(i % 6));
    more.message = std::string(i % 7 == 0 ? 100'000 : 300, i % 2 == 0 ? '<' : 'x');
    more.reproduce = "plumbline check server --only " + more.id + " --stdio -- node server.js";
    report.results.push_back(std::move(more));
  }
  EXPECT_LE(write_markdown(report).size(), 8U << 10U);
  EXPECT_LE(write_sarif(report).size(), 100'000U);
  EXPECT_LE(write_github(report).size(), 100'000U);
  EXPECT_NE(write_sarif(report).find("\"left_out\": "), std::string::npos);
}

TEST(AnswersTest, WhatIsReadBackAndMergedSaysTheSame) {
  Report other = planted();
  other.results.erase(other.results.begin() + 2);
  for (CheckResult& each : other.results) each.revision = "2026-07-28";
  other.target[kJudged][0]["revisions"] = {"2026-07-28"};
  const Report merged = merge_reports({{"one", planted()}, {"other", other}}).value();
  ASSERT_EQ(judged_in(merged).size(), 1U);
  EXPECT_EQ(judged_in(merged)[0].revisions.size(), 3U);
  EXPECT_EQ(answers_of(merged).count(Whose::kYours), 3) << "each in one revision more";
}

}  // namespace
}  // namespace plumbline::reports
