// Every observable MUST is judged or excused, and nothing is both.

#include "conformance/judge/coverage.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

TEST(Coverage, EachObservableMustIsJudgedOrSaysWhyNot) {
  for (const Requirement& rule : requirements()) {
    if (!rule.must() || !rule.observable) continue;
    for (const std::string_view who : {"server", "client"}) {
      if (!rule.binds(who)) continue;
      EXPECT_TRUE(is_judged(rule, who) || !excuse_for(rule, who).empty())
          << rule.id << " since " << rule.since << " binds a " << who
          << ": it needs a check, or a line in unjudged.tsv";
    }
  }
}

TEST(Coverage, NothingIsJudgedAndExcused) {
  for (const Requirement& rule : requirements()) {
    for (const std::string_view who : {"server", "client"}) {
      if (rule.area == "auth" || !is_judged(rule, who)) continue;
      EXPECT_EQ(excuse_for(rule, who), "") << rule.id << " since " << rule.since << ", " << who;
    }
  }
}

TEST(Coverage, EachExcuseIsForARuleThatThereIs) {
  for (const Unjudged& row : unjudged()) {
    bool known = false;
    for (const Requirement& rule : requirements()) {
      known = known || (rule.id == row.id && rule.binds(row.role) &&
                        is_stateless(rule.since) == (row.era == "stateless"));
    }
    EXPECT_TRUE(known) << row.id << " " << row.role << " " << row.era;
    EXPECT_FALSE(row.why.empty()) << row.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
