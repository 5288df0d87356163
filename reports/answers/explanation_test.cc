#include "reports/answers/explanation.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "reports/merge.h"
#include "reports/read_report.h"
#include "reports/sample_report.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

std::string_view reason(std::string_view id) {
  return id == "lifecycle.version-negotiation" ? "Clients then end the connection" : "";
}

// explained has a failure that is its SDK's doing, with a reason, and one without.
Report explained() {
  Report report = odd_report();
  BuiltWith sdk;
  sdk.name = "Acme SDK";
  sdk.revisions = {"2025-11-25"};
  sdk.seen = "one version of it";
  sdk.habits = {{"lifecycle.version-negotiation", "2025-11-25", "stdio", "take Acme SDK 2"}};
  add_built_with(report.target, sdk);
  add_reasons(report, reason);
  return report;
}

TEST(ExplanationTest, SaysWhyTheCauseAndWhatToDoInThisOrder) {
  const Report report = explained();
  const auto lines = Explanations(report).of(report.results[1]);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].label, "why");
  EXPECT_EQ(lines[0].text, "Clients then end the connection");
  EXPECT_EQ(lines[1].label, "cause");
  EXPECT_EQ(lines[1].text,
            "Acme SDK (every server on it does this; last seen in one version of it)");
  EXPECT_EQ(lines[2].label, "fix");
  EXPECT_EQ(lines[2].text, "take Acme SDK 2");
}

TEST(ExplanationTest, WhatWasExpectedIsNeverReadOutOfWordsOfSomebodyElse) {
  CheckResult row;
  row.message =
      "it got error -32602 (Invalid input: expected number, received string) (and 1 more)";
  EXPECT_EQ(observation_of(row).seen, row.message);
  EXPECT_EQ(observation_of(row).expected, "");
  row.message = "got \"a thing, expected of you\", expected error -32602 (3 times)";
  EXPECT_EQ(observation_of(row).seen, "got \"a thing, expected of you\" (3 times)");
  EXPECT_EQ(observation_of(row).expected, "error -32602");
}

TEST(ExplanationTest, EachFindingOfARuleHasTheMendOfItsOwnMessage) {
  Report report;
  report.target = Json::object();
  for (const char* const message : {"one", "other", "one"}) {
    CheckResult& row = report.results.emplace_back();
    row.id = "tools.names";
    row.verdict = Verdict::kFail;
    row.message = message;
  }
  add_mends(report, [](std::string_view, std::string_view message) {
    return message == "one" ? std::string_view("Mend one.") : std::string_view("Mend the other.");
  });
  const Explanations explanations(report);
  EXPECT_EQ(explanations.mend_of(report.results[0]), "Mend one.");
  EXPECT_EQ(explanations.mend_of(report.results[1]), "Mend the other.");
  EXPECT_EQ(explanations.mend_of(report.results[2]), "Mend one.");
}

TEST(ExplanationTest, SaysNothingOfWhatPassesAndOfWhatNobodyKnows) {
  const Report report = explained();
  const Explanations explanations(report);
  for (const CheckResult& row : report.results) {
    if (row.id != "lifecycle.version-negotiation") {
      EXPECT_TRUE(explanations.of(row).empty()) << row.id;
    }
  }
}

TEST(ExplanationTest, EveryFormatForPeopleTellsAllOfIt) {
  const Report report = explained();
  for (const std::string_view name : {"junit", "markdown", "sarif", "tap", "github", "html"}) {
    const std::string text = find_format(name)->write(report);
    for (const char* const words :
         {"Clients then end the connection",
          "every server on it does this; last seen in one version", "take Acme SDK 2"}) {
      EXPECT_NE(text.find(words), std::string::npos) << name << " does not say: " << words;
    }
  }
  const std::string console = write_console(report, {.verbose = true, .columns = 200});
  EXPECT_NE(console.find("why       Clients then end the connection\n"
                         "  cause     Acme SDK (every server on it does this; last seen in one "
                         "version of it)\n"
                         "  fix       take Acme SDK 2\n"),
            std::string::npos)
      << console;
}

TEST(ExplanationTest, ReasonsAreReadBackAndMerged) {
  const std::string json = write_json(explained());
  const Report again = read_report(json).value();
  EXPECT_EQ(write_json(again), json);
  Report other = explained();
  for (CheckResult& row : other.results) row.revision = "2026-07-28";
  const Report merged = merge_reports({{"one", explained()}, {"other", other}}).value();
  EXPECT_FALSE(merged.target.contains("merged")) << "it is one server";
  EXPECT_EQ(Explanations(merged).of(merged.results[1]).front().text,
            "Clients then end the connection");
}

}  // namespace
}  // namespace plumbline::reports
