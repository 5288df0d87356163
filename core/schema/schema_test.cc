#include "core/schema/schema.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/schema/testing.h"

namespace plumbline::schema {
namespace {

Schema compiled(std::string_view text, const CompileOptions& options = {}) {
  Result<Schema> schema = Schema::compile(json(text), options);
  check(schema.ok(), "the schema of a test does not compile");
  return std::move(schema).value();
}

// said returns "instance pointer | schema pointer | message" of the first violation.
std::string said(std::string_view schema, std::string_view instance) {
  const std::optional<Violation> violation = compiled(schema).validate(json(instance));
  if (!violation) return "valid";
  return violation->instance_pointer + " | " + violation->schema_pointer + " | " +
         violation->message;
}

Error refusal(std::string_view schema, const CompileOptions& options = {}) {
  Result<Schema> made = Schema::compile(json(schema), options);
  EXPECT_FALSE(made.ok()) << schema;
  return made.ok() ? Error{} : std::move(made).error();
}

struct Said {
  std::string_view schema;
  std::string_view instance;
  std::string_view expected;
};

constexpr Said kSaid[] = {
    {R"({"properties":{"status":{"type":"string"}}})", R"({"status":3})",
     R"(/status | /properties/status/type | "status" is 3, expected a string)"},
    {R"({"type":["string","null"]})", "[1]",
     " | /type | the value is an array of 1 item, expected a string or null"},
    {R"({"properties":{"tags":{"items":{"type":"integer"}}}})", R"({"tags":[1,2,"x"]})",
     R"(/tags/2 | /properties/tags/items/type | item 2 of "tags" is "x", expected an integer)"},
    {R"({"required":["path"]})", "{}", R"( | /required | "path" is missing and required)"},
    {R"({"properties":{"o":{"required":["path"]}}})", R"({"o":{}})",
     R"(/o | /properties/o/required | "path" is missing in "o" and required)"},
    {R"({"properties":{"a":{},"b":{}},"additionalProperties":false})", R"({"c":1})",
     R"(/c | /additionalProperties | "c" is no known member, expected one of "a", "b")"},
    {R"({"enum":["celsius","kelvin"]})", R"("f")",
     R"( | /enum | the value is "f", expected one of "celsius", "kelvin")"},
    {R"({"const":1})", "2", " | /const | the value is 2, expected 1"},
    {R"({"minimum":1})", "0", " | /minimum | the value is 0, expected at least 1"},
    {R"({"exclusiveMaximum":1})", "1",
     " | /exclusiveMaximum | the value is 1, expected less than 1"},
    {R"({"multipleOf":0.5})", "0.7",
     " | /multipleOf | the value is 0.7, expected a multiple of 0.5"},
    {R"({"minLength":1})", R"("")",
     R"( | /minLength | the value is "", expected at least 1 character)"},
    {R"({"maxItems":2})", "[1,2,3]",
     " | /maxItems | the value is an array of 3 items, expected at most 2 items"},
    {R"({"pattern":"^a+$"})", R"("b")",
     R"( | /pattern | the value is "b", expected text that matches ^a+$)"},
    {R"({"uniqueItems":true})", "[1,2,1.0]",
     " | /uniqueItems | items 0 and 2 of the value are equal, expected all items to differ"},
    {R"({"contains":{"type":"null"}})", "[1]",
     R"( | /contains | the value has no item that fits "contains")"},
    {R"({"contains":{"type":"null"},"maxContains":1})", "[null,null]",
     R"( | /maxContains | the value has 2, expected at most 1 item that fits "contains")"},
    {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "3",
     " | /anyOf | the value is 3, expected a string, or null"},
    {R"({"anyOf":[{"required":["a"]},{"required":["b"]}]})", "{}",
     R"( | /anyOf | the value is an empty object, expected one of 2 alternatives to fit )"
     R"(("a" is missing and required; "b" is missing and required))"},
    {R"({"oneOf":[{"type":"integer"},{},false]})", "3",
     " | /oneOf | the value is 3, expected exactly one alternative of \"oneOf\" to fit, not both "
     "the one at 0 and the one at 1"},
    {R"({"not":{"type":"integer"}})", "3",
     R"( | /not | the value is 3, expected what does not fit "not")"},
    {R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})",
     R"(/ab | /propertyNames/maxLength | the member name "ab" is there, )"
     "expected at most 1 character"},
    {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})",
     R"( | /dependentRequired | "b" is required beside "a" and missing)"},
    {R"({"properties":{"x":false}})", R"({"x":1})",
     R"(/x | /properties/x | "x" is there, expected nothing)"},
    {R"({"prefixItems":[true],"items":false})", "[1,2]",
     "/1 | /items | item 1 is there, expected no further items"},
    {R"({"properties":{"a/b":{"$ref":"#/$defs/~0"}},"$defs":{"~":{"type":"null"}}})",
     R"({"a/b":1})", R"(/a~1b | /$defs/~0/type | "a/b" is 1, expected null)"},
    {R"({"properties":{"password":{"type":"null"}}})", R"({"password":"open"})",
     R"(/password | /properties/password/type | "password" is [redacted], expected null)"},
};

