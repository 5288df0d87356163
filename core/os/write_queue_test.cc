#include "core/os/write_queue.h"

#include <string>

#include <gtest/gtest.h>

#include "core/base/limits.h"

namespace plumbline::os {
namespace {

TEST(WriteQueueTest, WhatIsSentInPartsStaysInOrder) {
  WriteQueue queue;
  ASSERT_TRUE(queue.add("abcdef").ok());
  queue.sent(4);
  EXPECT_EQ(queue.waiting(), "ef");
  ASSERT_TRUE(queue.add("gh").ok());
  EXPECT_EQ(queue.waiting(), "efgh");
  queue.sent(1);
  EXPECT_EQ(queue.waiting(), "fgh");
  EXPECT_FALSE(queue.empty());
  queue.sent(3);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.waiting(), "");
}

TEST(WriteQueueTest, OnlyWhatStillWaitsCountsForTheLimit) {
  WriteQueue queue;
  ASSERT_TRUE(queue.add(std::string(limits::kWriteQueueBytesMax, 'x')).ok());
  EXPECT_EQ(queue.add("y").error().code, ErrorCode::kLimitReached);
  EXPECT_EQ(queue.waiting().size(), limits::kWriteQueueBytesMax);
  queue.sent(1);
  ASSERT_TRUE(queue.add("y").ok());
  EXPECT_EQ(queue.waiting().back(), 'y');
  EXPECT_FALSE(queue.add("z").ok());
}

// A peer that takes an answer but for its end is charged for all of it.
TEST(WriteQueueTest, ABlockIsHeldUntilAllOfItIsSent) {
  constexpr std::size_t kBytes = 1U << 20U;
  WriteQueue queue;
  ASSERT_TRUE(queue.add(std::string(kBytes + 3, 'x')).ok());
  queue.sent(kBytes);
  EXPECT_EQ(queue.waiting(), "xxx");
  EXPECT_GE(queue.held_bytes(), kBytes);
  queue.sent(3);
  EXPECT_EQ(queue.held_bytes(), 0U);
}

// One that never takes all of it makes a queue no larger than twice what waits, and what is added.
TEST(WriteQueueTest, AQueueThatNeverRunsEmptyDoesNotGrow) {
  constexpr std::size_t kBytes = 1U << 10U;
  WriteQueue queue;
  ASSERT_TRUE(queue.add(std::string(kBytes, 'x')).ok());
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_TRUE(queue.add(std::string(kBytes, 'x')).ok());
    queue.sent(kBytes);
    ASSERT_LE(queue.held_bytes(), 8 * kBytes);
  }
}

TEST(WriteQueueTest, AClearedQueueStartsAnew) {
  WriteQueue queue;
  ASSERT_TRUE(queue.add("abc").ok());
  queue.sent(1);
  queue.clear();
  EXPECT_TRUE(queue.empty());
  ASSERT_TRUE(queue.add("de").ok());
  EXPECT_EQ(queue.waiting(), "de");
}

}  // namespace
}  // namespace plumbline::os
