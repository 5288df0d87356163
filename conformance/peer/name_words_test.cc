#include "conformance/peer/name_words.h"

#include <gtest/gtest.h>

namespace plumbline::conformance {

namespace {

using Words = std::vector<std::string>;

TEST(NameWordsTest, AreToldApartBySignsCapitalsAndDigits) {
  EXPECT_EQ(words_of("list_loans"), (Words{"list", "loans"}));
  EXPECT_EQ(words_of("listLoans"), (Words{"list", "loans"}));
  EXPECT_EQ(words_of("readFile2"), (Words{"read", "file", "2"}));
  EXPECT_EQ(words_of("getHTTPServer"), (Words{"get", "http", "server"}));
  EXPECT_EQ(words_of("--"), Words());
  EXPECT_EQ(words_of(""), Words());
}

TEST(NameWordsTest, OneOfManyIsCalledWithoutItsEnding) {
  EXPECT_EQ(singular("stations"), "station");
  EXPECT_EQ(singular("cities"), "city");
  EXPECT_EQ(singular("hive"), "hive");
}

}  // namespace

}  // namespace plumbline::conformance
