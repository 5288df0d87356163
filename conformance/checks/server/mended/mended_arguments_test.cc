#include "conformance/checks/server/mended/mended_arguments.h"

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

Json tool_with(const char* properties) {
  return {{"name", "book"},
          {"inputSchema", {{"type", "object"}, {"properties", parse_json(properties).value()}}}};
}

TEST(MendedArguments, AreDaysThatTheRefusalNames) {
  const Json tool = tool_with(R"({"day": {"type": "string", "pattern": "^[0-9-]+$"}})");
  const std::vector<Json> mended =
      mended_arguments(tool, Json{{"day", "2026-01-01"}},
                       "2026-01-01 cannot be booked; open from 2027-03-01 to 2027-03-14.");
  ASSERT_GE(mended.size(), 2U);
  EXPECT_EQ(mended[0], (Json{{"day", "2027-03-01"}}));
  EXPECT_EQ(mended[1], (Json{{"day", "2027-03-14"}}));
}

TEST(MendedArguments, AreDaysOfTheYearThatTheRefusalNames) {
  const Json tool = tool_with(R"({"at": {"type": "string", "format": "date-time"}})");
  const std::vector<Json> mended = mended_arguments(tool, Json{{"at", "2026-01-01T00:00:00Z"}},
                                                    "The diary is open for the year 2027 only.");
  ASSERT_FALSE(mended.empty());
  EXPECT_EQ(mended[0], (Json{{"at", "2027-06-16T00:00:00Z"}}));
}

TEST(MendedArguments, LieAheadWhereNothingIsNamed) {
  const Json tool = tool_with(R"({"day": {"type": "string", "format": "date"}})");
  const std::vector<Json> mended =
      mended_arguments(tool, Json{{"day", "2026-01-01"}}, "The date lies in the past.");
  ASSERT_FALSE(mended.empty());
  EXPECT_EQ(mended[0], (Json{{"day", "2029-06-20"}}));
}

TEST(MendedArguments, AreNumbersThatTheRefusalNamesForAllThatAreAlike) {
  const Json tool = tool_with(R"({"chest": {"type": "number"}, "waist": {"type": "number"},
                                  "pieces": {"type": "integer", "maximum": 9}})");
  const Json given = {{"chest", 1}, {"waist", 1}, {"pieces", 1}};
  const std::vector<Json> mended =
      mended_arguments(tool, given, "chest must lie between 20 and 250 cm, but is 1 cm.");
  ASSERT_FALSE(mended.empty());
  EXPECT_EQ(mended[0], (Json{{"chest", 20}, {"waist", 20}, {"pieces", 1}}));
}

TEST(MendedArguments, AreNoneWhereTheRefusalIsAboutSomethingElse) {
  const Json tool = tool_with(R"({"id": {"type": "string"}, "count": {"type": "integer"}})");
  EXPECT_TRUE(mended_arguments(tool, Json{{"id", "x"}, {"count", 1}}, "There is no x.").empty());
  EXPECT_TRUE(mended_arguments(tool, Json{{"id", "x"}, {"count", 1}}, "").empty());
}

}  // namespace
}  // namespace plumbline::conformance