TEST(SchemaTest, AViolationSaysWhereWhatIsThereAndWhatWasExpected) {
  for (const Said& one : kSaid) EXPECT_EQ(said(one.schema, one.instance), one.expected);
}

TEST(SchemaTest, LongTextIsCutBetweenCharactersInAMessage) {
  std::string text = "\"" + std::string(59, 'a');
  for (int i = 0; i < 100; ++i) text += "\u00e9";
  const std::string message = said(R"({"type":"null"})", text + "\"");
  EXPECT_NE(message.find("aaa\"... (259 bytes), expected null"), std::string::npos) << message;
}

TEST(SchemaTest, TheFirstViolationIsTheFirstInTheDocument) {
  // "allOf" is judged after the members, but speaks of an earlier one; "b" is found before "a/x".
  const std::string_view schema =
      R"({"properties":{"b":{"type":"string"}},"required":["z"],
          "allOf":[{"properties":{"a":{"properties":{"x":false}}}}]})";
  const std::vector<Violation> all = compiled(schema).validate_all(json(R"({"a":{"x":1},"b":2})"));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].instance_pointer, "");
  EXPECT_EQ(all[1].instance_pointer, "/a/x");
  EXPECT_EQ(all[2].instance_pointer, "/b");
  EXPECT_EQ(said(schema, R"({"a":{"x":1},"b":2,"z":0})").substr(0, 4), "/a/x");
}

TEST(SchemaTest, ItemsAreOrderedByNumberAndTheListIsCut) {
  const Schema schema = compiled(R"({"items":{"type":"null"}})");
  const std::vector<Violation> all = schema.validate_all(json("[1,1,1,1,1,1,1,1,1,1,1,1]"), 11);
  ASSERT_EQ(all.size(), 11U);
  EXPECT_EQ(all[2].instance_pointer, "/2");
  EXPECT_EQ(all[10].instance_pointer, "/10");
  EXPECT_TRUE(schema.validate_all(json("[1]"), 0).empty());
}

TEST(SchemaTest, WhatARefusedSubschemaCoversIsNotBlamed) {
  EXPECT_EQ(compiled(R"({"allOf":[{"properties":{"a":{"type":"null"}}}],
                         "unevaluatedProperties":false})")
                .validate_all(json(R"({"a":1})"))
                .size(),
            1U);
}

