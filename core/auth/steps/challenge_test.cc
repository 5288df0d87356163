#include "core/auth/steps/challenge.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::auth {
namespace {

TEST(ChallengeTest, TheBearerChallengeIsFoundAmongOthersHoweverItIsWritten) {
  const Challenge plain = challenge_of({{"WWW-Authenticate",
                                         "Basic realm=\"x, Bearer\", bearer  Scope = \"a b\" "
                                         ",resource_metadata=\"https://h/p?q=1\", "
                                         "error=insufficient_scope"}});
  EXPECT_TRUE(plain.bearer);
  EXPECT_EQ(plain.scope, "a b");
  EXPECT_EQ(plain.resource_metadata, "https://h/p?q=1");
  EXPECT_TRUE(plain.asks_for_more_scope());
}

TEST(ChallengeTest, HeadersOfTheirOwnAndEscapesAreRead) {
  const Challenge second = challenge_of({{"www-authenticate", "Negotiate abc=="},
                                         {"WWW-Authenticate", "Bearer error=\"in\\\"valid\""}});
  EXPECT_TRUE(second.bearer);
  EXPECT_EQ(second.error, "in\"valid");
  EXPECT_FALSE(challenge_of({{"WWW-Authenticate", "DPoP scope=a"}}).bearer);
  EXPECT_FALSE(challenge_of({}).bearer);
}

RC_GTEST_PROP(ChallengePropTest, AnyTextIsReadToItsEnd, (const std::string& text)) {
  for (const AuthScheme& scheme : parse_www_authenticate(text)) RC_ASSERT(!scheme.scheme.empty());
}

RC_GTEST_PROP(ChallengePropTest, WhatIsQuotedIsReadBack, (const std::string& said)) {
  std::string quoted;
  for (const char c : said) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  const auto read = parse_www_authenticate("Bearer scope=\"" + quoted + "\", error=x");
  RC_ASSERT(read.size() == 1U);
  RC_ASSERT(read[0].get("scope") == said);
  RC_ASSERT(read[0].get("error") == "x");
}

}  // namespace
}  // namespace plumbline::auth
