#include "core/os/child/real_paths.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/os/files/temporary_folder.h"

namespace plumbline::os {
namespace {

TEST(RealPathsTest, LinksAreFollowedAndWhatIsMissingIsNamed) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make()).value();
  RealPaths paths;
  const std::string root = paths.real_path(folder.path()).value();
  std::ofstream(root + "/file") << "x";
  std::filesystem::create_symlink("file", root + "/link");
  std::filesystem::create_symlink("loop", root + "/loop");
  EXPECT_EQ(paths.real_path(root + "/./link").value(), root + "/file");
  EXPECT_EQ(paths.real_path(root + "/none").error().message,
            "cannot find \"" + root + "/none\": No such file or directory");
  EXPECT_FALSE(paths.real_path(root + "/loop").ok());
  EXPECT_TRUE(paths.is_folder(root));
  EXPECT_FALSE(paths.is_folder(root + "/link"));
  EXPECT_FALSE(paths.is_program(root + "/link"));
  EXPECT_FALSE(paths.is_program(root));
  std::filesystem::permissions(root + "/file", std::filesystem::perms::owner_all);
  EXPECT_TRUE(paths.is_program(root + "/link"));
}

}  // namespace
}  // namespace plumbline::os
