#include "core/schema/text_example.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::schema {
namespace {

std::string example_of(std::string_view name, std::string_view description) {
  return text_example(name, description).value_or("none");
}

TEST(TextExampleTest, IsTheOneThatADescriptionGives) {
  EXPECT_EQ(example_of("from", "ISO 4217 code (e.g. EUR)"), "EUR");
  EXPECT_EQ(example_of("from", "A code, for example \"EUR\" or \"USD\"."), "EUR");
  EXPECT_EQ(example_of("branch", "The branch, such as `main`"), "main");
  EXPECT_EQ(example_of("day", "Example: 2026-03-01."), "2026-03-01");
  EXPECT_EQ(example_of("q", "Words, E.G. 'two words', to look for"), "two words");
}

TEST(TextExampleTest, IsWhatANameUsuallyMeans) {
  EXPECT_EQ(example_of("startDate", ""), "2026-01-01");
  EXPECT_EQ(example_of("start_date", "When it begins"), "2026-01-01");
  EXPECT_EQ(example_of("target_lang", ""), "en");
  EXPECT_EQ(example_of("update", "What to change"), "none");
  EXPECT_EQ(example_of("candidate", ""), "none");
}

TEST(TextExampleTest, IsNoneWhereNothingTells) {
  EXPECT_EQ(example_of("path", "The file to read"), "none");
  EXPECT_EQ(example_of("path", "e.g."), "none");
  EXPECT_EQ(example_of("path", "e.g. \"never closed"), "none");
}

RC_GTEST_PROP(TextExamplePropTest, AnyTextGivesAShortOneOrNone,
              (std::string name, std::string description)) {
  const auto example = text_example(name, "e.g. " + description);
  RC_ASSERT((!example || (!example->empty() && example->size() <= 60U)));
}

}  // namespace
}  // namespace plumbline::schema
