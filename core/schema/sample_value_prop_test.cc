#include "core/schema/sample_value.h"

#include <cstdint>
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

// size_of counts values and the bytes of their strings and names.
std::size_t size_of(const Json& value) {
  std::size_t size = 1;
  if (value.is_string()) return size + value.get_ref<const std::string&>().size();
  if (!value.is_structured()) return size;
  for (const auto& [key, inner] : value.items()) {
    size += size_of(inner) + (value.is_object() ? key.size() : 0);
  }
  return size;
}

std::size_t values_in(const Json& value) {
  std::size_t values = 1;
  if (!value.is_structured()) return values;
  for (const Json& inner : value) values += values_in(inner);
  return values;
}

TEST(SampleValueTest, ValuesThatAreTooDeepCountLikeAnyOther) {
  const Json tree = document(R"({"type": "object", "required": ["a"], "properties": {"a": {
      "type": "array", "minItems": 100, "items": {"$ref": "#/properties/a"}}}})");
  // Of those that do not fit each open list has one, which is null.
  EXPECT_LE(values_in(sample_arguments(tree)), kSampleValuesMax + 100);
}

TEST(SampleValueTest, ABudgetIsChargedAndPastItsEndNothingIsMade) {
  const Json schema = document(R"({"required": ["a"], "properties": {"a": {"type": "integer"}}})");
  Budget whole{Amounts()};
  EXPECT_EQ(sample_arguments(schema, &whole), document(R"({"a": 1})"));
  const std::uint64_t steps = whole.taken(plumbline::Resource::kSteps);
  const std::uint64_t bytes = whole.taken(plumbline::Resource::kValueBytes);
  EXPECT_GT(steps, 0U);
  EXPECT_GT(bytes, 0U);
  for (const Amounts& less : {Amounts().set(plumbline::Resource::kSteps, steps - 1),
                              Amounts().set(plumbline::Resource::kValueBytes, bytes - 1)}) {
    Budget budget(less);
    EXPECT_EQ(sample_arguments(schema, &budget), Json::object());
    EXPECT_NE(budget.spent(), "");
  }
}

TEST(SampleValueTest, NoSchemaMakesASampleExplode) {
  // 100^15 values; a text of 100 KB in each of 10,000 places; 9,000 references of 100 KB.
  Json tree = document(R"({"type": "object", "required": ["a"], "properties": {"a": {
      "type": "array", "minItems": 100, "items": {"$ref": "#/properties/a"}}}})");
  Json texts = document(R"({"type": "object", "required": ["a"], "properties": {"a": {
      "type": "array", "minItems": 100, "items": {"type": "array", "minItems": 100,
      "items": {"$ref": "#/$defs/text"}}}}})");
  texts["$defs"]["text"]["default"] = std::string(100'000, 'x');
  Json long_names = texts;
  const std::string name(100'000, 'n');
  long_names["$defs"]["text"] = Json::object({{"$ref", "#/$defs/" + name}});
  long_names["$defs"][name]["type"] = "integer";
  Json wide = document(R"({"type": "object", "required": [], "properties": {}})");
  for (int i = 0; i < 20'000; ++i) {
    wide["properties"]["p" + std::to_string(i)]["type"] = "integer";
    wide["required"].push_back("p" + std::to_string(i));
  }
  for (const Json& schema : {tree, texts, long_names, wide}) {
    const std::size_t size = size_of(sample_arguments(schema));
    EXPECT_GT(size, 0U);
    EXPECT_LT(size, 2 * kSampleValuesMax + kSampleBytesMax) << dump_json(schema).substr(0, 200);
    EXPECT_EQ(size_of(accepted_defaults(schema)), size);
  }
}

TEST(SampleValueTest, MoreThanTheGreatestWholeNumberIsAFraction) {
  for (const Json& least : {Json(INT64_MAX), Json(UINT64_MAX), Json(1e300)}) {
    const Json sample = sample_value(Json(), {{"type", "number"}, {"exclusiveMinimum", least}});
    EXPECT_TRUE(sample.is_number_float()) << sample;
  }
  EXPECT_EQ(sample_value(Json(), {{"type", "integer"}, {"exclusiveMinimum", INT64_MIN}}),
            Json(INT64_MIN + 1));
}

TEST(SampleValueTest, ExamplesComeBeforeWhatIsMadeUp) {
  const Json schema = document(R"-({"type": "object",
    "required": ["from", "to", "day", "on", "word", "odd", "n", "m", "o"],
    "properties": {
      "from": {"type": "string", "examples": ["EUR"]},
      "to": {"type": "string", "description": "ISO 4217 code (e.g. USD)"},
      "day": {"type": "string", "pattern": "^[0-9]+$"},
      "on": {"type": "string", "pattern": "^\\d{4}-\\d\\d$", "description": "e.g. 2025-05"},
      "word": {"type": "string", "pattern": "^[a-z]+$"},
      "odd": {"type": "string", "pattern": "^(?=x)"},
      "n": {"type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991},
      "m": {"type": "integer", "minimum": 3},
      "o": {"type": "integer", "minimum": -9007199254740991, "maximum": -7}}})-");
  const Json made = sample_arguments(schema);
  EXPECT_EQ(made["from"], "EUR");
  EXPECT_EQ(made["to"], "USD");
  EXPECT_EQ(made["day"], "1");
  EXPECT_EQ(made["on"], "2025-05");
  EXPECT_EQ(made["word"], "sample");
  EXPECT_EQ(made["odd"], "sample") << "nothing is known of what fits this pattern";
  EXPECT_EQ(made["n"], 1);
  EXPECT_EQ(made["m"], 3);
  EXPECT_EQ(made["o"], -7);
}

}  // namespace
}  // namespace plumbline::schema
