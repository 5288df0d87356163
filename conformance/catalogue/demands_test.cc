#include "conformance/catalogue/demands.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

std::vector<std::string> words_of_text(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// asks returns whether a text asks for "to", whatever else may depend on.
bool asks(const std::string& text) {
  const std::vector<std::string> words = words_of_text(text);
  const auto at = static_cast<std::size_t>(std::ranges::find(words, "to") - words.begin());
  return is_demanded(words, at) && !depends_on_something(words);
}

TEST(Demands, AreReadInTheWordsOfManyLanguages) {
  for (const char* const text :
       {"to is required", "to must be given", "missing argument to",
        "missing required arguments to", "1 validation error for move to field required",
        "to missing required argument", "missing field to at line 1",
        "field to is required for type move with serial name move but it was missing",
        "was missing required properties including the following to",
        "missing required creator property to"}) {
    EXPECT_TRUE(asks(text)) << text;
  }
}

TEST(Demands, AreNoneWhereSomethingElseIsSaid) {
  for (const char* const text :
       {"to is required with from", "either to or from is required", "to is required when x is set",
        "no route to oslo", "to has no such field", "the file is missing and so is what led to it",
        "to is not allowed with serial numbers"}) {
    EXPECT_FALSE(asks(text)) << text;
  }
}

}  // namespace
}  // namespace plumbline::conformance
