#include "core/os/crash_note.h"

#include <gtest/gtest.h>

#include "core/base/check.h"

namespace plumbline::os {
namespace {

TEST(CrashNoteTest, AnAbortNamesWhatWasBeingDone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const CrashNote note("plumbline sweep a.json --seeds 7..7");
        check(false, "a planted bug");
      },
      testing::KilledBySignal(SIGABRT),
      "check failed: a planted bug\n.*to see it again: plumbline sweep a.json --seeds 7..7");
}

TEST(CrashNoteTest, WhatIsOverIsNotNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        { const CrashNote note("over"); }
        check(false, "a planted bug");
      },
      testing::KilledBySignal(SIGABRT), "check failed: a planted bug\n$");
}

}  // namespace
}  // namespace plumbline::os
