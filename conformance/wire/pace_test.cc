#include "conformance/wire/pace.h"

#include <chrono>

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

void answer(Pace& pace, int times, Duration took) {
  for (int i = 0; i < times; ++i) pace.saw(took, false);
}

TEST(PaceTest, ASilenceIsAsLongAsAnswersAreSlow) {
  Pace quick(seconds(10));
  answer(quick, 20, milliseconds(1));
  EXPECT_LT(quick.quiet(), milliseconds(30));
  Pace slow(seconds(10));
  answer(slow, 20, milliseconds(300));
  EXPECT_GT(slow.quiet(), milliseconds(600));
}

TEST(PaceTest, AnswersBesideProcessesThatStartCountWhileAnyDoes) {
  int starting = 0;
  Pace pace(seconds(10));
  pace.beside(starting);
  answer(pace, 10, milliseconds(1));
  starting = 3;
  answer(pace, 10, milliseconds(200));
  EXPECT_GT(pace.quiet(), milliseconds(400));
  EXPECT_LT(pace.quiet_alone(), milliseconds(30));
  starting = 0;
  pace.saw(milliseconds(200), true);  // Asked for while they started.
  EXPECT_LT(pace.quiet(), milliseconds(30));
}

TEST(PaceTest, WhatItTookBesideProcessesThatStartCountsAsLongAsNothingElseIsKnown) {
  int starting = 1;
  Pace pace(seconds(10));
  pace.beside(starting);
  answer(pace, 10, milliseconds(200));
  starting = 0;
  EXPECT_GT(pace.quiet(), milliseconds(400));
  answer(pace, 10, milliseconds(100));
  EXPECT_GT(pace.quiet(), milliseconds(200));
}

}  // namespace
}  // namespace plumbline::conformance
