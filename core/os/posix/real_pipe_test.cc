#include "core/os/posix/real_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/os/child/real_spawner.h"
#include "core/os/real_file_store.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::os {
namespace {

using net::Command;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Two pipes, each the other's peer.
class RealPipeTest : public testing::Test {
 protected:
  RealPipeTest() {
    PipeEnds there = make_pipe().value();
    PipeEnds back = make_pipe().value();
    ours_.emplace(loop_, std::move(back.read), std::move(there.write), RealPipe::Sharing::kOurs);
    theirs_.emplace(loop_, std::move(there.read), std::move(back.write),
                    RealPipe::Sharing::kShared);
  }

  void start() {
    ours_->start(our_reader_);
    theirs_->start(their_reader_);
  }
  template <typename Finished>
  bool run_until(Finished finished) {
    return run_within(loop_, seconds(30), finished);
  }

  RealLoop loop_;
  RecordingReader our_reader_;
  RecordingReader their_reader_;
  std::optional<RealPipe> ours_;
  std::optional<RealPipe> theirs_;
};

// pattern is bytes that would show a piece lost, doubled or swapped.
std::string pattern(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; bytes.size() < size; ++i) {
    bytes.append(std::to_string(i)).append(97, '.').append("\n");
  }
  bytes.resize(size);
  return bytes;
}

TEST_F(RealPipeTest, BytesArriveInOrderBothWays) {
  start();
  ours_->write("one ");
  ours_->write("two");
  theirs_->write("three");
  EXPECT_TRUE(our_reader_.bytes.empty());
  ASSERT_TRUE(
      run_until([&] { return our_reader_.bytes.size() + their_reader_.bytes.size() == 12; }));
  EXPECT_EQ(their_reader_.bytes, "one two");
  EXPECT_EQ(our_reader_.bytes, "three");
}

