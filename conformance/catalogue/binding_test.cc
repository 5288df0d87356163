#include "conformance/catalogue/binding.h"

#include <string>

#include <gtest/gtest.h>

#include "core/json/parse.h"

namespace plumbline::conformance {
namespace {

Json plan_json(const char* text) { return parse_json(text).value(); }

bool refuses(const std::string& text, const char* arguments) {
  return refuses_to_bind(text, plan_json(arguments),
                         [](const std::string& name) { return name == "kind"; });
}

TEST(Binding, IsReadInTheWordsOfManyFrameworks) {
  for (const char* const text :
       {"Cannot deserialize value of type `java.lang.String` from Integer value (through reference "
        "chain: Plan[\"days\"])",
        "json: cannot unmarshal number into Go struct field Args.days of type string",
        "The JSON value could not be converted to System.String. Path: $.days",
        "days\n  Input should be a valid string [type=string_type, input_value=3]",
        "plan(): Argument #1 ($days) must be of type string, int given",
        "Decoding error. Received: {\"days\": 3}", "argument type mismatch",
        "failed to deserialize parameters: invalid type: integer `3`, expected a string"}) {
    EXPECT_TRUE(refuses(text, R"({"days": 3})")) << text;
  }
  EXPECT_TRUE(tells_of_binding("No enum constant Kind.LOW", Json{{"kind", "LOW"}}));
}

TEST(Binding, IsNotWhatATextIsRefusedFor) {
  EXPECT_FALSE(refuses("text: Input should be a valid dictionary", R"({"text": "plumbline"})"));
  EXPECT_FALSE(refuses("argument type mismatch", R"({"text": "the total"})"));
  EXPECT_FALSE(refuses("There is nothing in 3 days", R"({"days": 3})"));
  EXPECT_FALSE(refuses("Decoding error", R"({"days": 3})"));
  EXPECT_FALSE(refuses("cannot unmarshal the response: days is missing", R"({"days": 3})"));
}

}  // namespace
}  // namespace plumbline::conformance
