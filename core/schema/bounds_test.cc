// Every bound of SchemaLimits is reached once, and says so.

#include <string>
#include <utility>
#include <vector>

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

TEST(SchemaBoundsTest, AllPatternsOfASchemaTakeOnlySoMuchMemory) {
  // Each of these is a program of 200,000 steps; a hundred of them once took half a minute.
  Json huge = Json::object();
  Json large = Json::object();
  Json small = Json::object();
  for (int i = 0; i < 400; ++i) {
    const std::string number = std::to_string(i);
    huge["patternProperties"]["\\p{L}{400}" + number] = true;
    large["patternProperties"]["\\p{L}{20}" + number] = true;
    small["patternProperties"]["[ab]*a.{9}" + number] = true;
  }
  EXPECT_EQ(code_of(huge), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(large), ErrorCode::kLimitReached);
  EXPECT_EQ(code_of(small), ErrorCode::kLimitReached);
  CompileOptions options;
  options.limits.patterns_memory_max = 3U << 20U;
  Json repeated = Json::object();
  for (int i = 0; i < 400; ++i) repeated["allOf"].push_back({{"pattern", "\\p{L}{20}"}});
  EXPECT_TRUE(Schema::compile(repeated, options).ok());
  // What looks ahead counts too, and leaves the next one no more than what is left.
  options.limits.patterns_memory_max = 128U << 10U;
  EXPECT_EQ(code_of(json(R"({"allOf":[{"pattern":"^(?!a)(?!b)c"},{"pattern":"d"}]})"), options),
            ErrorCode::kLimitReached);
  options.limits.patterns_memory_max = 0;
  EXPECT_EQ(code_of(json(R"({"pattern":"a"})"), options), ErrorCode::kLimitReached);
}

TEST(SchemaBoundsTest, TextUnderAPatternTakesSteps) {
  // No automaton of this one fits: each byte is held against the whole program.
  const Json schema = json(R"({"pattern":"[ab]*a[ab]{900}c"})");
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += i % 7 < 3 || i % 5 == 0 ? 'a' : 'b';
  EXPECT_EQ(undecided(schema, Json(text), {}), "validation stopped: more than 10000000 steps");
}

// steep returns `wide` subschemas below one name of `long_bytes`.
Json steep(std::size_t long_bytes, int wide, const Json& inner) {
  Json many = Json::object();
  for (int i = 0; i < wide; ++i) many["p" + std::to_string(i)] = inner;
  Json schema = Json::object();
  schema["properties"][std::string(long_bytes, 'n')]["properties"] = std::move(many);
  return schema;
}

