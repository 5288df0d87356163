#include "core/json/redactor.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline {
namespace {

TEST(RedactorTest, TakesOutConfiguredSecretsWhereverTheyStand) {
  Redactor redactor;
  redactor.add("hunter2-long");
  redactor.add("hunter2");
  EXPECT_EQ(redactor.redact("a hunter2-long b hunter2 c"), "a [redacted] b [redacted] c");
  EXPECT_TRUE(redactor.finds_secret("xhunter2x"));
  EXPECT_FALSE(redactor.finds_secret("[redacted]"));
}

TEST(RedactorTest, TakesOutWellKnownTokenShapes) {
  const Redactor redactor;
  EXPECT_EQ(redactor.redact("Authorization: Bearer abcdefgh12345"), "Authorization: [redacted]");
  EXPECT_EQ(redactor.redact("key sk-ABCDEFGHIJKLMNOP0123 end"), "key [redacted] end");
  EXPECT_EQ(redactor.redact("risk-adjusted task-list Bearer x"),
            "risk-adjusted task-list Bearer x");
}

TEST(RedactorTest, TakesOutMembersWhoseKeysNameCredentials) {
  Json value = Json::parse(R"({"dbPassword":"x1","list":[{"api_key":"y"}],"progressToken":"p1",
                              "maxTokens":5,"note":"plain","password":{"old":["x2"]}})");
  Redactor().redact(value);
  EXPECT_EQ(value, Json::parse(R"({"dbPassword":"[redacted]","list":[{"api_key":"[redacted]"}],
      "progressToken":"p1","maxTokens":5,"note":"plain","password":{"old":["[redacted]"]}})"));
}

TEST(RedactorTest, EnvironmentNamesDecide) {
  Redactor redactor;
  redactor.add_named("GITHUB_TOKEN", "abcd1234");
  redactor.add_named("HOME", "/root");
  EXPECT_EQ(redactor.redact("abcd1234 /root"), "[redacted] /root");
}

TEST(RedactorTest, ContainsWhatItWasGivenAndNothingElse) {
  Redactor redactor;
  redactor.add("hunter2-long");
  Json value = Json::parse(R"({"of hunter2-long":["hunter2-long"],"password":"x1"})");
  redactor.contain(value);
  EXPECT_EQ(value, Json::parse(R"({"of [redacted]":["[redacted]"],"password":"x1"})"));
}

TEST(RedactorTest, TinySecretsAreIgnored) {
  Redactor redactor;
  redactor.add("abc");
  EXPECT_EQ(redactor.redact("abc"), "abc");
}

TEST(RedactorTest, LeavesNoPartOfSecretsThatOverlap) {
  Redactor redactor;
  redactor.add("abcdef");
  redactor.add("defghi");
  redactor.add("zzzz");
  EXPECT_EQ(redactor.redact("-abcdefghi- zzzzzz"), "-[redacted]- [redacted]");
  EXPECT_EQ(redactor.redact("abcdefabcdef"), "[redacted][redacted]");
}

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

// By the square of the text each of these would take minutes.
TEST(RedactorTest, TakesTimeInProportionToTheText) {
  constexpr std::size_t kBytes = 1'000'000;
  Redactor redactor;
  redactor.add("hunter2-long");
  redactor.add(std::string(100, 'q'));
  for (int i = 0; i < 100; ++i) redactor.add("secret-" + std::to_string(i));
  for (const char* const part :
       {"xsk-", "hunter2-long ", "sk-0123456789abcdef ", "Bearer abcdefgh ", "q", "secret-"}) {
    EXPECT_FALSE(redactor.redact(repeated(part, kBytes)).empty());
  }
}

}  // namespace
}  // namespace plumbline
