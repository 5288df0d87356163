#include "core/os/files/path_names.h"

#include <gtest/gtest.h>

namespace plumbline::os {
namespace {

TEST(PathNamesTest, ADriveAndAnotherMachineAreNamed) {
  for (const char* const path : {"C:/x", "c:\\x", "\\\\host\\share"})
    EXPECT_TRUE(names_drive(path)) << path;
  for (const char* const path : {"", "C:", "C:x", "x/C:/", "/C:/x", "\\x", "://x"}) {
    EXPECT_FALSE(names_drive(path)) << path;
  }
}

TEST(PathNamesTest, OnlyTheModuleKnowsDrives) {
  EXPECT_TRUE(is_absolute_path("/x"));
  EXPECT_FALSE(is_absolute_path("x/y"));
  EXPECT_EQ(is_absolute_path("C:/x"), kDrives);
}

}  // namespace
}  // namespace plumbline::os
