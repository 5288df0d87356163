// docs/mcptest.schema.json says the same as the reader: what it refuses, the reader refuses, and
// what the reader takes, it takes.

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "conformance/catalogue/revisions.h"
#include "core/json/json.h"
#include "core/schema/schema.h"
#include "scenarios/suite/suite_reader.h"

namespace plumbline::suite {

namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(std::string(SOURCE_ROOT) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Json with_comments(const std::string& text) {
  JsonLimits rules;
  rules.comments = true;
  const Result<Json> parsed = parse_json(text, rules);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? parsed.value() : Json();
}

class SuiteSchemaTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<schema::Schema> compiled =
        schema::Schema::compile(with_comments(text_of_file("docs/mcptest.schema.json")));
    ASSERT_TRUE(compiled.ok()) << compiled.error().message;
    schema_.emplace(std::move(compiled).value());
  }

  std::string refusal(const std::string& text) const {
    const std::optional<schema::Violation> wrong = schema_->validate(with_comments(text));
    return wrong ? wrong->instance_pointer + ": " + wrong->message : "";
  }

  std::optional<schema::Schema> schema_;
};

std::string with_test(const std::string& members) {
  return R"({"mcptest": 1, "servers": {"s": {"command": "node", "args": ["a"]}}, "tests": [)"
         R"({"name": "a", )" +
         members + "}]}";
}

TEST_F(SuiteSchemaTest, BothTakeTheExample) {
  const std::string text = text_of_file("examples/reference.mcptest.json");
  EXPECT_EQ(refusal(text), "");
  const Result<Suite> suite = read_suite(text, "reference.mcptest.json");
  EXPECT_TRUE(suite.ok()) << suite.error().message;
}

TEST_F(SuiteSchemaTest, BothTakeEveryMember) {
  const std::string members[] = {
      R"("call": "x", "with": {"a": 1}, "times": 3, "expect": {"ms": 5, "bytes": {"$max": 9}})",
      R"("read": "x", "expect": {"contents": [{"text": {"$regex": "a"}}]})",
      R"("prompt": "x", "with": {}, "expect": {"messages": {"$length": 1}})",
      R"("complete": {"ref": {}}, "expect": {"completion": {"values": {"$unordered": ["a"]}}})",
      R"("list": "tools", "expect": {"names": {"$each": "a"}}, "since": "2025-06-18")",
      R"("send": "x/y", "with": {}, "expect": {"error": {"code": -1}}, "until": "2025-11-25")",
      R"("call": "x", "keep": {"id": "/a"}, "then": [{"call": "y", "with": {"a": "{id}"}}])",
      R"("call": "x", "mask": ["time", "/a/**"], "fresh": true, "promises": false, "on": ["s"])",
      R"("call": "x", "expect": {"$snapshot": true, "text": {"$snapshot": true}})",
      R"("call": "x", "answers": {"roots/list": {"roots": []}}, "expect": {"asked": {"a": 1}})",
      R"("call": "x", "expect": {"structured": {"a": {"$schema": {"type": "object"}}}})",
  };
  for (const std::string& one : members) {
    EXPECT_EQ(refusal(with_test(one)), "") << one;
    const Result<Suite> suite = read_suite(with_test(one), "a.mcptest.json");
    EXPECT_TRUE(suite.ok()) << suite.error().message;
  }
}

TEST_F(SuiteSchemaTest, BothRefuseTheSame) {
  const std::string wrong[] = {
      R"({"mcptest": 2, "tests": [{"name": "a", "call": "b"}]})",
      R"({"mcptest": 1, "tests": []})",
      R"({"mcptest": 1})",
      R"({"mcptest": 1, "servers": {"a": {}}, "tests": [{"name": "a", "call": "b"}]})",
      with_test(R"("calls": "x")"),
      with_test(R"("call": "x", "read": "y")"),
      with_test(R"("call": "")"),
      with_test(R"("list": "tool")"),
      with_test(R"("read": "x", "with": {})"),
      with_test(R"("call": "x", "expects": {})"),
      with_test(R"("call": "x", "expect": {"txt": "a"})"),
      with_test(R"("call": "x", "expect": {"text": {"$contain": "a"}})"),
      with_test(R"("call": "x", "expect": {"text": {"$type": "text"}})"),
      with_test(R"("call": "x", "expect": {"text": {"$absent": false}})"),
      with_test(R"("call": "x", "keep": {"a": "b"})"),
      with_test(R"("call": "x", "mask": ["times"])"),
      with_test(R"("call": "x", "times": 0)"),
      with_test(R"("call": "x", "since": "2025-01-01")"),
      with_test(R"("call": "x", "answers": {"roots": {}})"),
      with_test(R"("call": "x", "then": [{"name": "y", "call": "y"}])"),
  };
  for (const std::string& one : wrong) {
    EXPECT_NE(refusal(one), "") << one;
    EXPECT_FALSE(read_suite(one, "a.mcptest.json").ok()) << one;
  }
}

TEST_F(SuiteSchemaTest, ItNamesTheRevisionsThatThereAre) {
  const Json schema = with_comments(text_of_file("docs/mcptest.schema.json"));
  Json revisions = Json::array();
  for (const std::string_view one : conformance::kRevisions) revisions.push_back(std::string(one));
  EXPECT_EQ(schema["$defs"]["revision"]["enum"], revisions);
}

}  // namespace

}  // namespace plumbline::suite
