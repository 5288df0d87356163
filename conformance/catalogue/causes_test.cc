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
