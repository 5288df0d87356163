#include "core/base/wildcard.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline {
namespace {

TEST(WildcardTest, AStarStandsForAnyRun) {
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("abc", "abc"));
  EXPECT_TRUE(fits("a/*", "a/b/c"));
  EXPECT_TRUE(fits("*/get_*s", "x/get_gets"));
  EXPECT_TRUE(fits("ab*bd", "abcabd"));
  EXPECT_TRUE(fits("a**b", "ab"));
  EXPECT_FALSE(fits("a/*", "ba/b"));
  EXPECT_FALSE(fits("", "a"));
  EXPECT_FALSE(fits("ab", "abc"));
  EXPECT_FALSE(fits("a*b", "abc"));
  EXPECT_FALSE(fits("ab*b", "ab"));
}

TEST(WildcardTest, ManyStarsTakeNoTime) {
  EXPECT_TRUE(fits("*a*a*a*a*b", std::string(2'000, 'a') + "b"));
  EXPECT_FALSE(fits("*a*a*a*a*a*a*a*a*c", std::string(2'000, 'a') + "b"));
}

}  // namespace
}  // namespace plumbline
