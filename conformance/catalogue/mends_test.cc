#include "conformance/catalogue/mends.h"

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

TEST(MendsTest, EachIsOneSentenceOfARuleThatThereIs) {
  std::set<std::string_view> ids;
  for (const Requirement& rule : requirements()) ids.insert(rule.id);
  for (const GatewayCheck& check : all_gateway_checks()) ids.insert(check.id);
  std::set<std::string_view> told;
  Columns columns(table_text("mends.tsv"));
  while (columns.next_line()) {
    const std::string_view id = columns.next();
    const std::string_view mend = columns.next();
    EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_TRUE(told.insert(id).second) << id << " twice";
    EXPECT_TRUE(mend.ends_with('.')) << id;
    EXPECT_LE(mend.size(), 120U) << id << ": longer than fits two lines";
    EXPECT_EQ(columns.next(), "") << id << ": more columns";
  }
}

TEST(MendsTest, EveryMustOfAServerThatCanFailSaysHowToMendIt) {
  for (const Requirement& rule : requirements()) {
    if (!rule.must() || !is_judged(rule, "server")) continue;
    EXPECT_NE(mend_of(rule.id), "") << rule.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
