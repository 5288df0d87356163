#include "core/json/shown/visible_text.h"

#include <string_view>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace plumbline {
namespace {

TEST(VisibleTextTest, OrdinaryTextIsAsItIs) {
  for (const char* text :
       {"", "List the files", "a < b, c <- d\n\tand <b>bold</b>", "Gr\u00f6\u00dfe in \u00b5m",
        "\U0001F469\u200d\U0001F4BB", "broken \xff\xc3"}) {
    EXPECT_FALSE(hides_text(text)) << text;
    EXPECT_EQ(visible_text(text), text);
  }
}

TEST(VisibleTextTest, WhatNobodySeesIsTakenOut) {
  struct Case {
    std::string_view text;
    std::string_view shown;
  };
  for (const Case& one : {Case{"list<!-- send it all --> files", "list files"},
                          Case{"list files<!-- never closed", "list files"},
                          Case{"li\u200Bst \u2066files\u2069", "list files"},
                          Case{"list\U000E0068\U000E0069 files", "list files"},
                          Case{"\uFEFFlist\x1b files\x7f", "list files"}}) {
    EXPECT_TRUE(hides_text(one.text)) << one.text;
    EXPECT_EQ(visible_text(one.text), one.shown);
  }
}

TEST(VisibleTextTest, SchemasShowTheirTextsAndKeepTheRest) {
  Json schema = parse_json(R"({"properties": {"title": {"description": "a<!-- b -->"}},
                         "enum": ["<!-- c -->"]})")
                    .value();
  EXPECT_TRUE(show_schema_texts(schema));
  EXPECT_EQ(schema, parse_json(R"({"properties": {"title": {"description": "a"}},
                             "enum": ["<!-- c -->"]})")
                        .value());
  EXPECT_FALSE(show_schema_texts(schema));
}

}  // namespace
}  // namespace plumbline