TEST_F(RealPipeTest, WritesOfOneTurnArriveTogether) {
  start();
  int arrivals = 0;
  their_reader_.on_more = [&] { ++arrivals; };
  for (int i = 0; i < 1000; ++i) ours_->write("0123456789");
  ASSERT_TRUE(run_until([&] { return their_reader_.bytes.size() == 10'000; }));
  EXPECT_EQ(arrivals, 1);
}

TEST_F(RealPipeTest, EightMebibytesPassIntactBothWaysAtOnce) {
  start();
  const std::string bytes = pattern(8U << 20U);
  ours_->write(bytes);
  theirs_->write(bytes);
  ours_->close_write();
  theirs_->close_write();
  ASSERT_TRUE(run_until([&] { return our_reader_.ended && their_reader_.ended; }));
  EXPECT_TRUE(our_reader_.bytes == bytes);
  EXPECT_TRUE(their_reader_.bytes == bytes);
  EXPECT_EQ(ours_->queued_bytes(), 0U);
}

TEST_F(RealPipeTest, CloseWriteEndsOneDirectionAfterWhatIsQueued) {
  start();
  ours_->write("last");
  ours_->close_write();
  ours_->write("dropped");
  ASSERT_TRUE(run_until([&] { return their_reader_.ended; }));
  EXPECT_EQ(their_reader_.bytes, "last");
  EXPECT_FALSE(their_reader_.broken_by.has_value());
  theirs_->write("still open");
  EXPECT_TRUE(run_until([&] { return our_reader_.bytes == "still open"; }));
  EXPECT_FALSE(our_reader_.ended);
}

TEST_F(RealPipeTest, NothingIsCalledAfterClose) {
  start();
  theirs_->write("x");
  ours_->close();
  ours_->write("y");
  ours_->close_write();
  ours_->close();
  EXPECT_TRUE(run_until([&] { return their_reader_.ended; }));
  run_within(loop_, RealPipe::kLinger + milliseconds(50), [] { return false; });
  EXPECT_TRUE(our_reader_.bytes.empty());
  EXPECT_FALSE(our_reader_.ended);
}

TEST_F(RealPipeTest, WhatThePeerStillSaidArrivesBeforeAFailedWriteTells) {
  start();
  theirs_->write("goodbye");
  ASSERT_TRUE(run_until([&] { return theirs_->queued_bytes() == 0; }));
  theirs_->close();
  ours_->write("too late");
  ASSERT_TRUE(run_until([&] { return our_reader_.ended; }));
  EXPECT_EQ(our_reader_.bytes, "goodbye");
}

TEST_F(RealPipeTest, AFullQueueEndsTheStream) {
  ours_->start(our_reader_);
  const std::string mebibyte(1U << 20U, 'x');
  for (std::size_t i = 0; i <= limits::kWriteQueueBytesMax >> 20U; ++i) ours_->write(mebibyte);
  EXPECT_FALSE(our_reader_.ended);
  ASSERT_TRUE(run_until([&] { return our_reader_.ended; }));
  ASSERT_TRUE(our_reader_.broken_by.has_value());
  EXPECT_EQ(our_reader_.broken_by->code, ErrorCode::kLimitReached);
  EXPECT_EQ(ours_->queued_bytes(), 0U);
}

TEST_F(RealPipeTest, AReaderMayCloseOrDestroyThePipe) {
  start();
  our_reader_.on_more = [this] { ours_->close(); };
  their_reader_.on_ended = [this] { theirs_.reset(); };
  theirs_->write("x");
  EXPECT_TRUE(run_until([&] { return !theirs_.has_value(); }));
  EXPECT_FALSE(our_reader_.ended);
}

// The standard streams of another process, of every kind that it may find there.
class StandardStreamsTest : public testing::Test {
 protected:
  StandardStreamsTest() {
    std::string pattern_text =
        (std::filesystem::temp_directory_path() / "plumbline-streams-XXXXXX").string();
    root_ = mkdtemp(pattern_text.data());
  }
  ~StandardStreamsTest() override { std::filesystem::remove_all(root_); }

  // shell runs a script in which "$0" is a program that copies its stdin to its stdout, and "$1"
  // an empty folder. Returns how it ended; out_ and err_ are what it said.
  net::ExitStatus shell(const std::string& script) {
    auto child =
        spawner_.spawn(Command({"sh", "-c", script, BINARY_ROOT "/core/os/core_os_echo", root_}));
    EXPECT_TRUE(child.ok());
    RecordingReader reader;
    child.value()->stdio().start(reader);
    if (!input_.empty()) child.value()->stdio().write(input_);
    child.value()->stdio().close_write();
    EXPECT_TRUE(run_within(loop_, seconds(30), [&] {
      return reader.ended && child.value()->exit_status().has_value();
    }));
    out_ = reader.bytes;
    err_ = child.value()->stderr_tail();
    return child.value()->exit_status().value_or(net::ExitStatus{99, 0});
  }

  RealLoop loop_;
  RealSpawner spawner_{loop_};
  std::string root_;
  std::string input_;
  std::string out_;
  std::string err_;
};

TEST_F(StandardStreamsTest, PipesCarryEightMebibytesIntact) {
  input_ = pattern(8U << 20U);
  EXPECT_EQ(shell("exec \"$0\""), net::ExitStatus{});
  EXPECT_TRUE(out_ == input_);
  EXPECT_EQ(err_, "a stray print must not reach the stream\n");
}

TEST_F(StandardStreamsTest, FilesAreReadAndWritten) {
  RealFileStore store;
  const std::string bytes = pattern(1U << 20U);
  ASSERT_TRUE(store.write_file(root_ + "/in", bytes).ok());
  EXPECT_EQ(shell("exec \"$0\" < \"$1/in\" > \"$1/out\""), net::ExitStatus{});
  EXPECT_TRUE(store.read_file(root_ + "/out").value() == bytes);
}

TEST_F(StandardStreamsTest, DevNullAndClosedDescriptorsAreAtTheirEnd) {
  EXPECT_EQ(shell("exec \"$0\" < /dev/null > /dev/null"), net::ExitStatus{});
  EXPECT_EQ(shell("exec \"$0\" <&- >&-"), net::ExitStatus{});
  EXPECT_EQ(shell("exec \"$0\" <&- >&- 2>&-"), net::ExitStatus{});
}

TEST_F(StandardStreamsTest, AReaderThatGoesAwayEndsTheProgram) {
  // The inner shell keeps stdin open, so that only the failed write can end it.
  EXPECT_EQ(shell("{ yes | \"$0\"; echo \"status $?\" >&2; } | head -n 1"), net::ExitStatus{});
  EXPECT_EQ(out_, "y\n");
  EXPECT_NE(err_.find("Broken pipe"), std::string::npos);
  EXPECT_NE(err_.find("status 1\n"), std::string::npos);
}

TEST_F(StandardStreamsTest, OthersWhoShareTheStreamsKeepThemBlocking) {
  EXPECT_EQ(shell("\"$0\" < /dev/null; grep flags /proc/self/fdinfo/1"), net::ExitStatus{});
  EXPECT_EQ(out_, "flags:\t01\n");
}

}  // namespace
}  // namespace plumbline::os
