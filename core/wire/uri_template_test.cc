#include "core/wire/uri_template.h"

#include <gtest/gtest.h>

namespace plumbline::wire {

namespace {

std::optional<std::string> marked(std::string_view expression) {
  if (expression == "none") return std::nullopt;
  return "<" + std::string(expression) + ">";
}

TEST(UriTemplateTest, IsExpandedWithATextForEachExpression) {
  EXPECT_EQ(expand_template("note://{id}/x{+path}", marked), "note://<id>/x<+path>");
  EXPECT_EQ(expand_template("note://a", marked), "note://a");
  EXPECT_EQ(expand_template("note://{id}/{none}", marked), std::nullopt);
  EXPECT_EQ(expand_template("note://{a}{id", marked), "note://<a>{id");
}

TEST(UriTemplateTest, AnExpressionIsPlainWithoutOperators) {
  EXPECT_TRUE(is_plain_expression("id"));
  for (const char* const one : {"?id", "id*", "a,b", "id:3"})
    EXPECT_FALSE(is_plain_expression(one));
}

}  // namespace

}  // namespace plumbline::wire