// The whole way to each of them would be 10 GB.
TEST(SchemaBoundsTest, ALongNameIsNotHeldByEachSchemaBelowIt) {
  const Json anchored = json(R"({"type":"string","$anchor":"a","$id":"b"})");
  for (const Json& inner : {json(R"({"type":"string"})"), anchored}) {
    const Json schema = steep(1'000'000, 10'000, inner);
    const Result<Schema> made = Schema::compile(schema);
    ASSERT_TRUE(made.ok()) << made.error().message;
    Json value = Json::object();
    Json& members = value[std::string(1'000'000, 'n')] = Json::object();
    for (int i = 0; i < 10'000; ++i) members["p" + std::to_string(i)] = 1;
    const std::vector<Violation> wrong = made.value().validate_all(value);
    ASSERT_EQ(wrong.size(), limits::kSchemaViolationsMax);
    EXPECT_LT(wrong[0].instance_pointer.size() + wrong[0].schema_pointer.size(), 3'000U);
    EXPECT_EQ(wrong[0].message, "\"p0\" is 1, expected a string");
  }
  Json bad = steep(1'000'000, 1, Json(7));
  const Result<Schema> made = Schema::compile(bad);
  ASSERT_FALSE(made.ok());
  EXPECT_LT(made.error().message.size(), 2'000U);
}

TEST(SchemaBoundsTest, AnAddressIsOnlySoLong) {
  const Json inner = json(R"({"$id":"b"})");
  Json schema = steep(10, 10'000, inner);
  schema["$id"] = "http://example.com/" + std::string(1'000'000, 'u') + "/";
  EXPECT_EQ(code_of(schema), ErrorCode::kLimitReached);
  schema.erase("$id");
  schema["$ref"] = std::string(1'000'000, 'u');
  EXPECT_EQ(code_of(schema), ErrorCode::kLimitReached);
}

TEST(SchemaBoundsTest, DynamicReferencesMeanOnlySoManyPlaces) {
  Json schema = Json::object();
  for (int i = 0; i < 1'500; ++i) {
    const std::string number = std::to_string(i);
    Json& inner = schema["$defs"]["d" + number];
    inner["$id"] = "i" + number;
    inner["$dynamicAnchor"] = "a" + number;
    inner["$dynamicRef"] = "#a" + number;
    schema["allOf"].push_back({{"$ref", "i" + number}});
  }
  EXPECT_EQ(code_of(schema), ErrorCode::kLimitReached);
}

// Each of 100,000 steps would look for its target among 1,000 resources, in 1,000 scopes.
TEST(SchemaBoundsTest, LookingForADynamicTargetTakesSteps) {
  Json schema = json(R"({"$dynamicAnchor":"a","$ref":"r0","items":{"$dynamicRef":"#a"}})");
  for (int i = 0; i < 500; ++i) {
    Json& inner = schema["$defs"]["d" + std::to_string(i)];
    inner["$id"] = "r" + std::to_string(i);
    inner["$dynamicAnchor"] = "a";
    if (i < 499) inner["$ref"] = "r" + std::to_string(i + 1);
    if (i == 499) inner["items"]["$dynamicRef"] = "#a";
  }
  const Json value(Json::array_t(100'000, Json(1)));
  EXPECT_EQ(undecided(schema, value, {}), "validation stopped: more than 10000000 steps");
}

TEST(SchemaBoundsTest, ViolationsAtOnePlaceStandInTheOrderOfEvaluation) {
  Json schema = Json::object();
  for (int i = 0; i < 40; ++i) schema["required"].push_back("m" + std::to_string(i));
  const Result<Schema> made = Schema::compile(schema);
  const std::vector<Violation> wrong = made.value().validate_all(Json::object());
  ASSERT_EQ(wrong.size(), 40U);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(wrong[i].message, "\"m" + std::to_string(i) + "\" is missing and required");
  }
}

// Each of 1,000 messages would list 20,000 choices.
TEST(SchemaBoundsTest, AMessageListsOnlySoManyChoices) {
  Json schema = json(R"({"additionalProperties":false,"properties":{}})");
  Json value = Json::object();
  for (int i = 0; i < 20'000; ++i) {
    schema["properties"]["known" + std::to_string(i)] = true;
    value["new" + std::to_string(i)] = 1;
  }
  const Result<Schema> made = Schema::compile(schema);
  const std::vector<Violation> wrong = made.value().validate_all(value);
  ASSERT_EQ(wrong.size(), limits::kSchemaViolationsMax);
  EXPECT_LT(wrong[0].message.size(), 300U);
  EXPECT_NE(wrong[0].message.find("or 19992 others"), std::string::npos) << wrong[0].message;
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

TEST(SchemaBoundsTest, ABudgetIsSharedByValidationsAndDecidesNothingPastItsEnd) {
  const Result<Schema> schema = Schema::compile(json(R"({"items":{"type":"integer"}})"));
  Budget budget(Amounts().set(plumbline::Resource::kSteps, 7));
  EXPECT_FALSE(schema.value().validate(json("[1,2,3]"), &budget));
  EXPECT_EQ(budget.left(plumbline::Resource::kSteps), 3U);
  const std::optional<Violation> violation = schema.value().validate(json("[1,2,3]"), &budget);
  ASSERT_TRUE(violation);
  EXPECT_TRUE(violation->undecided);
  EXPECT_EQ(budget.left(plumbline::Resource::kSteps), 0U);
  EXPECT_EQ(budget.spent(), "the budget of 7 steps is spent");
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
