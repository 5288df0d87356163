#include "core/wire/retry_after.h"

#include <chrono>

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

using std::chrono::seconds;

TEST(RetryAfterTest, ReadsSecondsAndADate) {
  EXPECT_EQ(retry_after({{"Retry-After", "2"}}), seconds(2));
  EXPECT_EQ(retry_after({{"Retry-After", "Wed, 01 Jan 2025 00:00:05 GMT"},
                         {"Date", "Tue, 31 Dec 2024 23:59:55 GMT"}}),
            seconds(10));
  EXPECT_EQ(retry_after({{"Retry-After", "Wed, 01 Jan 2025 00:00:05 GMT"},
                         {"Date", "Wed, 01 Jan 2025 00:01:00 GMT"}}),
            seconds(0))
      << "a date that has passed";
  EXPECT_EQ(retry_after({{"Retry-After", "Wed, 01 Jan 2025 00:00:05 GMT"}}), std::nullopt)
      << "nobody says what time it is there";
  EXPECT_EQ(retry_after({{"Retry-After", "soon"}}), std::nullopt);
  EXPECT_EQ(retry_after({{"Retry-After", "-1"}}), std::nullopt);
  EXPECT_EQ(retry_after({}), std::nullopt);
}

}  // namespace
}  // namespace plumbline::wire