// Each keyword is found also where it is the only one.
TEST(SchemaTest, OneKeywordAloneIsARule) {
  const std::vector<std::pair<std::string_view, std::string_view>> refusing = {
      {R"({"maximum":1})", "2"},
      {R"({"exclusiveMinimum":1})", "1"},
      {R"({"minLength":1})", R"("")"},
      {R"({"maxLength":1})", R"("ab")"},
      {R"({"pattern":"a"})", R"("b")"},
      {R"({"minItems":1})", "[]"},
      {R"({"maxItems":0})", "[1]"},
      {R"({"uniqueItems":true})", "[1,1]"},
      {R"({"prefixItems":[false]})", "[1]"},
      {R"({"contains":{"const":1}})", "[2]"},
      {R"({"unevaluatedItems":false})", "[1]"},
      {R"({"minProperties":1})", "{}"},
      {R"({"maxProperties":0})", R"({"a":1})"},
      {R"({"patternProperties":{"a":false}})", R"({"a":1})"},
      {R"({"propertyNames":false})", R"({"a":1})"},
      {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})"},
      {R"({"dependentSchemas":{"a":false}})", R"({"a":1})"},
      {R"({"unevaluatedProperties":false})", R"({"a":1})"},
      {R"({"allOf":[false]})", "1"},
      {R"({"anyOf":[false]})", "1"},
      {R"({"oneOf":[true,true]})", "1"},
      {R"({"not":{}})", "1"},
      {R"({"if":true,"then":false})", "1"},
      {R"({"if":false,"else":false})", "1"},
      {R"({"$ref":"#/$defs/no","$defs":{"no":false}})", "1"},
      {R"({"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}})",
       R"({"a":1})"},
  };
  for (const auto& [schema, instance] : refusing)
    EXPECT_NE(said(schema, instance), "valid") << schema;
}

