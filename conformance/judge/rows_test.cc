#include "conformance/judge/rows.h"

#include <gtest/gtest.h>

#include "core/json/redactor.h"

namespace plumbline::conformance {
namespace {

CheckResult row_of(std::string_view contested) {
  const Redactor redactor;
  const RowWriter writer(redactor, "2025-11-25", "stdio", nullptr);
  RuleShown rule{"tools.some", "tools", "MUST", "It does.", "server/tools"};
  rule.contested = contested;
  Finding finding;
  finding.verdict = Verdict::kFail;
  finding.message = "it does not";
  return writer.row(rule, std::move(finding));
}

TEST(RowsTest, WhoBreaksADisputedRuleIsWarnedAndToldOfTheDispute) {
  EXPECT_EQ(row_of("").verdict, Verdict::kFail);
  EXPECT_EQ(row_of("").message, "it does not");
  const CheckResult row = row_of("https://a.example/1");
  EXPECT_EQ(row.verdict, Verdict::kWarn);
  EXPECT_EQ(row.level, "MUST") << "what the specification says";
  EXPECT_EQ(row.message, "it does not; disputed: https://a.example/1");
}

}  // namespace
}  // namespace plumbline::conformance
