#include "core/os/child/real_spawner.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/os/child/environment.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::os {
namespace {

using net::Child;
using net::Command;
using std::chrono::seconds;

class RealSpawnerTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Child>> spawn(std::vector<std::string> argv) {
    return spawner_.spawn(Command(std::move(argv)));
  }

  // output_of returns what a command says, with its stdin at its end.
  std::string output_of(const Command& command) {
    Result<std::unique_ptr<Child>> child = spawner_.spawn(command);
    if (!child.ok()) return "error: " + child.error().message;
    RecordingReader reader;
    child.value()->stdio().start(reader);
    child.value()->stdio().close_write();
    if (!run_within(loop_, seconds(10), [&] { return reader.ended; })) return "error: no end";
    return reader.bytes;
  }

  std::string shell(const std::string& script) { return output_of(Command({"sh", "-c", script})); }

  RealLoop loop_;
  RealSpawner spawner_{loop_};
};

TEST_F(RealSpawnerTest, AProgramIsFoundInPathAndGetsItsArguments) {
  EXPECT_EQ(output_of(Command({"printf", "<%s>", "a b", "$HOME", "*"})), "<a b><$HOME><*>");
}

TEST_F(RealSpawnerTest, AMissingProgramIsNamed) {
  const auto child = spawn({"no-such-program-anywhere", "x"});
  ASSERT_FALSE(child.ok());
  EXPECT_EQ(child.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(child.error().message, "no program \"no-such-program-anywhere\" in PATH");
}

TEST_F(RealSpawnerTest, WhatCannotBeStartedIsNamedWithItsReason) {
  EXPECT_EQ(spawn({"/no/such/program"}).error().message,
            "cannot start \"/no/such/program\": No such file or directory");
  EXPECT_EQ(spawn({"/etc/passwd"}).error().message,
            "cannot start \"/etc/passwd\": Permission denied");
  EXPECT_EQ(spawn({"/"}).error().message, "cannot start \"/\": Permission denied");
  EXPECT_EQ(spawn({}).error().message, "the command is empty");
  EXPECT_EQ(spawn({""}).error().message, "the command is empty");
  EXPECT_EQ(spawn({"printf", std::string("a\0b", 3)}).error().message,
            "an argument holds a NUL byte");
}

TEST_F(RealSpawnerTest, AMissingFolderIsNamed) {
  Command command({"pwd"});
  command.cwd = "/no/such/folder";
  EXPECT_EQ(output_of(command), "error: no folder \"/no/such/folder\" to start in");
  command.cwd = "/usr";
  EXPECT_EQ(output_of(command), "/usr\n");
}

TEST_F(RealSpawnerTest, OnlyASmallEnvironmentIsInherited) {
  setenv("PLUMBLINE_TEST_SECRET", "hunter2", 1);
  setenv("LC_TIME", "C", 1);
  Command command({"/usr/bin/env"});
  command.env = {{"GIVEN", "a b=c"}, {"HOME", "/elsewhere"}};
  const std::string env = output_of(command);
  unsetenv("PLUMBLINE_TEST_SECRET");
  EXPECT_EQ(env.find("hunter2"), std::string::npos);
  EXPECT_NE(env.find("GIVEN=a b=c\n"), std::string::npos);
  EXPECT_NE(env.find("HOME=/elsewhere\n"), std::string::npos);
  EXPECT_NE(env.find("LC_TIME=C\n"), std::string::npos);
  EXPECT_NE(env.find("PATH="), std::string::npos);
  command.env = {{"A=B", "x"}};
  EXPECT_EQ(output_of(command), "error: the variable \"A=B\" cannot be set");
}

TEST_F(RealSpawnerTest, TheProgramIsLookedUpInThePathOfTheChild) {
  Command command({"printf", "x"});
  command.env = {{"PATH", "/no/such/folder"}};
  EXPECT_EQ(output_of(command), "error: no program \"printf\" in PATH");
}

TEST_F(RealSpawnerTest, AChildHasNoDescriptorOfOursButItsThree) {
  const int leaky = open("/dev/null", O_RDONLY);  // On purpose without O_CLOEXEC.
  ASSERT_GE(leaky, 0);
  // ls opens one more to read the folder.
  EXPECT_EQ(output_of(Command({"ls", "/proc/self/fd"})), "0\n1\n2\n3\n");
  close(leaky);
}

TEST_F(RealSpawnerTest, AChildStartsWithDefaultSignals) {
  sigset_t block;
  sigset_t before;
  sigemptyset(&block);
  sigaddset(&block, SIGUSR1);
  sigprocmask(SIG_BLOCK, &block, &before);
  // A bit a signal, the lowest is 1. The C library keeps 32 and 33 to itself.
  const std::string status =
      shell("sed -n 's/^Sig\\(Blk\\|Ign\\):.*\\(.......\\)$/\\1 \\2/p' /proc/self/status");
  sigprocmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(status, "Blk 0000000\nIgn 0000000\n");
}

TEST_F(RealSpawnerTest, AChildLeadsItsOwnGroup) {
  // Field 5 of stat is the group.
  EXPECT_EQ(shell("set -- $(cat /proc/$$/stat); [ $1 = $5 ] && echo leader"), "leader\n");
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}

TEST_F(RealSpawnerTest, TwoHundredChildrenLeaveNoDescriptorAndNoZombie) {
  EXPECT_EQ(shell("exit 0"), "");
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 200; ++i) {
    auto child = spawn({"cat"});
    ASSERT_TRUE(child.ok());
    EXPECT_FALSE(spawn({"no-such-program-anywhere"}).ok());
    EXPECT_FALSE(spawn({"/no/such/program"}).ok());
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(EnvironmentTest, AnUnsetVariableIsNothing) {
  setenv("PLUMBLINE_TEST_EMPTY", "", 1);
  EXPECT_EQ(environment_variable("PLUMBLINE_TEST_EMPTY"), "");
  unsetenv("PLUMBLINE_TEST_EMPTY");
  EXPECT_EQ(environment_variable("PLUMBLINE_TEST_EMPTY"), std::nullopt);
}

}  // namespace
}  // namespace plumbline::os
