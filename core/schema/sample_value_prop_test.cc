#include "core/schema/sample_value.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/schema/schema.h"

namespace plumbline::schema {
namespace {

Json document(std::string_view text) { return parse_json(text).value(); }

Json any_input_schema(int depth);

Json any_property() {
  const auto least = *rc::gen::inRange(0, 20);
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return {{"type", "string"}, {"minLength", least}, {"maxLength", least + 3}};
    case 1:
      return {{"type", "integer"}, {"exclusiveMinimum", least}};
    case 2:
      return {{"type", "number"}, {"minimum", least + 0.5}};
    case 3:
      return {{"type", {"boolean", "null"}}};
    case 4:
      return {{"type", "string"}, {"enum", {"one", "two"}}};
    case 5:
      return {{"oneOf", Json::array({{{"const", "a"}, {"title", "A"}}, {{"const", "b"}}})}};
    case 6:
      return {{"const", least}};
    default:
      return {{"type", "integer"}, {"default", least}};
  }
}

Json any_input_object(int depth) {
  Json schema = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    const std::string name = "p" + std::to_string(i);
    schema["properties"][name] = any_input_schema(depth - 1);
    if (*rc::gen::arbitrary<bool>()) schema["required"].push_back(name);
  }
  return schema;
}

Json any_input_schema(int depth) {
  if (depth == 0) return any_property();
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return any_input_object(depth);
    case 1:
      return {{"type", "array"}, {"items", any_input_schema(depth - 1)}, {"minItems", 2}};
    case 2:
      return {{"$ref", "#/$defs/shared"}};
    default:
      return any_property();
  }
}

RC_GTEST_PROP(SampleValueTest, ASampleIsWhatItsSchemaAsksFor, ()) {
  Json root = any_input_object(3);
  root["$defs"]["shared"] = any_property();
  const Result<schema::Schema> compiled = schema::Schema::compile(root);
  RC_ASSERT(compiled.ok());
  const Json sample = sample_arguments(root);
  const auto wrong = compiled.value().validate(sample);
  if (wrong) RC_FAIL(wrong->message + " in " + dump_json(root) + " of " + dump_json(sample));
}

TEST(SampleValueTest, DefaultsAreTakenAndTheRestOfWhatIsOptionalIsLeftOut) {
  EXPECT_EQ(accepted_defaults(document(R"({
              "properties": {"a": {"type": "string", "default": "x"}, "b": {"type": "integer"},
                             "c": {"type": "string", "format": "email"}},
              "required": ["c"]})")),
            document(R"({"a": "x", "c": "someone@example.com"})"));
}

TEST(SampleValueTest, ASchemaThatGoesRoundOrElsewhereIsGivenUp) {
  EXPECT_EQ(sample_arguments(document(R"({"properties": {"a": {"$ref": "#/properties/a"}},
                                          "required": ["a"]})")),
            document(R"({"a": "sample"})"));
  const Json deep = sample_arguments(document(
      R"({"$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}},
                          "required": ["n"]}},
          "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]})"));
  EXPECT_TRUE(deep.contains("n"));
  EXPECT_EQ(sample_arguments(document(R"({"properties": {"a": {"$ref": "https://example.com/"}},
                                          "required": ["a"]})")),
            document(R"({"a": "sample"})"));
}

}  // namespace
}  // namespace plumbline::schema
