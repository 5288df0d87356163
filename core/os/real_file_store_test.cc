#include "core/os/real_file_store.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/os/fd.h"

namespace plumbline::os {
namespace {

namespace fs = std::filesystem;

class RealFileStoreTest : public testing::Test {
 protected:
  RealFileStoreTest() {
    std::string pattern = (fs::temp_directory_path() / "plumbline-files-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~RealFileStoreTest() override { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return root_ + "/" + name; }
  void put(const std::string& name, std::string_view bytes) {
    fs::create_directories(fs::path(path(name)).parent_path());
    ASSERT_TRUE(store_.write_file(path(name), bytes).ok());
  }
  std::string text(const std::string& name) {
    Result<std::string> read = store_.read_file(path(name));
    return read.ok() ? read.value() : "error: " + read.error().message;
  }

  std::string root_;
  RealFileStore store_;
};

TEST_F(RealFileStoreTest, ReadsWhatItWrote) {
  const std::string bytes("a\0b\xff\n", 5);
  put("x", bytes);
  EXPECT_EQ(text("x"), bytes);
  put("x", "shorter");
  EXPECT_EQ(text("x"), "shorter");
  put("x", "");
  EXPECT_EQ(text("x"), "");
}

TEST_F(RealFileStoreTest, AFileIsCreatedOnceAndForItsOwner) {
  const Result<bool> first = store_.create_file(path("state/used/id"), "mine");
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_TRUE(first.value());
  const Result<bool> second = store_.create_file(path("state/used/id"), "another's");
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_FALSE(second.value());
  EXPECT_EQ(text("state/used/id"), "mine");
  EXPECT_EQ(fs::status(path("state/used/id")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(path("state/used")).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(path("state")).permissions(), fs::perms::owner_all);
}

TEST_F(RealFileStoreTest, AFileGrowsIsRenamedAndIsRemoved) {
  ASSERT_TRUE(store_.append_file(path("log"), "one\n").ok());
  ASSERT_TRUE(store_.append_file(path("log"), "two\n").ok());
  EXPECT_EQ(text("log"), "one\ntwo\n");
  EXPECT_EQ(store_.mode_of(path("log")).value(), 0600U);
  ASSERT_TRUE(store_.set_mode(path("log"), 0640).ok());
  EXPECT_EQ(store_.mode_of(path("log")).value(), 0640U);
  put("old", "before");
  ASSERT_TRUE(store_.rename_file(path("log"), path("old")).ok());
  EXPECT_EQ(text("old"), "one\ntwo\n");
  EXPECT_EQ(store_.rename_file(path("log"), path("old")).ok(), false);
  ASSERT_TRUE(store_.remove_file(path("old")).ok());
  ASSERT_TRUE(store_.remove_file(path("old")).ok());
  EXPECT_FALSE(fs::exists(path("old")));
  EXPECT_FALSE(store_.remove_file(path("")).ok());
  EXPECT_FALSE(store_.mode_of(path("old")).ok());
  EXPECT_FALSE(store_.set_mode(path("old"), 0600).ok());
  EXPECT_FALSE(store_.append_file(path("none/log"), "x").ok());
}

TEST_F(RealFileStoreTest, ProcessesThatAppendAtOnceLeaveWholeLines) {
  constexpr std::size_t kProcesses = 4;
  constexpr std::size_t kLines = 50;
  std::vector<pid_t> children;
  for (std::size_t process = 0; process < kProcesses; ++process) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    bool kept = true;
    for (std::size_t i = 0; i < kLines; ++i) {
      const std::string line(i * 200 + 1, static_cast<char>('a' + process));  // Longer than a page.
      kept = kept && store_.append_file(path("log"), line + "\n").ok();
    }
    _exit(kept ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::istringstream lines(text("log"));
  std::map<std::string, std::size_t> seen;
  for (std::string line; std::getline(lines, line);) {
    ASSERT_EQ(line.find_first_not_of(line.front()), std::string::npos);
    EXPECT_EQ(line.size(), seen[line.substr(0, 1)]++ * 200 + 1);
  }
  EXPECT_EQ(seen.size(), kProcesses);
  for (const auto& [process, count] : seen) EXPECT_EQ(count, kLines) << process;
}

// FileLimit lets files of this process grow to `bytes` while it lives.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_F(RealFileStoreTest, AFileThatMayNotGrowIsAnErrorAndIsAsItWas) {
  put("old", "before");
  std::vector<Status> done;
  {
    const FileLimit limit(10);
    done.push_back(store_.append_file(path("log"), "seven.\n"));
    done.push_back(store_.append_file(path("log"), "more\n"));
    done.push_back(store_.write_file(path("old"), "more than ten"));
    const Result<bool> created = store_.create_file(path("new"), "more than ten");
    if (!created.ok()) done.push_back(created.error());
    done.push_back(store_.append_file(path("log"), "3.\n"));
  }
  ASSERT_EQ(done.size(), 5U);
  for (const std::size_t fits : {0U, 4U}) EXPECT_TRUE(done[fits].ok());
  for (const std::size_t not_fit : {1U, 2U, 3U}) {
    ASSERT_FALSE(done[not_fit].ok());
    EXPECT_NE(done[not_fit].error().message.find("File too large"), std::string::npos);
  }
  EXPECT_EQ(text("log"), "seven.\n3.\n");
  EXPECT_EQ(text("old"), "before");
  EXPECT_FALSE(fs::exists(path("new")));
}

TEST_F(RealFileStoreTest, AFileIsNotCreatedThroughALinkOrBelowAFile) {
  fs::create_symlink(path("elsewhere"), path("link"));
  const Result<bool> linked = store_.create_file(path("link"), "x");
  EXPECT_TRUE(linked.ok() && !linked.value());
  EXPECT_FALSE(fs::exists(path("elsewhere")));
  put("file", "x");
  const Result<bool> below = store_.create_file(path("file/below/id"), "x");
  ASSERT_FALSE(below.ok());
  EXPECT_EQ(below.error().message, "cannot write " + path("file/below/id") + ": Not a directory");
}

TEST_F(RealFileStoreTest, OfManyWhoCreateAFileAtOnceOneIsToldSo) {
  int created[8] = {};
  {
    std::vector<std::jthread> threads;
    for (int& mine : created) {
      threads.emplace_back([&] {
        RealFileStore store;
        const Result<bool> done = store.create_file(path("fresh/folder/id"), "x");
        mine = done.ok() && done.value() ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(std::accumulate(std::begin(created), std::end(created), 0), 1);
}

TEST_F(RealFileStoreTest, AMissingFileIsNamed) {
  const Result<std::string> read = store_.read_file(path("none"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(read.error().message, "cannot read " + path("none") + ": No such file or directory");
}

TEST_F(RealFileStoreTest, BelowAFolderOnlyItsOwnRegularFilesAreRead) {
  put("outside/secret", "s");
  put("root/a/file", "text");
  fs::create_symlink(path("outside"), path("root/out"));
  fs::create_symlink("file", path("root/a/link"));
  ASSERT_EQ(mkfifo(path("root/pipe").c_str(), 0600), 0);
  const auto why = [&](const std::string& name) {
    const Result<std::string> read = store_.read_below(path("root"), name);
    if (read.ok()) return "read: " + read.value();
    const std::string place = path("root/" + name) + ": ";
    return read.error().message.substr(std::string("cannot read ").size() + place.size());
  };
  EXPECT_EQ(why("a/file"), "read: text");
  EXPECT_EQ(why("./a/./file"), "read: text");
  EXPECT_EQ(why("a/link"), "it is no regular file");
  EXPECT_EQ(why("pipe"), "it is no regular file");
  EXPECT_EQ(why("out/secret"), "Not a directory");
  EXPECT_EQ(why("../outside/secret"), "Invalid argument");
  EXPECT_EQ(why("a/../../outside/secret"), "Invalid argument");
  EXPECT_EQ(why("a"), "Is a directory");
  EXPECT_EQ(why("none"), "No such file or directory");
  EXPECT_EQ(why(""), "Invalid argument");
  EXPECT_FALSE(store_.read_below(path("root"), path("root/a/file")).ok());
  EXPECT_FALSE(store_.read_below("/dev", "null").ok());
}

// Somebody swaps a folder for a link to another one while it is read.
TEST_F(RealFileStoreTest, AFolderThatBecomesALinkMeanwhileIsNotFollowed) {
  put("outside/file", "secret");
  put("root/a/file", "text");
  fs::create_symlink(path("outside"), path("link"));
  std::atomic<bool> over = false;
  std::jthread swapper([&] {
    while (!over) {
      renameat2(AT_FDCWD, path("root/a").c_str(), AT_FDCWD, path("link").c_str(), RENAME_EXCHANGE);
    }
  });
  int leaks = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Result<std::string> got = store_.read_below(path("root"), "a/file");
    leaks += got.ok() && got.value() != "text" ? 1 : 0;
  }
  over = true;
  EXPECT_EQ(leaks, 0);
}

TEST_F(RealFileStoreTest, AFolderIsNoFile) {
  EXPECT_EQ(store_.read_file(root_).error().message, "cannot read " + root_ + ": Is a directory");
  EXPECT_EQ(store_.write_file(root_, "x").error().message,
            "cannot write " + root_ + ": Is a directory");
}

TEST_F(RealFileStoreTest, AnEndlessFileReachesTheLimit) {
  const Result<std::string> read = store_.read_file("/dev/zero");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kLimitReached);
}

TEST_F(RealFileStoreTest, AFailedWriteLeavesNoTemporaryFile) {
  EXPECT_FALSE(store_.write_file(path("none/x"), "x").ok());
  ASSERT_EQ(mkdir(path("x").c_str(), 0777), 0);
  EXPECT_FALSE(store_.write_file(path("x"), "x").ok());
  fs::remove(path("x"));
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(RealFileStoreTest, WritingKeepsTheModeAndFollowsALink) {
  put("x", "old");
  ASSERT_EQ(chmod(path("x").c_str(), 0600), 0);
  ASSERT_EQ(symlink("x", path("link").c_str()), 0);
  put("link", "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text("x"), "new");
  struct stat about {};
  ASSERT_EQ(stat(path("x").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
}

TEST_F(RealFileStoreTest, WritingToADeviceDoesNotReplaceIt) {
  ASSERT_TRUE(store_.write_file("/dev/null", "x").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(RealFileStoreTest, ALinkToWhatIsNotThereYetIsFollowed) {
  fs::create_directories(path("inner"));
  ASSERT_EQ(symlink("inner/x", path("link").c_str()), 0);
  put("link", "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text("inner/x"), "new");
  ASSERT_EQ(symlink("round", path("round").c_str()), 0);
  EXPECT_EQ(store_.write_file(path("round"), "x").error().message,
            "cannot write " + path("round") + ": Too many levels of symbolic links");
}

// As with `--report json=/dev/stdout >> file`.
TEST_F(RealFileStoreTest, WhatIsOpenAsADescriptorIsWrittenToNotReplaced) {
  put("x", "before\n");
  const Fd fd(open(path("x").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  struct stat before {};
  ASSERT_EQ(fstat(fd.number(), &before), 0);
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    ASSERT_TRUE(store_.write_file(folder + std::to_string(fd.number()), "new\n").ok());
  }
  ASSERT_EQ(symlink(("/dev/fd/" + std::to_string(fd.number())).c_str(), path("link").c_str()), 0);
  put("link", "linked\n");
  EXPECT_EQ(text("x"), "before\nnew\nnew\nlinked\n");
  struct stat after {};
  ASSERT_EQ(stat(path("x").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(RealFileStoreTest, ANamedPipeIsWrittenToOnceSomebodyReads) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([this, &read] { std::getline(std::ifstream(path("pipe")), read); });
  const Status written = store_.write_file(path("pipe"), "through");
  reader.join();
  EXPECT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(RealFileStoreTest, ListsFilesBelowAFolderInOrder) {
  put("b.json", "");
  put("a/2.json", "");
  put("a/10.json", "");
  put("a/notes.md", "");
  put(".hidden.json", "");
  put(".git/config.json", "");
  const auto listed = store_.list_files(root_, ".json");
  ASSERT_TRUE(listed.ok());
  EXPECT_EQ(listed.value(),
            (std::vector<std::string>{path("a/10.json"), path("a/2.json"), path("b.json")}));
}

TEST_F(RealFileStoreTest, AFileListsAsItself) {
  put("a.txt", "");
  EXPECT_EQ(store_.list_files(path("a.txt"), ".json").value(),
            std::vector<std::string>{path("a.txt")});
  EXPECT_EQ(store_.list_files(path("none"), ".json").error().message,
            "cannot read " + path("none") + ": No such file or directory");
}

}  // namespace
}  // namespace plumbline::os
