#include "conformance/catalogue/introduced.h"

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

Introduced of(const char* text) { return introduced_by(parse_json(text).value()); }

TEST(IntroducedTest, IsReadWhereEachRevisionHasIt) {
  EXPECT_EQ(of(R"({"result": {"serverInfo": {"name": "a", "version": "1"}}})").name, "a");
  EXPECT_EQ(
      of(R"({"result": {"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "b"}}}})").name,
      "b");
  EXPECT_EQ(of(R"({"params": {"clientInfo": {"name": "c", "version": "2"}}})").version, "2");
  EXPECT_EQ(
      of(R"({"params": {"_meta": {"io.modelcontextprotocol/clientInfo": {"name": "d"}}}})").name,
      "d");
}

TEST(IntroducedTest, WhatIsNoTextIsNothing) {
  for (const char* const odd :
       {"null", "[]", R"({"params": []})", R"({"params": {"clientInfo": "c"}})",
        R"({"params": {"clientInfo": {"name": 1}}})", R"({"result": {"serverInfo": {}}})"}) {
    EXPECT_EQ(of(odd).name, "") << odd;
  }
}

}  // namespace
}  // namespace plumbline::conformance
