#include "core/model/failure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::model {
namespace {

TEST(FailureTest, AStatusSaysWhatCanBeDone) {
  EXPECT_EQ(kind_of_status(400, ""), FailureKind::kInvalidRequest);
  EXPECT_EQ(kind_of_status(400, "context_length_exceeded"), FailureKind::kTooLong);
  EXPECT_EQ(kind_of_status(413, ""), FailureKind::kTooLong);
  EXPECT_EQ(kind_of_status(401, ""), FailureKind::kAuthentication);
  EXPECT_EQ(kind_of_status(403, ""), FailureKind::kAuthentication);
  EXPECT_EQ(kind_of_status(404, ""), FailureKind::kInvalidRequest);
  EXPECT_EQ(kind_of_status(408, ""), FailureKind::kUnavailable);
  EXPECT_EQ(kind_of_status(409, ""), FailureKind::kUnavailable);
  EXPECT_EQ(kind_of_status(422, ""), FailureKind::kInvalidRequest);
  EXPECT_EQ(kind_of_status(429, "insufficient_quota"), FailureKind::kRateLimit);
  EXPECT_EQ(kind_of_status(500, ""), FailureKind::kUnavailable);
  EXPECT_EQ(kind_of_status(529, "overloaded_error"), FailureKind::kUnavailable);
  EXPECT_EQ(kind_of_status(302, ""), FailureKind::kUnreadable);
}

TEST(FailureTest, AFailureKeepsItsOwnStatus) {
  EXPECT_EQ(status_of({.kind = FailureKind::kRateLimit, .status = 503}), 503);
  EXPECT_EQ(status_of({.kind = FailureKind::kTooLong}), 400);
  EXPECT_EQ(status_of({.kind = FailureKind::kUnreadable}), 502);
}

RC_GTEST_PROP(FailureProp, TheStatusOfAKindIsReadAsThatKind, ()) {
  // Too long has no status of its own: its code says it.
  const auto kind = *rc::gen::element(FailureKind::kAuthentication, FailureKind::kRateLimit,
                                      FailureKind::kInvalidRequest, FailureKind::kUnavailable);
  RC_ASSERT(kind_of_status(status_of({.kind = kind}), "") == kind);
}

}  // namespace
}  // namespace plumbline::model
