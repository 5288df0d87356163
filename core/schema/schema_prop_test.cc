// Random schemas and values: whatever they are, compile and validate come to an end without
// aborting, and their answers agree with each other.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "core/schema/schema.h"

namespace plumbline::schema {
namespace {

const char* const kKeywords[] = {"$anchor",
                                 "$defs",
                                 "$dynamicAnchor",
                                 "$dynamicRef",
                                 "$id",
                                 "$ref",
                                 "additionalItems",
                                 "additionalProperties",
                                 "allOf",
                                 "anyOf",
                                 "const",
                                 "contains",
                                 "definitions",
                                 "dependencies",
                                 "dependentRequired",
                                 "dependentSchemas",
                                 "else",
                                 "enum",
                                 "exclusiveMaximum",
                                 "exclusiveMinimum",
                                 "format",
                                 "if",
                                 "items",
                                 "maxContains",
                                 "maxItems",
                                 "maxLength",
                                 "maxProperties",
                                 "maximum",
                                 "minContains",
                                 "minItems",
                                 "minLength",
                                 "minProperties",
                                 "minimum",
                                 "multipleOf",
                                 "not",
                                 "oneOf",
                                 "pattern",
                                 "patternProperties",
                                 "prefixItems",
                                 "properties",
                                 "propertyNames",
                                 "required",
                                 "then",
                                 "type",
                                 "unevaluatedItems",
                                 "unevaluatedProperties",
                                 "uniqueItems"};

const char* const kTexts[] = {"",
                              "a",
                              "b",
                              "#",
                              "#a",
                              "#/$defs/a",
                              "#/properties/b",
                              "/",
                              "string",
                              "object",
                              "array",
                              "integer",
                              "null",
                              "^a",
                              "[b",
                              "(?=a)",
                              "date",
                              "uri",
                              "https://json-schema.org/draft/2020-12/schema",
                              "http://json-schema.org/draft-07/schema#",
                              "x:y",
                              "\xff",
                              "~1"};

int below(int bound) { return *rc::gen::inRange(0, bound); }
std::string text() { return kTexts[below(std::size(kTexts))]; }

Json any_value(int depth) {
  switch (below(depth > 0 ? 8 : 6)) {
    case 0:
      return Json(nullptr);
    case 1:
      return Json(below(2) == 1);
    case 2:
      return Json(*rc::gen::arbitrary<std::int64_t>());
    case 3:
      return Json(below(5) - 2);
    case 4:
      return Json(*rc::gen::arbitrary<double>());
    case 5:
      return Json(text());
    case 6: {
      Json array = Json::array();
      for (int left = below(4); left > 0; --left) array.push_back(any_value(depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (int left = below(4); left > 0; --left) object[text()] = any_value(depth - 1);
      return object;
    }
  }
}

Json any_schema(int depth);

// keyword_value is mostly of the right shape, sometimes anything.
Json keyword_value(const std::string& keyword, int depth) {
  if (below(25) == 0) return any_value(2);
  const auto is_one_of = [&keyword](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (keyword == name) return true;
    }
    return false;
  };
  if (keyword.substr(0, 1) == "$" && keyword != "$defs") return Json(text());
  if (is_one_of({"type", "format", "pattern"})) return Json(text());
  if (is_one_of({"enum"})) return Json::array({any_value(2), any_value(2)});
  if (is_one_of({"const"})) return any_value(2);
  if (is_one_of({"required"})) return Json::array({text()});
  if (is_one_of({"uniqueItems"})) return Json(true);
  if (is_one_of({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})) {
    return below(2) == 0 ? Json(below(4)) : Json(*rc::gen::arbitrary<double>());
  }
  if (is_one_of({"allOf", "anyOf", "oneOf", "prefixItems"})) {
    return Json::array({any_schema(depth - 1), any_schema(depth - 1)});
  }
  if (is_one_of({"$defs", "definitions", "properties", "patternProperties", "dependentSchemas",
                 "dependencies"})) {
    Json map = Json::object();
    for (const char* name : {"a", "b"}) map[name] = any_schema(depth - 1);
    return map;
  }
  if (keyword == "dependentRequired") return Json{{"a", Json::array({text()})}};
  if (keyword.substr(0, 3) == "min" || keyword.substr(0, 3) == "max") return Json(below(4));
  return any_schema(depth - 1);
}

Json any_schema(int depth) {
  if (depth <= 0) return Json(below(2) == 1);
  Json schema = Json::object();
  for (int left = below(5); left > 0; --left) {
    const std::string keyword = kKeywords[below(std::size(kKeywords))];
    schema[keyword] = keyword_value(keyword, depth);
  }
  return schema;
}

RC_GTEST_PROP(SchemaPropTest, AnySchemaAndAnyValueComeToAnEnd, ()) {
  CompileOptions options;
  options.dialect = below(2) == 0 ? Dialect::k202012 : Dialect::kDraft7;
  options.assert_format = below(2) == 0;
  options.limits.steps_max = 20'000;
  const Result<Schema> schema = Schema::compile(any_schema(4), options);
  RC_CLASSIFY(schema.ok());
  if (!schema.ok()) {
    RC_ASSERT((schema.error().message.front() == '/' || schema.error().message.front() == 'h'));
    return;
  }
  for (int i = 0; i < 5; ++i) {
    const Json value = any_value(3);
    const std::optional<Violation> first = schema.value().validate(value);
    const std::vector<Violation> all = schema.value().validate_all(value);
    RC_ASSERT(first.has_value() == !all.empty());
    for (const Violation& violation : all) {
      RC_ASSERT(!violation.message.empty());
      RC_ASSERT(at_pointer(value, violation.instance_pointer) != nullptr);
    }
  }
}

RC_GTEST_PROP(SchemaPropTest, ASchemaThatCompilesMeansTheSameWhenWrapped, ()) {
  Json inner = any_schema(3);
  inner.erase("$id");
  const Result<Schema> plain = Schema::compile(inner);
  if (!plain.ok()) return;
  // References are to the root, so the root stays where it is and "allOf" only adds to it.
  Json wrapped = inner;
  if (!wrapped.is_object() || wrapped.contains("allOf")) return;
  wrapped["allOf"] = Json::array({Json(true)});
  const Result<Schema> more = Schema::compile(wrapped);
  RC_ASSERT(more.ok());
  const Json value = any_value(3);
  RC_ASSERT(plain.value().validate(value).has_value() == more.value().validate(value).has_value());
}

}  // namespace
}  // namespace plumbline::schema
