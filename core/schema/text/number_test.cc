#include "core/schema/text/number.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "core/schema/testing.h"

namespace plumbline::schema {
namespace {

TEST(NumberTest, IntegersAndDoublesCompareExactly) {
  EXPECT_EQ(compare_numbers(json("9007199254740993"), json("9007199254740992.0")), 1);
  EXPECT_EQ(compare_numbers(json("18446744073709551615"), json("18446744073709551616.0")), -1);
  EXPECT_EQ(compare_numbers(json("-9223372036854775808"), json("-9223372036854775808.0")), 0);
  EXPECT_EQ(compare_numbers(json("-1"), json("18446744073709551615")), -1);
  EXPECT_EQ(compare_numbers(json("1"), json("1.0")), 0);
}

TEST(NumberTest, WholeMeansWithoutFraction) {
  EXPECT_TRUE(is_whole(json("3.0")));
  EXPECT_TRUE(is_whole(json("1e308")));
  EXPECT_FALSE(is_whole(json("3.5")));
}

TEST(NumberTest, MultiplesAreDecidedInDecimal) {
  const std::vector<std::pair<const char*, const char*>> multiples = {
      {"0.0075", "0.0001"},
      {"0.3", "0.1"},
      {"1e308", "0.5"},
      {"12391239123", "1e-8"},
      {"-4.5", "1.5"},
      {"0", "0.0001"},
      {"1e308", "1e-308"},
      {"9007199254740993", "3"},
      {"7", "7.0"},
      {"1e22", "1e3"},
      {"-9223372036854775808", "2"}};
  for (const auto& [number, divisor] : multiples) {
    EXPECT_TRUE(is_multiple_of(json(number), json(divisor))) << number << " by " << divisor;
  }
  const std::vector<std::pair<const char*, const char*>> others = {{"0.00751", "0.0001"},
                                                                   {"35", "1.5"},
                                                                   {"1e308", "0.123456789"},
                                                                   {"1", "1e308"},
                                                                   {"1e-8", "1"},
                                                                   {"18446744073709551615", "2"},
                                                                   {"1", "0"},
                                                                   {"0.1", "1e308"}};
  for (const auto& [number, divisor] : others) {
    EXPECT_FALSE(is_multiple_of(json(number), json(divisor))) << number << " by " << divisor;
  }
}

RC_GTEST_PROP(NumberPropTest, AProductIsAMultipleOfItsFactor, ()) {
  const auto factor = *rc::gen::inRange<std::int64_t>(1, 1'000'000);
  const auto times = *rc::gen::inRange<std::int64_t>(-1'000'000, 1'000'000);
  RC_ASSERT(is_multiple_of(Json(factor * times), Json(factor)));
  RC_ASSERT(is_multiple_of(Json(factor * times + 1), Json(factor)) == (factor == 1));
}

Json small_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0:
      return Json(nullptr);
    case 1:
      return Json(*rc::gen::inRange(0, 2) == 1);
    case 2:
      return Json(*rc::gen::inRange<std::int64_t>(-2, 3));
    case 3:
      return Json(*rc::gen::inRange(-4, 5) / 2.0);
    case 4:
      return Json(*rc::gen::element<std::string>("", "a", "b"));
    case 5: {
      Json array = Json::array();
      for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
        array.push_back(small_value(depth - 1));
      }
      return array;
    }
    default: {
      Json object = Json::object();
      for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
        object[*rc::gen::element<std::string>("a", "b")] = small_value(depth - 1);
      }
      return object;
    }
  }
}

RC_GTEST_PROP(NumberPropTest, TheOrderOfValuesIsTotal, ()) {
  const Json a = small_value(3);
  const Json b = small_value(3);
  const Json c = small_value(3);
  JsonOrder order(limits::kJsonDepthMax);
  RC_ASSERT(order.compare(a, a) == 0);
  RC_ASSERT(order.compare(a, b) == -order.compare(b, a));
  if (order.compare(a, b) <= 0 && order.compare(b, c) <= 0) RC_ASSERT(order.compare(a, c) <= 0);
  RC_ASSERT((order.compare(a, b) == 0) == (a == b));
}

}  // namespace
}  // namespace plumbline::schema
