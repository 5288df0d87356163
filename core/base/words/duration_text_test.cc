#include "core/base/words/duration_text.h"

#include <chrono>

#include <gtest/gtest.h>

namespace plumbline {
namespace {

TEST(DurationTextTest, ReadsANumberWithItsUnit) {
  EXPECT_EQ(duration_in("500ms"), std::chrono::milliseconds(500));
  EXPECT_EQ(duration_in("30s"), std::chrono::seconds(30));
  EXPECT_EQ(duration_in("2m"), std::chrono::minutes(2));
  EXPECT_EQ(duration_in("24h"), std::chrono::hours(24));
  EXPECT_EQ(duration_in("0s"), Duration::zero());
}

TEST(DurationTextTest, RefusesEverythingElse) {
  for (const char* const text :
       {"", "s", "30", "-1s", "1.5s", "1 s", "25h", "2d", "9999999999999999999ms"}) {
    EXPECT_EQ(duration_in(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace plumbline
