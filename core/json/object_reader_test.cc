#include "core/json/object_reader.h"

#include <array>

#include <gtest/gtest.h>

#include "core/json/parse.h"

namespace plumbline {
namespace {

// refusal returns "POINTER: MESSAGE" of the first thing that `read` finds wrong in `text`.
std::string refusal(std::string_view text, void (*read)(ObjectReader&)) {
  const Json json = parse_json(text).value();
  std::optional<Problem> problem;
  ObjectReader fields(json, "/box", "a box", problem);
  read(fields);
  fields.finish();
  return problem ? problem->pointer + ": " + problem->message : "";
}

TEST(ObjectReaderTest, ReadsWhatIsThereAndNothingElse) {
  const Json json = parse_json(R"({"s": "x", "t": "", "b": true, "i": 7, "l": ["a", ""],
                                   "c": "two", "m": 1.5, "t30": "30s", "o": {}, "a": []})")
                        .value();
  std::optional<Problem> problem;
  ObjectReader fields(json, "", "a box", problem);
  constexpr std::array<std::string_view, 2> kNames = {"one", "two"};
  EXPECT_EQ(fields.string("s"), "x");
  EXPECT_EQ(fields.text("t"), "");
  EXPECT_EQ(fields.boolean("b"), true);
  EXPECT_EQ(fields.integer("i", 7, 7), 7);
  EXPECT_EQ(fields.strings("l"), (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(fields.choice("c", kNames), 1U);
  EXPECT_EQ(fields.milliseconds("m"), std::chrono::microseconds(1500));
  EXPECT_EQ(fields.milliseconds("t30"), std::chrono::seconds(30));
  EXPECT_NE(fields.object("o"), nullptr);
  EXPECT_NE(fields.array("a"), nullptr);
  EXPECT_EQ(fields.string("missing"), std::nullopt);
  fields.finish();
  EXPECT_FALSE(problem) << problem->message;
}

TEST(ObjectReaderTest, RefusesTheFirstThingThatIsWrongWithItsPlace) {
  EXPECT_EQ(refusal("[]", [](ObjectReader&) {}), "/box: a box is an array, expected an object");
  EXPECT_EQ(refusal(R"({"s": ""})", [](ObjectReader& fields) { fields.string("s"); }),
            "/box/s: \"s\" is empty, expected some text");
  EXPECT_EQ(refusal(R"({"a/b": 1})", [](ObjectReader& fields) { fields.text("a/b"); }),
            "/box/a~1b: \"a/b\" is a number, expected a string");
  EXPECT_EQ(refusal("{}", [](ObjectReader& fields) { fields.required_string("s"); }),
            "/box: a box has no \"s\", expected a string");
  EXPECT_EQ(refusal(R"({"i": 2.5})", [](ObjectReader& fields) { fields.integer("i", 1, 3); }),
            "/box/i: \"i\" is 2.5, expected a whole number from 1 to 3");
  EXPECT_EQ(refusal(R"({"m": "soon"})", [](ObjectReader& fields) { fields.milliseconds("m"); }),
            "/box/m: \"m\" is wrong, expected milliseconds from 0 to one day, or \"30s\"");
  EXPECT_EQ(refusal(R"({"l": ["a", 1]})", [](ObjectReader& fields) { fields.strings("l"); }),
            "/box/l/1: an item of \"l\" is a number, expected a string");
  EXPECT_EQ(refusal(R"({"o": []})", [](ObjectReader& fields) { fields.object("o"); }),
            "/box/o: \"o\" is an array, expected an object");
  EXPECT_EQ(refusal(R"({"a": {}})", [](ObjectReader& fields) { fields.array("a"); }),
            "/box/a: \"a\" is an object, expected an array");
  EXPECT_EQ(refusal(R"({"n": 1, "m": 2})",
                    [](ObjectReader& fields) {
                      fields.take("n");
                      fields.take("n");
                    }),
            "/box/m: unknown key \"m\" in a box, expected one of \"n\"");
}

TEST(ObjectReaderTest, AKeyThatIsNearlyAnotherIsToldWithIt) {
  EXPECT_EQ(refusal(R"({"expects": 1})", [](ObjectReader& fields) { fields.take("expect"); }),
            "/box/expects: unknown key \"expects\" in a box, expected one of \"expect\"; did you "
            "mean \"expect\"?");
}

// Seen under ASan: it kept a view of the name.
TEST(ObjectReaderTest, AKeyMayBeMadeForTheMoment) {
  const auto read = [](ObjectReader& fields) {
    for (const char* const half : {"a_name_that_is", "another_that_is"}) {
      fields.take(std::string(half) + "_too_long_to_lie_within_a_string");
    }
  };
  EXPECT_EQ(refusal(R"({"x": 1})", read),
            "/box/x: unknown key \"x\" in a box, expected one of "
            "\"a_name_that_is_too_long_to_lie_within_a_string\", "
            "\"another_that_is_too_long_to_lie_within_a_string\"");
}

}  // namespace
}  // namespace plumbline
