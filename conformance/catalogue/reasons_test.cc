#include "conformance/catalogue/reasons.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/tables.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/judge/coverage.h"

namespace plumbline::conformance {
namespace {

TEST(ReasonsTest, EveryMustThatCanFailSaysWhyItMatters) {
  for (const Requirement& rule : requirements()) {
    if (!rule.must() || !(is_judged(rule, "server") || is_judged(rule, "client"))) continue;
    EXPECT_NE(why_it_matters(rule.id), "") << rule.id;
  }
  for (const GatewayCheck& check : all_gateway_checks()) {
    if (check.level != "MUST") continue;
    EXPECT_NE(why_it_matters(check.id), "") << check.id;
  }
}

TEST(ReasonsTest, EachIsOneSentenceOfARuleThatThereIs) {
  std::set<std::string_view> ids;
  for (const Requirement& rule : requirements()) ids.insert(rule.id);
  for (const GatewayCheck& check : all_gateway_checks()) ids.insert(check.id);
  std::set<std::string_view> told;
  Columns columns(table_text("reasons.tsv"));
  while (columns.next_line()) {
    const std::string_view id = columns.next();
    const std::string_view why = columns.next();
    EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_TRUE(told.insert(id).second) << id << " twice";
    EXPECT_TRUE(why.ends_with('.')) << id;
    EXPECT_EQ(why.find(". "), std::string_view::npos) << id << ": more than one sentence";
    EXPECT_LE(why.size(), 160U) << id;
    EXPECT_EQ(columns.next(), "") << id << ": more columns";
  }
}

}  // namespace
}  // namespace plumbline::conformance