TEST(SchemaTest, TheDialectIsWhatTheSchemaSays) {
  EXPECT_EQ(compiled("{}").dialect(), Dialect::k202012);
  const std::string_view tuple = R"({"items":[{"type":"null"}]})";
  CompileOptions options;
  options.dialect = Dialect::kDraft7;
  EXPECT_TRUE(compiled(tuple, options).validate(json("[1]")).has_value());
  EXPECT_EQ(compiled(R"({"$schema":"http://json-schema.org/draft-07/schema#"})").dialect(),
            Dialect::kDraft7);
  // "$ref" hides its siblings in draft-07, but not the dialect.
  EXPECT_EQ(compiled(R"({"$schema":"http://json-schema.org/draft-07/schema#",
                         "$ref":"#/definitions/a","definitions":{"a":{}}})")
                .dialect(),
            Dialect::kDraft7);
  EXPECT_EQ(refusal(R"({"$schema":"http://json-schema.org/draft-04/schema#"})").code,
            ErrorCode::kUnsupported);
}

struct Refused {
  std::string_view schema;
  ErrorCode code;
  std::string_view begins;
};

constexpr ErrorCode kInvalid = ErrorCode::kInvalidInput;
constexpr ErrorCode kMissing = ErrorCode::kUnsupported;

constexpr Refused kRefused[] = {
    {"3", kInvalid, "/: a schema is an object or a boolean, not a number"},
    {R"({"type":"strnig"})", kInvalid, "/type: \"strnig\" is no type"},
    {R"({"type":[]})", kInvalid, "/type: expected a type"},
    {R"({"properties":{"a":[]}})", kInvalid, "/properties/a: a schema is"},
    {R"({"properties":[]})", kInvalid, "/properties: expected an object"},
    {R"({"required":"a"})", kInvalid, "/required: expected an array of strings"},
    {R"({"dependentRequired":{"a":[1]}})", kInvalid, "/dependentRequired: expected an array"},
    {R"({"minLength":-1})", kInvalid, "/minLength: expected a whole number"},
    {R"({"minLength":1.5})", kInvalid, "/minLength: expected a whole number"},
    {R"({"minimum":"1"})", kInvalid, "/minimum: expected a number"},
    {R"({"multipleOf":0})", kInvalid, "/multipleOf: expected a number of more than 0"},
    {R"({"uniqueItems":1})", kInvalid, "/uniqueItems: expected true or false"},
    {R"({"allOf":{}})", kInvalid, "/allOf: expected an array of schemas"},
    {R"({"enum":1})", kInvalid, "/enum: expected an array"},
    {R"({"$ref":1})", kInvalid, "/$ref: expected a string"},
    {R"({"$ref":"#/$defs/a"})", kInvalid, "/$ref: nothing stands at \"/$defs/a\""},
    {R"({"$ref":"#a"})", kInvalid, "/$ref: no anchor is called \"a\""},
    {R"({"items":{"$ref":"http://example.com/s"}})", kMissing,
     "/items/$ref: \"http://example.com/s\" is another document"},
    {R"({"$id":"http://example.com/a/b","$ref":"../c"})", kMissing,
     "/$ref: \"http://example.com/c\""},
    {R"json({"properties":{"a":{"pattern":"a(?=b)"}}})json", kMissing,
     "/properties/a/pattern: lookaround"},
    {R"({"patternProperties":{"(a)\\1":{}}})", kMissing, "/patternProperties/(a)\\1: backref"},
    {R"({"pattern":"a{1,2000}"})", kMissing, "/pattern: "},
    {R"({"pattern":"("})", kInvalid, "/pattern: "},
    {R"({"pattern":1})", kInvalid, "/pattern: expected a string"},
    {R"({"$ref":"#"})", kInvalid, "/: to judge a value by this schema takes"},
    {R"({"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}},
         "items":{"$ref":"#/$defs/a"}})",
     kInvalid, "/$defs/"},
};

TEST(SchemaTest, WhatIsNoSchemaIsRefusedWithItsPlace) {
  for (const Refused& one : kRefused) {
    const Error error = refusal(one.schema);
    EXPECT_EQ(error.code, one.code) << one.schema << ": " << error.message;
    EXPECT_EQ(error.message.substr(0, one.begins.size()), one.begins);
  }
}

TEST(SchemaTest, ASchemaMayReferToItselfThroughTheValue) {
  const Schema tree = compiled(R"({"properties":{"child":{"$ref":"#"}},"required":["name"]})");
  EXPECT_FALSE(tree.validate(json(R"({"name":1,"child":{"name":2}})")));
  EXPECT_EQ(tree.validate(json(R"({"name":1,"child":{}})"))->instance_pointer, "/child");
}

TEST(SchemaTest, UnreachedRemoteReferencesDoNoHarm) {
  EXPECT_EQ(said(R"({"$defs":{"a":{"$ref":"http://example.com/"}}})", "1"), "valid");
}

TEST(SchemaTest, TheMetaschemasJudgeSchemas) {
  for (const Dialect dialect : {Dialect::k202012, Dialect::kDraft7}) {
    const Schema& meta = metaschema(dialect);
    const std::string_view uri =
        dialect == Dialect::k202012 ? kMetaschema202012 : kMetaschemaDraft7;
    EXPECT_FALSE(meta.validate(json(R"({"type":"object","properties":{"a":{"minLength":1}}})")));
    const auto wrong = meta.validate(json(R"({"properties":{"a":{"type":"strnig"}}})"));
    ASSERT_TRUE(wrong.has_value()) << uri;
    EXPECT_EQ(wrong->instance_pointer, "/properties/a/type");
    EXPECT_EQ(wrong->schema_pointer.substr(0, 20), uri.substr(0, 20));
    EXPECT_TRUE(meta.validate(json(R"({"items":{"minLength":-1}})")));
  }
}

TEST(SchemaTest, TheMetaschemasAreCompiledOnce) {
  EXPECT_NE(&metaschema(Dialect::k202012), &metaschema(Dialect::kDraft7));
  for (const Dialect dialect : {Dialect::k202012, Dialect::kDraft7}) {
    EXPECT_EQ(&metaschema(dialect), &metaschema(dialect));
  }
}

TEST(SchemaTest, FormatIsAssertedOnlyWhenAskedFor) {
  const std::string_view schema = R"({"format":"date"})";
  EXPECT_EQ(said(schema, R"("2026-02-30")"), "valid");
  CompileOptions options;
  options.assert_format = true;
  const auto wrong = compiled(schema, options).validate(json(R"("2026-02-30")"));
  ASSERT_TRUE(wrong.has_value());
  EXPECT_EQ(wrong->message, "the value is \"2026-02-30\", expected text of format date");
  EXPECT_FALSE(compiled(R"({"format":"color"})", options).validate(json(R"("?")")));
}

TEST(SchemaTest, LengthsCountCodePoints) {
  EXPECT_EQ(said(R"({"minLength":2,"maxLength":2})", R"("\ud83d\ude00é")"), "valid");
}

TEST(SchemaTest, AMovedSchemaStillJudges) {
  Schema first = compiled(R"({"properties":{"a":{"enum":[1]}}})");
  const Schema second = std::move(first);
  EXPECT_TRUE(second.validate(json(R"({"a":2})")).has_value());
}

}  // namespace
}  // namespace plumbline::schema
