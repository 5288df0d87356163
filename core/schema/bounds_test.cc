// Every bound of SchemaLimits is reached once, and says so.

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/schema/schema.h"
#include "core/schema/testing.h"

namespace plumbline::schema {
namespace {

Json nested(std::size_t depth, Json inner, const char* key) {
  for (std::size_t i = 0; i < depth; ++i) {
    Json outer = Json::object();
    outer[key] = std::move(inner);
    inner = std::move(outer);
  }
  return inner;
}

Json arrays(std::size_t depth) {
  Json value = Json::array();
  for (std::size_t i = 1; i < depth; ++i) {
    Json outer = Json::array();
    outer.push_back(std::move(value));
    value = std::move(outer);
  }
  return value;
}

ErrorCode code_of(Json schema, const CompileOptions& options = {}) {
  const Result<Schema> made = Schema::compile(std::move(schema), options);
  EXPECT_FALSE(made.ok());
  return made.ok() ? ErrorCode::kDisconnected : made.error().code;
}

// undecided returns what stopped the validation, empty when nothing did.
std::string undecided(const Json& schema, const Json& instance, const CompileOptions& options) {
  const Result<Schema> made = Schema::compile(schema, options);
  check(made.ok(), "the schema of a test does not compile");
  const std::optional<Violation> violation = made.value().validate(instance);
  if (!violation) return "valid";
  return violation->undecided ? violation->message : "decided: " + violation->message;
}

TEST(SchemaBoundsTest, SchemasAreNestedOnlySoDeep) {
  CompileOptions options;
  options.limits.depth_max = 3;
  EXPECT_TRUE(Schema::compile(nested(2, Json::object(), "not"), options).ok());
  EXPECT_EQ(code_of(nested(3, Json::object(), "not"), options), ErrorCode::kLimitReached);
  EXPECT_EQ(code_of(nested(20'000, Json::object(), "not")), ErrorCode::kLimitReached);
}

TEST(SchemaBoundsTest, ASchemaHasOnlySoManySubschemas) {
  CompileOptions options;
  options.limits.nodes_max = 3;
  EXPECT_TRUE(Schema::compile(json(R"({"allOf":[true,true]})"), options).ok());
  EXPECT_EQ(code_of(json(R"({"allOf":[true,true,true]})"), options), ErrorCode::kLimitReached);
}

TEST(SchemaBoundsTest, APatternIsOnlySoLong) {
  CompileOptions options;
  options.limits.pattern_bytes_max = 3;
  EXPECT_TRUE(Schema::compile(json(R"({"pattern":"abc"})"), options).ok());
  EXPECT_EQ(code_of(json(R"({"pattern":"abcd"})"), options), ErrorCode::kLimitReached);
  EXPECT_EQ(code_of(json(R"({"patternProperties":{"abcd":{}}})"), options),
            ErrorCode::kLimitReached);
}

TEST(SchemaBoundsTest, ALoopThatOnlySomeValuesEnterEndsWithAnError) {
  const Json loop = json(R"({"if":{"type":"string"},"then":{"$ref":"#"}})");
  EXPECT_EQ(undecided(loop, Json(1), {}), "valid");
  EXPECT_EQ(undecided(loop, Json("a"), {}),
            "validation stopped: more than 1024 references and subschemas open at once");
  const Json dynamic = json(R"({"$dynamicAnchor":"a","$dynamicRef":"#a"})");
  EXPECT_EQ(undecided(dynamic, Json(1), {}),
            "validation stopped: more than 1024 references and subschemas open at once");
}

TEST(SchemaBoundsTest, AStoppedWalkIsNeverTakenForAnAnswer) {
  // Each of these would turn "I do not know" into "valid".
  for (const char* text : {R"({"not":{"$ref":"#/$defs/a"},
            "$defs":{"a":{"dependentSchemas":{"k":{"$ref":"#/$defs/a"}}}}})",
                           R"({"if":{"$ref":"#/$defs/a"},"then":false,
            "$defs":{"a":{"dependentSchemas":{"k":{"$ref":"#/$defs/a"}}}}})",
                           R"({"anyOf":[{"$ref":"#/$defs/a"},true],
            "$defs":{"a":{"dependentSchemas":{"k":{"$ref":"#/$defs/a"}}}}})"}) {
    EXPECT_EQ(undecided(json(text), json(R"({"k":1})"), {}).substr(0, 18), "validation stopped");
  }
}

TEST(SchemaBoundsTest, AValueIsOnlySoDeep) {
  const Json schema = json(R"({"items":{"$ref":"#"}})");
  CompileOptions options;
  options.limits.instance_depth_max = 3;
  EXPECT_EQ(undecided(schema, arrays(4), options), "valid");
  EXPECT_EQ(undecided(schema, arrays(5), options),
            "validation stopped: a value more than 3 levels deep");
  EXPECT_EQ(undecided(json(R"({"uniqueItems":true})"), json("[[[[[[1]]]]],[[[[[1]]]]]]"), options),
            "validation stopped: values too deep to compare");
  EXPECT_EQ(undecided(schema, arrays(20'000), {}),
            "validation stopped: a value more than 128 levels deep");
}

TEST(SchemaBoundsTest, AValidationTakesOnlySoManySteps) {
  CompileOptions options;
  options.limits.steps_max = 4;
  const Json schema = json(R"({"items":{"type":"integer"}})");
  EXPECT_EQ(undecided(schema, json("[1,2,3]"), options), "valid");
  EXPECT_EQ(undecided(schema, json("[1,2,3,4]"), options), "validation stopped: more than 4 steps");
}

TEST(SchemaBoundsTest, BranchingWithoutEndIsStopped) {
  // 2^120 evaluations, were they all made.
  Json schema = json(R"({"type":"null"})");
  Json definitions = Json::object();
  definitions["d0"] = json(R"({"type":"null"})");
  for (int i = 1; i <= 120; ++i) {
    Json reference = Json::object();
    reference["$ref"] = "#/$defs/d" + std::to_string(i - 1);
    Json either = Json::object();
    either["anyOf"] = Json::array({reference, reference});
    definitions["d" + std::to_string(i)] = either;
  }
  schema = json(R"({"$ref":"#/$defs/d120"})");
  schema["$defs"] = definitions;
  CompileOptions options;
  options.limits.steps_max = 100'000;
  EXPECT_EQ(undecided(schema, Json(1), options), "validation stopped: more than 100000 steps");
}

TEST(SchemaBoundsTest, TheDeepestWalkFitsTheStack) {
  // As many evaluations open at once as there may be, each through its largest frames.
  Json value = Json(1);
  for (int i = 0; i < 127; ++i) value = Json::array({std::move(value)});
  const Json schema = json(
      R"({"$defs":{"a":{"anyOf":[{"oneOf":[{"allOf":[{"if":{"$ref":"#/$defs/b"}}]}]}]},
                   "b":{"contains":{"$ref":"#/$defs/a"},"unevaluatedItems":false}},
          "$ref":"#/$defs/a"})");
  const std::string answer = undecided(schema, value, {});
  EXPECT_TRUE(answer == "valid" || answer.substr(0, 10) == "validation") << answer;
}

}  // namespace
}  // namespace plumbline::schema
