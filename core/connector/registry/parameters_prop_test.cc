#include "core/connector/registry/parameters.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/connector/connector_fixture.h"

namespace plumbline::registry {
namespace {

using connector::json;

rc::Gen<Json> any_property() {
  return rc::gen::element(
      json(R"({"type": "string", "description": "who", "minLength": 2})"),
      json(R"({"type": "integer", "minimum": 1, "default": 3})"), json(R"({"type": "number"})"),
      json(R"({"type": ["string", "null"], "description": ""})"),
      json(R"({"type": "array", "items": {"type": "object", "properties": {"a": true}}})"),
      json(R"({"type": "boolean", "default": null})"),
      json(R"({"type": "object", "additionalProperties": false, "required": ["x"]})"),
      json(R"({"type": "string", "enum": ["a", "b"], "description": 7})"));
}

// Goal: nothing that a schema says of a property is lost. Method: there and back.
RC_GTEST_PROP(ParametersPropTest, ASchemaIsTheSameAfterwards, ()) {
  Json schema = json(R"({"type": "object", "properties": {}})");
  const auto names = *rc::gen::container<std::set<std::string>>(
      rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'e'))));
  for (const std::string& name : names) {
    schema["properties"][name] = *any_property();
    if (*rc::gen::arbitrary<bool>()) schema["required"].push_back(name);
  }
  const std::vector<ParameterDefinition> parameters = parameters_of(schema);
  RC_ASSERT(parameters.size() == names.size());
  RC_ASSERT(schema_of(parameters) == schema);
  // And so it is by way of a descriptor.
  for (const ParameterDefinition& one : parameters) {
    std::optional<Problem> problem;
    RC_ASSERT(read_parameter(to_json(one), "", problem) == one);
    RC_ASSERT(!problem.has_value());
  }
}

TEST(ParametersTest, AReferenceLeadsSomewhereAfterwards) {
  const Json schema = json(R"({"type": "object", "properties": {"at": {"$ref": "#/$defs/place"}},
                               "$defs": {"place": {"type": "string"}}})");
  const Json back = schema_of(parameters_of(schema));
  EXPECT_EQ(back["$defs"], schema["$defs"]);
  EXPECT_EQ(back["properties"]["at"]["$ref"], "#/$defs/place");
}

TEST(ParametersTest, WhatSaysNoTypeTakesAny) {
  const std::vector<ParameterDefinition> one =
      parameters_of(json(R"({"properties": {"any": true, "none": false, "short": {}}})"));
  ASSERT_EQ(one.size(), 3U);
  EXPECT_EQ(schema_of(one[0].value)["type"].size(), 6U);
  EXPECT_TRUE(schema_of(one[1].value).contains("not"));
  EXPECT_EQ(one[0].value, one[2].value);
}

TEST(ParametersTest, WhatIsWrongIsToldWhereItStands) {
  const auto problem_of = [](const char* text) {
    std::optional<Problem> problem;
    read_parameter(json(text), "/0", problem);
    return problem ? problem->pointer + ": " + problem->message : "";
  };
  EXPECT_EQ(problem_of(R"({"name": "a", "type": "string"})"), "");
  EXPECT_EQ(problem_of(R"({"type": "string"})"),
            "/0: a parameter has no \"name\", expected a string");
  EXPECT_NE(problem_of(R"({"name": "a", "type": "text"})").find("/0/type: \"type\" is \"text\""),
            std::string::npos);
  EXPECT_NE(problem_of(R"({"name": "a", "type": "string", "required": 1})").find("/0/required"),
            std::string::npos);
}

}  // namespace
}  // namespace plumbline::registry
