#include "core/schema/text/ecma_pattern.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::schema {

namespace {

// Each of these was given to an engine of ECMA-262, with the flag "u".
TEST(EcmaPatternTest, WhatAnEngineCompilesIsTaken) {
  for (const char* const good : {"",
                                 "^a+$",
                                 R"(^(?<year>\d{4})-(?<month>\d{2})$)",
                                 "(?:a|b)*?",
                                 "a{2,}",
                                 "a{2,3}?",
                                 "[^]",
                                 "[]",
                                 "[-a]",
                                 "[a-]",
                                 R"([\w\-.])",
                                 R"(\/)",
                                 R"(\u{1f600})",
                                 R"(\ud83d\ude00)",
                                 R"(\p{L}\p{Lu}\P{Letter})",
                                 R"(\p{Script=Greek})",
                                 R"(\p{gc=Lu})",
                                 "(?=a)b",
                                 "(?<!a)b",
                                 R"((a)\1)",
                                 R"(\k<n>(?<n>a))",
                                 "(?i:a)",
                                 "(?s-i:a)",
                                 "[é-ü]",
                                 "é+",
                                 R"(\cA)",
                                 R"(\0)",
                                 R"([\b])",
                                 R"(\x41)",
                                 R"(^[^\s@]+@[^\s@]+\.[^\s@]+$)",
                                 "a|",
                                 "|",
                                 "()",
                                 R"([\d-])",
                                 R"(^\^\$\\\.\*\+\?\(\)\[\]\{\}\|$)",
                                 "[{}()*+?.|^$]",
                                 "(?<$a_1>x)"}) {
    EXPECT_EQ(ecma_pattern_problem(good), "") << good;
  }
}

TEST(EcmaPatternTest, WhatAnEngineRefusesIsRefused) {
  for (const char* const bad : {"(?P<year>\\d{4})",
                                "(?P=year)",
                                "(?i)a",
                                "(?#c)",
                                "(?>a)",
                                "a++",
                                "a**",
                                "*a",
                                "+",
                                "a{3,2}",
                                "a{,3}",
                                "{",
                                "}",
                                "]",
                                "a{",
                                "(",
                                ")",
                                "(a",
                                "[a",
                                "[b-a]",
                                R"([\w-.])",
                                R"(\)",
                                R"(\-)",
                                R"(\_)",
                                R"(\@)",
                                R"(\a)",
                                R"(\e)",
                                R"(\A)",
                                R"(\z)",
                                R"(\Z)",
                                R"(\h)",
                                R"(\Q)",
                                R"(\G)",
                                R"(\p{Greek})",
                                R"(\p{IsAlphabetic})",
                                R"(\p{Punct})",
                                R"(\pL)",
                                R"(\p)",
                                R"(\1)",
                                R"((a)\2)",
                                R"(\k<n>)",
                                R"(\k)",
                                R"(\u12)",
                                R"(\u{110000})",
                                R"(\x4)",
                                R"(\c)",
                                R"(\01)",
                                "(?=a)*",
                                "(?<1>a)",
                                "(?<>a)",
                                "(?i-i:a)",
                                R"([\_])",
                                "(?<n",
                                "^*",
                                R"([\B])"}) {
    EXPECT_NE(ecma_pattern_problem(bad), "") << bad;
  }
}

TEST(EcmaPatternTest, TheProblemSaysWhere) {
  EXPECT_EQ(ecma_pattern_problem("^(?P<a>b)"), "\"(?P\" begins no group of ECMA-262, at byte 2");
  EXPECT_EQ(ecma_pattern_problem("a\\-b"), "\"\\-\" is no escape of ECMA-262, at byte 2");
}

TEST(EcmaPatternTest, DeepGroupsEndInNoVerdict) {
  EXPECT_EQ(ecma_pattern_problem(std::string(100'000, '(')), "");
}

}  // namespace

}  // namespace plumbline::schema
