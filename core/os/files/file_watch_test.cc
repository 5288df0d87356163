#include "core/os/files/file_watch.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/files/temporary_folder.h"

namespace plumbline::os {

namespace {

namespace fs = std::filesystem;

class FileWatchTest : public testing::Test {
 protected:
  FileWatchTest() : folder_(TemporaryFolder::make()) { EXPECT_TRUE(folder_.ok()); }

  std::string path(const std::string& name) const { return folder_.value().path() + '/' + name; }

  static void write(const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }

  // wait returns once it was told of one more change.
  void wait() {
    const std::size_t before = told_.size();
    EXPECT_TRUE(loop_.run_until([&] { return told_.size() > before; }));
  }

  RealLoop loop_;
  Result<TemporaryFolder> folder_;
  std::vector<std::set<std::string>> told_;
  FileWatch watch_{loop_, std::chrono::milliseconds(5),
                   [this](std::set<std::string> changed) { told_.push_back(std::move(changed)); }};
};

TEST_F(FileWatchTest, WhatIsWrittenInSeveralStepsIsOneChange) {
  fs::create_directories(path("src/deep"));
  ASSERT_TRUE(watch_.add(folder_.value().path()).ok());
  write(path("a.js"), "1");
  write(path("src/deep/b.js"), "2");
  write(path("a.js"), "3");
  wait();
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_[0], (std::set<std::string>{path("a.js"), path("src/deep/b.js")}));
}

TEST_F(FileWatchTest, AFolderThatComesLaterIsWatchedAndThoseOfOthersAreNot) {
  fs::create_directories(path("node_modules/x"));
  fs::create_directories(path(".git"));
  ASSERT_TRUE(watch_.add(folder_.value().path()).ok());
  EXPECT_EQ(watch_.folders(), 1U);
  fs::create_directory(path("later"));
  wait();
  write(path("node_modules/x/i.js"), "1");
  write(path(".git/index"), "1");
  write(path("later/c.js"), "1");
  wait();
  EXPECT_EQ(told_.back(), (std::set<std::string>{path("later/c.js")}));
}

// An editor writes another file and gives it the name.
TEST_F(FileWatchTest, AFileIsWatchedAlsoWhenAnotherTakesItsPlace) {
  write(path("one.json"), "1");
  ASSERT_TRUE(watch_.add(path("one.json")).ok());
  write(path("other.json"), "1");
  write(path("one.json.new"), "2");
  fs::rename(path("one.json.new"), path("one.json"));
  wait();
  EXPECT_EQ(told_.back(), (std::set<std::string>{path("one.json")}));
  EXPECT_FALSE(watch_.add(path("nothing")).ok());
}

}  // namespace

}  // namespace plumbline::os
