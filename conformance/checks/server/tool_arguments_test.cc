#include "conformance/checks/server/tool_arguments.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

Json json_of(const char* text) { return parse_json(text).value(); }

// learned knows what is in the structuredContent `shown`.
LearnedValues learned(const char* shown) {
  Call call;
  call.method = "tools/call";
  call.reply.how = Reply::How::kAnswered;
  Json response = {{"id", 1}};
  response["result"]["structuredContent"] = json_of(shown);
  call.reply.message = kept(std::move(response));
  Exercise exercise;
  exercise.calls.push_back(call);
  LearnedValues values;
  values.learn({}, exercise);
  return values;
}

// tool_with returns a tool with these properties.
Json tool_with(const char* name, const char* properties) {
  Json tool = {{"name", name}};
  tool["inputSchema"]["properties"] = json_of(properties);
  return tool;
}

TEST(ToolArgumentsTest, CallsDifferInWhatWasMadeUpAlone) {
  const LearnedValues values = learned(R"({"cities": [{"city": "Oslo"}, {"city": "Bergen"}]})");
  const Json tool = tool_with("forecast", R"({"city": {"type": "string"},
                              "unit": {"enum": ["c", "f"]}, "days": {"type": "integer"}})");
  const std::vector<Json> calls =
      learned_arguments(values, tool, json_of(R"({"city": "plumbline", "unit": "c", "days": 1})"));
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0], json_of(R"({"city": "Oslo", "unit": "c", "days": 1})"));
  EXPECT_EQ(calls[1], json_of(R"({"city": "Bergen", "unit": "c", "days": 1})"));
  EXPECT_TRUE(learned_arguments(values, tool, json_of(R"({"unit": "c"})")).empty());
}

TEST(ToolArgumentsTest, AListIsOfThingsThatThereAre) {
  const LearnedValues values = learned(R"({"parts": [{"sku": "a"}, {"sku": "b"}, {"sku": "c"}]})");
  const Json tool =
      tool_with("stock", R"({"skus": {"type": "array", "items": {"type": "string"}}})");
  const std::vector<Json> calls =
      learned_arguments(values, tool, json_of(R"({"skus": ["plumbline"]})"));
  EXPECT_EQ(calls, (std::vector<Json>{json_of(R"({"skus": ["a", "b"]})")}));
}

TEST(ToolArgumentsTest, AValueFitsThePatternOfItsParameter) {
  const LearnedValues values = learned(R"({"parcels": [{"number": "x"}, {"number": "PK1"}]})");
  const Json tool = tool_with("track", R"({"number": {"type": "string", "pattern": "^PK\\d+$"}})");
  EXPECT_EQ(learned_arguments(values, tool, json_of(R"({"number": "PK0"})")),
            (std::vector<Json>{json_of(R"({"number": "PK1"})")}));
}

TEST(ToolArgumentsTest, TwoParametersOfWhatTheToolIsAboutGetTwoValues) {
  const LearnedValues values = learned(R"({"hives": [{"id": "n1"}, {"id": "n2"}]})");
  const Json tool =
      tool_with("merge_hives", R"({"into": {"type": "string"}, "weak": {"type": "string"}})");
  EXPECT_EQ(learned_arguments(values, tool, json_of(R"({"into": "x", "weak": "x"})")),
            (std::vector<Json>{json_of(R"({"into": "n1", "weak": "n2"})"),
                               json_of(R"({"into": "n2", "weak": "n1"})")}));
}

TEST(ToolArgumentsTest, ADescriptionSaysWhatAParameterIs) {
  const LearnedValues values = learned(R"({"stations": [{"id": "n1"}]})");
  const Json tool =
      tool_with("travel", R"({"from": {"type": "string", "description": "Station of departure"}})");
  EXPECT_EQ(learned_arguments(values, tool, json_of(R"({"from": "x"})")),
            (std::vector<Json>{json_of(R"({"from": "n1"})")}));
}

TEST(ToolArgumentsTest, EachChoiceIsTakenAndOnceWhatIsOptional) {
  const LearnedValues values = learned(R"({"city": "Oslo"})");
  const Json tool =
      tool_with("forecast", R"({"city": {"type": "string"}, "note": {"type": "string"},
      "unit": {"enum": ["c", "f", "k"]}, "wind": {"type": "boolean"}, "days": {"type": "integer"},
      "dry": {"type": "boolean", "default": true}})");
  EXPECT_EQ(
      other_choices(values, tool, json_of(R"({"unit": "c", "dry": true})")),
      (std::vector<Json>{
          json_of(R"({"unit": "f", "dry": true})"), json_of(R"({"unit": "k", "dry": true})"),
          json_of(R"({"unit": "c", "dry": false, "city": "Oslo", "wind": true, "days": 1})")}));
}

TEST(ToolArgumentsTest, WhatReckonsIsTriedAtTheBrink) {
  const LearnedValues values = learned(R"({"city": "Oslo"})");
  Json tool = tool_with("log", R"({"x": {"type": "number"}})");
  const Json first = json_of(R"({"x": 1})");
  EXPECT_TRUE(other_choices(values, tool, first).empty()) << "it may change something";
  tool["annotations"]["readOnlyHint"] = true;
  EXPECT_EQ(other_choices(values, tool, first),
            (std::vector<Json>{json_of(R"({"x": 0})"), json_of(R"({"x": -1})")}));
  tool["inputSchema"]["properties"]["x"]["exclusiveMinimum"] = 0;
  EXPECT_TRUE(other_choices(values, tool, first).empty()) << "it says where it ends";
  tool = tool_with("list", R"({"limit": {"type": "number"}})");
  tool["annotations"]["readOnlyHint"] = true;
  EXPECT_TRUE(other_choices(values, tool, json_of(R"({"limit": 1})")).empty()) << "it counts";
}

TEST(ToolArgumentsTest, ChoicesMayBeReferredTo) {
  Json tool = tool_with("paint", R"({"color": {"anyOf": [{"$ref": "#/$defs/c"}]}, "size": {}})");
  tool["inputSchema"]["$defs"]["c"]["enum"] = {"red"};
  ASSERT_NE(choices_of(tool, "color"), nullptr);
  EXPECT_EQ(*choices_of(tool, "color"), Json::array({"red"}));
  EXPECT_EQ(choices_of(tool, "size"), nullptr);
  EXPECT_EQ(choices_of(tool, "none"), nullptr);
}

}  // namespace
}  // namespace plumbline::conformance
