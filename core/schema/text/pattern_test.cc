#include "core/schema/text/pattern.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace plumbline::schema {
namespace {

bool found(std::string_view pattern, std::string_view text) {
  const Result<Pattern> compiled = Pattern::compile(pattern, 1'000);
  EXPECT_TRUE(compiled.ok()) << pattern << ": " << compiled.error().message;
  return compiled.ok() && compiled.value().matches(text);
}

ErrorCode refusal_of(std::string_view pattern) {
  const Result<Pattern> compiled = Pattern::compile(pattern, 1'000);
  EXPECT_FALSE(compiled.ok()) << pattern;
  return compiled.ok() ? ErrorCode::kDisconnected : compiled.error().code;
}

TEST(PatternTest, FindsAnywhereUnlessAnchored) {
  EXPECT_TRUE(found("b", "abc"));
  EXPECT_FALSE(found("^b", "abc"));
  EXPECT_FALSE(found("^abc$", "abc\n"));
}

TEST(PatternTest, ShorthandsMeanWhatEcmaSays) {
  EXPECT_TRUE(found("^\\d$", "7"));
  EXPECT_FALSE(found("^\\d$", "\u09ea"));
  EXPECT_FALSE(found("^\\w$", "\u00e9"));
  EXPECT_TRUE(found("^\\s$", "\u00a0"));
  EXPECT_TRUE(found("^[\\s]$", "\ufeff"));
  EXPECT_TRUE(found("^[\\S]$", "x"));
  EXPECT_FALSE(found("^[^\\S]$", "x"));
  EXPECT_FALSE(found("^.$", "\u2028"));
  EXPECT_TRUE(found("^.$", "\U0001f600"));
}

TEST(PatternTest, EscapesAreTranslated) {
  EXPECT_TRUE(found("^\\cC$", "\x03"));
  EXPECT_TRUE(found("^\\/\\-$", "/-"));
  EXPECT_TRUE(found("^\\u0041\\x42\\u{43}$", "ABC"));
  EXPECT_TRUE(found("^\\ud83d\\ude00$", "\U0001f600"));
  EXPECT_TRUE(found("^[\\b]$", "\b"));
  EXPECT_TRUE(found("^\\0$", std::string_view("\0", 1)));
  EXPECT_TRUE(found("^\\p{Letter}\\p{Lu}\\p{gc=Nd}\\p{Script=Greek}$", "aA1\u03b1"));
  EXPECT_TRUE(found("^\\P{Letter}[\\p{ASCII}]$", "1a"));
  EXPECT_TRUE(found("^(?<year>\\d+)$", "2026"));
  EXPECT_TRUE(found("^[[a]$", "["));
  EXPECT_TRUE(found("^[^]$", "\n"));
  EXPECT_FALSE(found("[]", "a"));
}

TEST(PatternTest, LooksAheadAtTheBeginning) {
  constexpr std::string_view kAddress = R"(^(?!\.)(?!.*\.\.)([a-z.]*)@[a-z.]+$)";
  EXPECT_TRUE(found(kAddress, "a.b@c.de"));
  EXPECT_FALSE(found(kAddress, ".a@c.de"));
  EXPECT_FALSE(found(kAddress, "a..b@c.de"));
  EXPECT_TRUE(found("^(?=.*\\d)[a-z0-9]+$", "a1"));
  EXPECT_FALSE(found("^(?=.*\\d)[a-z0-9]+$", "ab"));
  EXPECT_EQ(refusal_of("^(?!a)b|c"), ErrorCode::kUnsupported);
}

TEST(PatternTest, AllThatAPatternLooksAheadForSharesItsMemory) {
  std::string many = "^";
  for (int i = 0; i < 100; ++i) many += "(?!a)";
  EXPECT_EQ(refusal_of(many + "b"), ErrorCode::kLimitReached);
  constexpr std::size_t kLittle = 192U << 10U;
  const Result<Pattern> few = Pattern::compile("^(?!a)(?=b)b", 1'000, kLittle);
  ASSERT_TRUE(few.ok());
  EXPECT_LE(few.value().memory(), kLittle);
  const Result<Pattern> more = Pattern::compile("^(?!a)(?=b)(?!c)b", 1'000, kLittle);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().code, ErrorCode::kLimitReached);
}

TEST(PatternTest, WhatRe2CannotDoIsUnsupported) {
  for (const char* pattern : {"a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>",
                              "a{2000}", "\\p{NoSuchThing}"}) {
    EXPECT_EQ(refusal_of(pattern), ErrorCode::kUnsupported) << pattern;
  }
}

TEST(PatternTest, WhatIsNoPatternIsInvalid) {
  for (const char* pattern : {"(", "[a", "*", "a**", "\\", "\\c1", "\\u12", "\\u{110000}", "\\pL",
                              "\\Z", "(?P<n>a)", "(?i)a", "\\u{", "\\x", "\\u{}"}) {
    EXPECT_EQ(refusal_of(pattern), ErrorCode::kInvalidInput) << pattern;
  }
}

}  // namespace
}  // namespace plumbline::schema
