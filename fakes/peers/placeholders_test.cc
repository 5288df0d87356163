#include "fakes/peers/placeholders.h"

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

TEST(PlaceholderTest, ArgumentsTakeThePlaceOfTheirNames) {
  const Json arguments = {{"path", "/tmp"}, {"n", 3}};
  EXPECT_EQ(fill_placeholders("{{path}}/x{{n}}{{n}}", arguments), "/tmp/x33");
  EXPECT_EQ(fill_placeholders("{{unknown}} {{path", arguments), "{{unknown}} {{path");
  EXPECT_EQ(fill_placeholders("", arguments), "");
  EXPECT_EQ(fill_placeholders("{{text:12}}", arguments), "All of this ");
  EXPECT_EQ(fill_placeholders("<{{base64:30}}>", arguments), "<iVBORw0KGgoAAAANSUhEUgAAiVBORw>");
  EXPECT_EQ(fill_placeholders("{{text:}}{{text:1x}}{{:1}}{{}}", arguments),
            "{{text:}}{{text:1x}}{{:1}}{{}}");
}

}  // namespace
}  // namespace plumbline::fakes
