#include "core/match/matcher.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::match {

namespace {

Json read(const std::string& text) {
  const Result<Json> parsed = parse_json(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? parsed.value() : Json();
}

// told returns what differs, a line each: "/a: expected 1, got 2".
std::string told(const std::string& expectation, const std::string& got, const Masks& masks = {}) {
  std::vector<Mismatch> found;
  const Json there = read(got);
  compare(read(expectation), &there, {}, masks, found);
  std::string all;
  for (const Mismatch& one : found) {
    all += (all.empty() ? "" : "\n") + one.path + ": expected " + one.expected + ", got " + one.got;
  }
  return all;
}

std::string problem_of(const std::string& expectation) {
  std::optional<Problem> problem;
  check_expectation(read(expectation), "", problem);
  return problem ? problem->pointer + ": " + problem->message : "";
}

TEST(MatcherTest, ObjectsMayHaveMoreMembersAndArraysMayNot) {
  EXPECT_EQ(told(R"({"a": 1})", R"({"a": 1, "b": 2})"), "");
  EXPECT_EQ(told("[1]", "[1, 2]"), ": expected 1 items: [1], got 2: [1,2]");
  EXPECT_EQ(told(R"({"a": {"b": [1, "x"]}})", R"({"a": {"b": [1, "y"]}})"),
            "/a/b/1: expected \"x\", got \"y\"");
  EXPECT_EQ(told(R"({"a": 1})", "{}"), "/a: expected 1, got nothing");
  EXPECT_EQ(told("3", "3.0"), "");
}

TEST(MatcherTest, EveryMatcherFitsWhatItNamesAndNothingElse) {
  const struct {
    const char* expectation;
    const char* fits;
    const char* differs;
  } cases[] = {
      {R"({"$equal": {"a": 1}})", R"({"a": 1})", R"({"a": 1, "b": 2})"},
      {R"({"$contains": "b"})", R"("abc")", R"("ac")"},
      {R"({"$contains": {"n": 2}})", R"([{"n": 1}, {"n": 2}])", R"([{"n": 1}])"},
      {R"({"$regex": "(?i)^out.*"})", R"("OUTSIDE")", R"("inside")"},
      {R"({"$type": "integer"})", "3", "3.5"},
      {R"({"$type": "null"})", "null", "0"},
      {R"({"$schema": {"required": ["a"]}})", R"({"a": 1})", "{}"},
      {R"({"$length": 2})", R"("äb")", R"("abc")"},
      {R"({"$length": {"$min": 1, "$max": 2}})", "[1]", "[]"},
      {R"({"$min": 1, "$max": 3})", "2", "4"},
      {R"({"$near": [10, 0.5]})", "10.5", "10.6"},
      {R"({"$unordered": [{"$min": 1}, 1]})", "[1, 2]", "[0, 1]"},
      {R"({"$each": {"$type": "string"}})", R"(["a", "b"])", R"(["a", 1])"},
      {R"({"$some": 2})", "[1, 2]", "[1]"},
      {R"({"$none": 2})", "[1]", "[1, 2]"},
      {R"({"$json": {"a": 1}})", R"("{\"a\": 1,  \"b\": 2}")", R"("{\"a\": 2}")"},
      {R"({"$literal": {"$min": 1}})", R"({"$min": 1})", "2"},
      {R"({"$not": {"$contains": "deleted"}})", R"("kept")", R"("deleted")"},
      {R"({"a": {"$absent": true}})", "{}", R"({"a": null})"},
      {R"({"a": {"$any": true}})", R"({"a": null})", "{}"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(problem_of(one.expectation), "") << one.expectation;
    EXPECT_EQ(told(one.expectation, one.fits), "") << one.expectation;
    EXPECT_NE(told(one.expectation, one.differs), "") << one.expectation;
  }
}

// A greedy choice would give 1 to the first item and leave none for the second.
TEST(MatcherTest, UnorderedItemsGiveWayToEachOther) {
  EXPECT_EQ(told(R"({"$unordered": [{"$max": 2}, {"$max": 1}]})", "[1, 2]"), "");
  EXPECT_EQ(told(R"({"$unordered": ["a", "b"]})", R"(["a", "c"])"),
            ": expected an item \"b\", got nothing that fits, nearest is \"c\"");
}

TEST(MatcherTest, WhatIsNoExpectationIsTheProblemWithItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"a": {"$contain": 1}})",
       "/a/$contain: unknown matcher \"$contain\", did you mean \"$contains\"?"},
      {R"({"$min": "1"})", "/$min: $min: expected a number"},
      {R"({"$regex": "("})", "/$regex: $regex: expected a pattern of RE2: missing ): ("},
      {R"({"$min": 1, "b": 2})",
       "/b: \"b\" stands beside a matcher, expected matchers alone; {\"$literal\": ...} is data"},
      {R"([{"$each": {"$typ": 1}}])",
       "/0/$each/$typ: unknown matcher \"$typ\", did you mean \"$type\"?"},
      {R"({"$schema": {"type": 7}})", "/$schema: $schema: expected a JSON Schema: "},
      {R"({"$absent": false})", "/$absent: $absent: expected true"},
  };
  for (const auto& [expectation, problem] : cases) {
    EXPECT_TRUE(problem_of(expectation).starts_with(problem)) << problem_of(expectation);
  }
  EXPECT_EQ(problem_of(R"({"$literal": {"$nothing": 1}})"), "");
}

TEST(MasksTest, KindsAreAnyTextOfTheirKindAndPlacesAnyValue) {
  Masks masks;
  ASSERT_TRUE(masks.add("time").ok());
  ASSERT_TRUE(masks.add("uuid").ok());
  ASSERT_TRUE(masks.add("/a/**/id").ok());
  EXPECT_EQ(told(R"("at 2026-01-01T00:00:00Z")", R"("at 2026-11-27 09:35:27.123+00:00")", masks),
            "");
  EXPECT_EQ(told(R"("x 6ba7b810-9dad-11d1-80b4-00c04fd430c8")",
                 R"("x 00000000-9dad-11d1-80b4-00C04FD430C8")", masks),
            "");
  EXPECT_NE(told(R"("at 2026-01-01T00:00:00Z")", R"("at noon")", masks), "");
  EXPECT_EQ(told(R"("made at 12:37:35 PM")", R"("made at 1:02:03 AM")", masks), "");
  EXPECT_EQ(told(R"({"a": [{"id": 1}]})", R"({"a": [{"id": 2}]})", masks), "");
  EXPECT_EQ(told(R"({"a": {"id": {"x": 1}}})", R"({"a": {"id": 7}})", masks), "");
  EXPECT_NE(told(R"({"b": {"id": 1}})", R"({"b": {"id": 2}})", masks), "");
  EXPECT_NE(told(R"({"a": {"id": 1}})", R"({"a": {}})", masks), "");
  EXPECT_FALSE(masks.add("times").ok());
}

}  // namespace

}  // namespace plumbline::match
