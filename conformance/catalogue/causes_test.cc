#include "conformance/catalogue/causes.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {
namespace {

CheckResult failing(std::string id, std::string revision) {
  CheckResult row;
  row.id = std::move(id);
  row.revision = std::move(revision);
  row.verdict = Verdict::kFail;
  return row;
}

TEST(CausesTest, AFailureNamesTheOneThatBringsIt) {
  std::vector<CheckResult> rows = {failing("stdio.batch-lines-accepted", "2025-03-26"),
                                   failing("jsonrpc.batch-receive", "2025-03-26")};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "jsonrpc.batch-receive");
  EXPECT_EQ(rows[1].because, "");
}

TEST(CausesTest, AFailureStandsForItselfWhereItsCauseHolds) {
  std::vector<CheckResult> rows = {failing("http.origin-invalid-403", "2025-11-25"),
                                   failing("http.origin-validated", "2026-07-28")};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "");
}

// about adds the message that a row is about.
CheckResult about(CheckResult row, const char* message) {
  row.evidence.push_back({1, "<-", parse_json(message).value(), true});
  return row;
}

TEST(CausesTest, TheShapeOfAMessageIsLeftToTheRuleThatIsAboutIt) {
  const char* const log = R"({"method": "notifications/message", "params": {"level": "warn"}})";
  const std::string revision = "2025-11-25";
  std::vector<CheckResult> rows = {about(failing("schema.messages-validate", revision), log),
                                   about(failing("logging.level-values", revision), log)};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "logging.level-values");
  EXPECT_EQ(rows[1].because, "");

  const char* const other = R"({"method": "notifications/message", "params": {}})";
  rows = {about(failing("schema.messages-validate", revision), other),
          about(failing("logging.level-values", revision), log)};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "") << "of another message";

  const char* const list = R"({"id": 1, "result": {"tools": [{}, {}]}})";
  rows = {about(failing("schema.messages-validate", revision), list),
          about(failing("tools.name-charset", revision), list)};
  name_causes(rows);
  EXPECT_EQ(rows[0].because, "") << "a list has room for several mistakes";
}

TEST(CausesTest, NoCauseHasACauseAndBothAreRules) {
  for (const Requirement& rule : requirements()) {
    const std::string_view cause = cause_of(rule.id);
    if (cause.empty()) continue;
    EXPECT_EQ(cause_of(cause), "") << rule.id;
    EXPECT_NE(find_requirement(cause, rule.since), nullptr) << rule.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
