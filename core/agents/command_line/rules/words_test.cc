#include "core/agents/command_line/rules/words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::agents::command_line {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view line) {
  Result<Words> split = split_words(line);
  return split.ok() ? std::move(split).value() : Words{"error: " + split.error().message};
}

std::string refusal(std::string_view line) {
  const Result<Words> split = split_words(line);
  return split.ok() ? "" : split.error().message;
}

TEST(CommandWordsTest, BlanksPartWordsAndQuotesJoinThem) {
  EXPECT_EQ(words("git  status\t-s "), (Words{"git", "status", "-s"}));
  EXPECT_EQ(words(R"(git commit -m 'a; b | c' "d e"'f')"),
            (Words{"git", "commit", "-m", "a; b | c", "d ef"}));
  EXPECT_EQ(words(R"(a '' "" b\ c)"), (Words{"a", "", "", "b c"}));
  EXPECT_EQ(words("a 'b\nc'"), (Words{"a", "b\nc"}));
}

TEST(CommandWordsTest, ABackslashQuotesOneCharacterAndInDoubleQuotesOnlySome) {
  EXPECT_EQ(words(R"(a \$HOME \*)"), (Words{"a", "$HOME", "*"}));
  EXPECT_EQ(words(R"(a "\$x \"y\" \\ \n \`")"), (Words{"a", R"($x "y" \ \n `)"}));
  EXPECT_EQ(words(R"(a '\n')"), (Words{"a", R"(\n)"}));
}

TEST(CommandWordsTest, WhatIsOnlySpecialElsewhereStaysAsItIs) {
  EXPECT_EQ(words("git show HEAD~1 a#b x! a=b --c=d ]"),
            (Words{"git", "show", "HEAD~1", "a#b", "x!", "a=b", "--c=d", "]"}));
}

TEST(CommandWordsTest, WhatAShellWouldDoMoreWithIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("git status; rm x"),
            "a shell would read \";\" at byte 10 as the end of a command, and none is started: "
            "quote it if it is meant so");
  for (const char* line :
       {"a | b", "a & b", "a > b",    "a < b",     "a\nb",  "a $b",    "a `b`",       "a *",
        "a ?",   "a [b]", "a ~",      "a ~b",      "a b=~", "a b:~c",  "a (b)",       "a {b,c}",
        "a {}",  "a # b", "a \"$b\"", "a \"`b`\"", "b=c a", "a \\\nb", "a \"\\\nb\"", "a \\"}) {
    EXPECT_TRUE(refusal(line).starts_with("a shell would read ")) << line << ": " << refusal(line);
  }
  EXPECT_EQ(refusal("time git"), "\"time\" is a word of the shell, expected a program first");
  EXPECT_EQ(refusal("a 'b"), "the quote ' at byte 2 is never closed");
  EXPECT_EQ(refusal("a \"b"), "the quote \" at byte 2 is never closed");
  EXPECT_EQ(refusal(" \t"), "the command line is empty");
}

TEST(CommandWordsTest, WhatIsNoPlainTextIsRefused) {
  EXPECT_EQ(refusal("a \xff"), "the command line is not UTF-8");
  EXPECT_EQ(refusal("a '\x1b[2J'"), "the command line has a control character at byte 3");
  EXPECT_EQ(refusal(std::string_view("a\0b", 3)),
            "the command line has a control character at byte 1");
  EXPECT_EQ(refusal(std::string(kLineBytesMax + 1, 'a')),
            "the command line has 32769 bytes, at most 32768 are read");
}

}  // namespace
}  // namespace plumbline::agents::command_line
