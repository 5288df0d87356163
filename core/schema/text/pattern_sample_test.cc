#include "core/schema/text/pattern_sample.h"

#include <gtest/gtest.h>

namespace plumbline::schema {
namespace {

TEST(PatternSampleTest, TheFirstThingThatEachPartStandsForIsWritten) {
  EXPECT_EQ(text_of_pattern(R"(^PK\d+$)"), "PK1");
  EXPECT_EQ(text_of_pattern(R"(^\d{4}-\d\d-\d\d$)"), "1111-11-11");
  EXPECT_EQ(text_of_pattern("^[A-Z]{3}$"), "AAA");
  EXPECT_EQ(text_of_pattern("^(?:open|closed)$"), "open");
  EXPECT_EQ(text_of_pattern("^(?<kind>b|c)-[^a-z]{2,}$"), "b-AA");
  EXPECT_EQ(text_of_pattern(R"(^[a-z0-9]+(-[a-z0-9]+)*$)"), "a-a");
  EXPECT_EQ(text_of_pattern(R"(^-?[\w.]+@[\w-]+\.[a-z]{2,4}$)"), "a@a.aa");
  EXPECT_EQ(text_of_pattern("^é+$"), "é");
}

TEST(PatternSampleTest, WhatCannotBeMadeIsLeftAlone) {
  for (const char* const pattern : {"^(?=a)a$", R"(^(a)\1$)", R"(^\p{Lu}$)", "^[é]$", "(", "[a",
                                    "^a{900}$", "^[]$", "a^b", R"(\)"}) {
    EXPECT_EQ(text_of_pattern(pattern), std::nullopt) << pattern;
  }
  EXPECT_EQ(text_of_pattern(std::string(kSampledPatternBytesMax + 1, 'a')), std::nullopt);
  EXPECT_EQ(text_of_pattern(std::string(100, '(') + std::string(100, ')')), std::nullopt);
}

TEST(PatternSampleTest, WhatNoOneCanTellDoesNotMatch) {
  EXPECT_TRUE(matches_pattern(R"(^b-\d+$)", "b-12"));
  EXPECT_FALSE(matches_pattern(R"(^b-\d+$)", "b-x"));
  EXPECT_FALSE(matches_pattern("(", "("));
}

}  // namespace
}  // namespace plumbline::schema
