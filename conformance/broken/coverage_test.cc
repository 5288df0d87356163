// Every observable MUST is judged or excused, and nothing is both.

#include "conformance/judge/coverage.h"

#include <algorithm>
#include <array>
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
          << ": it needs a check, or a line `unjudged` in its record";
    }
  }
}

TEST(Coverage, NothingIsJudgedAndExcused) {
  for (const Requirement& rule : requirements()) {
    for (const std::string_view who : {"server", "client"}) {
      if (!is_judged(rule, who)) continue;
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

// rule_of returns the row of the catalogue that a line `unjudged` of a record excuses.
const Requirement* rule_of(const Unjudged& row) {
  for (const Requirement& rule : requirements()) {
    if (rule.id == row.id && is_stateless(rule.since) == (row.era == "stateless")) return &rule;
  }
  return nullptr;
}

TEST(Coverage, WhatNeedsSomethingOrIsNotBuiltCountsAgainstUs) {
  for (const Unjudged& row : unjudged()) {
    const bool asks_for_more = row.why.find("needs ") != std::string_view::npos ||
                               row.why.find("not yet built") != std::string_view::npos ||
                               row.why.find("no known tool") != std::string_view::npos;
    EXPECT_TRUE(row.counts() || !asks_for_more) << row.id << " " << row.role << ": " << row.why;
  }
}

TEST(Coverage, NothingCountsThatNoMessageShows) {
  for (const Unjudged& row : unjudged()) {
    static constexpr std::array kKinds = {"other-side", "unseen", "unmeasured",
                                          "parts",      "needs",  "not-built"};
    EXPECT_NE(std::ranges::find(kKinds, row.kind), kKinds.end()) << row.id << ": " << row.kind;
    const Requirement* const rule = rule_of(row);
    ASSERT_NE(rule, nullptr) << row.id;
    EXPECT_FALSE(row.counts() && !rule->observable) << row.id << " " << row.role;
  }
}

TEST(Coverage, OnlyARuleOfBothSidesHasAnotherSide) {
  for (const Unjudged& row : unjudged()) {
    const Requirement* const rule = rule_of(row);
    ASSERT_NE(rule, nullptr) << row.id;
    // A rule that binds one side alone is nobody else's: the catalogue would be wrong about it.
    EXPECT_TRUE(row.kind != "other-side" || rule->role == "both") << row.id;
  }
}

TEST(Coverage, AWholeIsExcusedByPartsThatAreJudged) {
  for (const Unjudged& row : unjudged()) {
    if (row.kind != "parts") continue;
    int parts = 0;
    for (const Requirement& rule : requirements()) {
      const bool named = row.why.find(rule.id) != std::string_view::npos;
      if (!named || is_stateless(rule.since) != (row.era == "stateless")) continue;
      EXPECT_TRUE(is_judged(rule, row.role)) << row.id << " names " << rule.id;
      ++parts;
    }
    EXPECT_GT(parts, 0) << row.id << ": " << row.why;
  }
}

}  // namespace
}  // namespace plumbline::conformance
