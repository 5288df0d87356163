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

// A peer that takes an answer but for its end must not hold all of it.
TEST(WriteQueueTest, WhatWasSentHoldsNoMemory) {
  constexpr std::size_t kBytes = 1U << 20U;
  WriteQueue queue;
  ASSERT_TRUE(queue.add(std::string(kBytes + 3, 'x')).ok());
  for (std::size_t sent = 0; sent < kBytes; sent += 1'024) {
    queue.sent(1'024);
    ASSERT_LE(queue.held_bytes(), 2 * queue.waiting().size() + (65U << 10U));
  }
  EXPECT_EQ(queue.waiting(), "xxx");
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
