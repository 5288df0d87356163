#include "core/rpc/batch.h"

#include <gtest/gtest.h>

namespace plumbline::rpc {
namespace {

TEST(BatchRepliesTest, AnswersLeaveTogetherWhenTheLastIsThere) {
  BatchReplies batches;
  const BatchReplies::Key batch = batches.open();
  batches.expect(batch);
  batches.expect(batch);
  EXPECT_FALSE(batches.seal(batch));
  EXPECT_FALSE(batches.add(batch, Json(1)));
  EXPECT_EQ(batches.add(batch, Json(2)), Json::parse("[1,2]"));
  EXPECT_EQ(batches.size(), 0U);
}

TEST(BatchRepliesTest, AnswersGivenWhileReadingWaitForTheSeal) {
  BatchReplies batches;
  const BatchReplies::Key batch = batches.open();
  batches.expect(batch);
  EXPECT_FALSE(batches.add(batch, Json(1)));
  EXPECT_EQ(batches.seal(batch), Json::parse("[1]"));
}

TEST(BatchRepliesTest, ABatchWithoutAnswersSendsNothing) {
  BatchReplies batches;
  EXPECT_FALSE(batches.seal(batches.open()));
  EXPECT_EQ(batches.size(), 0U);
}

TEST(BatchRepliesTest, ADroppedAnswerHoldsNothingUp) {
  BatchReplies batches;
  const BatchReplies::Key first = batches.open();
  batches.expect(first);
  batches.expect(first);
  EXPECT_FALSE(batches.seal(first));
  EXPECT_FALSE(batches.add(first, Json(1)));
  EXPECT_EQ(batches.drop(first), Json::parse("[1]"));

  const BatchReplies::Key second = batches.open();
  batches.expect(second);
  EXPECT_FALSE(batches.seal(second));
  EXPECT_FALSE(batches.drop(second));
  EXPECT_EQ(batches.size(), 0U);
}

}  // namespace
}  // namespace plumbline::rpc
