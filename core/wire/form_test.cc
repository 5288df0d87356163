#include "core/wire/form.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::wire {
namespace {

TEST(FormTest, FieldsAreReadAsBrowsersWriteThem) {
  const Form form = Form::parse("a=1+2&b=%26%3D&&c&d=x=y&a=%zz");
  EXPECT_EQ(form.get("a"), "1 2");
  EXPECT_EQ(form.count("a"), 2U);
  EXPECT_EQ(form.get("b"), "&=");
  EXPECT_EQ(form.get("c"), "");
  EXPECT_EQ(form.get("d"), "x=y");
  EXPECT_EQ(form.get("e"), std::nullopt);
}

TEST(FormTest, TheQueryOfAUrlEndsAtItsFragment) {
  EXPECT_EQ(query_of("http://h/cb?code=1&state=a#code=2").get("code"), "1");
  EXPECT_EQ(query_of("/cb#code=2").get("code"), std::nullopt);
}

RC_GTEST_PROP(FormPropTest, WhatIsWrittenIsReadBack,
              (const std::vector<std::pair<std::string, std::string>>& fields)) {
  Form form;
  for (const auto& [name, value] : fields) form.add(name, value);
  for (const char c : form.text()) RC_ASSERT((c > ' ' && c < 127 && c != '"' && c != '#'));
  const Form read = Form::parse(form.text());
  RC_ASSERT(read.fields() == fields);
}

}  // namespace
}  // namespace plumbline::wire
