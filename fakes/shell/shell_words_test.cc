#include "fakes/shell/shell_words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWordsTest, QuotesAndBackslashesMakeWords) {
  EXPECT_EQ(shell_words("git  commit -m 'a; b'"), (Words{"git", "commit", "-m", "a; b"}));
  EXPECT_EQ(shell_words(R"('a'\''b' "c\"d" e\ f "g\h" '')"),
            (Words{"a'b", "c\"d", "e f", "g\\h", ""}));
  EXPECT_EQ(shell_words("a~b c#d e!"), (Words{"a~b", "c#d", "e!"}));
  EXPECT_EQ(shell_words(""), Words());
}

TEST(ShellWordsTest, WhateverAShellWouldDoMoreWithIsNone) {
  for (const char* const line : {"a; b", "a | b", "a > b", "$a", "`a`", "\"$a\"", "a*", "~", "a\nb",
                                 "'a", "\"a", "a\\", "a &", "(a)", "{a,b}", "a # b", "!a"}) {
    EXPECT_EQ(shell_words(line), std::nullopt) << line;
  }
}

}  // namespace
}  // namespace plumbline::fakes
