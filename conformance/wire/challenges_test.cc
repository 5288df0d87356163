#include "conformance/wire/challenges.h"

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

std::vector<Challenge> read(const std::string& field) {
  return challenges_in({{"WWW-Authenticate", field}});
}

TEST(Challenges, AreReadWithTheirParameters) {
  const std::vector<Challenge> read_ones =
      read(R"(Basic realm="a, b=c", bearer  Scope = "x \"y\"" ,error=invalid_token)");
  ASSERT_EQ(read_ones.size(), 2u);
  EXPECT_EQ(read_ones[0].param("realm"), "a, b=c");
  EXPECT_EQ(read_ones[1].scheme, "bearer");
  EXPECT_EQ(read_ones[1].param("scope"), "x \"y\"");
  EXPECT_EQ(read_ones[1].param("ERROR"), "invalid_token");
  EXPECT_EQ(read_ones[1].param("realm"), std::nullopt);
}

TEST(Challenges, MayBeWithoutParametersOrInSeveralFields) {
  const wire::HttpHeaders headers = {{"WWW-Authenticate", "Negotiate dGVzdA=="},
                                     {"www-authenticate", "Bearer"}};
  ASSERT_EQ(challenges_in(headers).size(), 2u);  // What Negotiate says is no parameter.
  EXPECT_TRUE(bearer_challenge(headers));
  EXPECT_FALSE(bearer_challenge({{"WWW-Authenticate", "Basic realm=\"Bearer\""}}));
}

TEST(Challenges, OfGarbageEnd) {
  for (const char* const text : {"", "=", "\"", ",,,=,", "Bearer a=\"", "Bearer a==\"b\\"}) {
    EXPECT_LE(read(text).size(), 2u) << text;
  }
}

}  // namespace
}  // namespace plumbline::conformance
