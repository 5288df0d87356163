// The sandbox with real processes, and every way out of it that we know, tried from inside by root
// and by a user.

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/command_line/run/command_runner.h"
#include "core/agents/command_line/run/sandbox.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/outside_fixture.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::agents::command_line {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kBubblewrap = "/usr/bin/bwrap";

class SandboxTest : public testing::Test {
 protected:
  SandboxTest() { std::filesystem::permissions(folder_.path(), std::filesystem::perms::all); }

  void SetUp() override {
    if (!paths_.is_program(kBubblewrap)) GTEST_SKIP() << "no bubblewrap";
    const CommandResult probe = run_boxed("true");
    if (probe.status != CommandStatus::kSuccess) GTEST_SKIP() << "no namespaces: " << probe.err;
  }

  net::Command shell(std::string line) const {
    net::Command command({"sh", "-c", std::move(line)});
    command.program = "/bin/sh";
    command.cwd = folder_.path();
    command.inherits = false;
    command.env = {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}, {"HOME", "/home/somebody"}};
    return command;
  }

  CommandResult run(net::Command command, Duration timeout = seconds(20)) {
    CommandRunner runner(loop_, spawner_, {.grace = milliseconds(100)});
    Task<CommandResult> task = runner.run(std::move(command), "x", timeout);
    task.start();
    EXPECT_TRUE(os::run_within(loop_, seconds(60), [&task] { return task.done(); }));
    return std::move(task.result());
  }
  CommandResult run_boxed(std::string line, Duration timeout = seconds(20)) {
    return run(sandboxed(shell(std::move(line)), kBubblewrap), timeout);
  }

  os::RealLoop loop_;
  os::RealSpawner spawner_{loop_};
  os::RealPaths paths_;
  os::TemporaryFolder folder_ = std::move(os::TemporaryFolder::make()).value();
};

TEST_F(SandboxTest, OnlyItsFolderCanBeWritten) {
  EXPECT_EQ(run_boxed("echo x > here && cat here").out, "x\n");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/here"));
  const CommandResult outside = run_boxed("echo x > /usr/plumbline-test");
  EXPECT_EQ(outside.status, CommandStatus::kError);
  EXPECT_NE(outside.err.find("Read-only file system"), std::string::npos) << outside.err;
  EXPECT_EQ(run_boxed("echo x > /tmp/plumbline-test; ls /tmp | grep -c plumbline-test").out, "1\n");
  EXPECT_FALSE(std::filesystem::exists("/tmp/plumbline-test"));
}

TEST_F(SandboxTest, ThereIsNoNetworkAndNoOtherProcess) {
  EXPECT_EQ(run_boxed("grep -c : /proc/net/dev").out, "1\n");         // The loopback.
  EXPECT_EQ(run_boxed("ls -d /proc/[0-9]* | wc -l").out.size(), 2U);  // Fewer than ten.
}

TEST_F(SandboxTest, NothingOutlivesItWhateverItDoes) {
  const std::string alive = folder_.path() + "/alive";
  for (Duration timeout = milliseconds(200); !std::filesystem::exists(alive); timeout *= 2) {
    ASSERT_LT(timeout, seconds(30));
    const CommandResult result = run_boxed(
        "setsid sh -c 'trap \"\" TERM; while :; do echo x >> alive; sleep 0.02; done' & sleep 300",
        timeout);
    EXPECT_EQ(result.status, CommandStatus::kTimeout);
  }
  const auto size = std::filesystem::file_size(alive);
  os::run_within(loop_, milliseconds(200), [] { return false; });
  EXPECT_EQ(std::filesystem::file_size(alive), size);
}

TEST_F(SandboxTest, AProgramOfAnotherPlaceIsThereAndWhatLiesBesideItIsNot) {
  const os::TemporaryFolder elsewhere = std::move(os::TemporaryFolder::make()).value();
  const std::string program = elsewhere.path() + "/program";
  std::ofstream(program) << "#!/bin/sh\necho it ran, and beside it:; ls \"${0%/*}\"\n";
  std::ofstream(elsewhere.path() + "/secret") << "s";
  std::filesystem::permissions(program, std::filesystem::perms::all);
  net::Command command = shell("");
  command.argv = {"program"};
  command.program = program;
  EXPECT_EQ(run(sandboxed(command, kBubblewrap)).out, "it ran, and beside it:\nprogram\n");
}

TEST_F(SandboxTest, WithoutAFolderOfItsOwnNothingCanBeWrittenButTmp) {
  net::Command command = shell("touch /x || ls / | tr '\\n' ' '; ls -A /home/somebody");
  command.cwd = "/";
  const std::string out = run(sandboxed(command, kBubblewrap)).out;
  EXPECT_EQ(out.find("root"), std::string::npos) << out;
  EXPECT_NE(out.find("usr"), std::string::npos) << out;
}

// What a test suite needs of sockets is there.
TEST_F(SandboxTest, ItMayTalkToItself) {
  const char* const line =
      "perl -MSocket -e '"
      "socket(L,AF_INET,SOCK_STREAM,0) && bind(L,sockaddr_in(0,INADDR_LOOPBACK)) && listen(L,1); "
      "socket(S,AF_INET,SOCK_STREAM,0) && connect(S,getsockname(L)) and print \"tcp \"; "
      "socketpair(A,B,AF_UNIX,SOCK_STREAM,0) && syswrite(A,\"x\") and print \"pair\"'";
  EXPECT_EQ(run_boxed(line).out, "tcp pair");
}

// Escape is one way out. The line prints ESCAPED where it is open. OUT stands for a folder of
// somebody else, PID for a process, PORT and KEY for a port and a shared memory outside.
struct Escape {
  const char* name;
  const char* line;

  // Who gets out by it where no sandbox is: so that what is tried is known to be one. Nobody where
  // trying it would harm the machine, or where the machine may lack what it needs.
  enum { kNobody, kRoot, kAnybody } outside;
};

void PrintTo(const Escape& escape, std::ostream* out) { *out << escape.name; }

constexpr Escape kEscapes[] = {
    {"remounts_the_root", "mount -o remount,rw,bind / && echo ESCAPED", Escape::kNobody},
    {"remounts_usr", "mount -o remount,rw,bind /usr && echo ESCAPED", Escape::kNobody},
    {"mounts", "mkdir m; mount -t tmpfs none m && umount m && echo ESCAPED", Escape::kRoot},
    {"writes_usr", "touch /usr/escaped && rm /usr/escaped && echo ESCAPED", Escape::kRoot},
    {"writes_etc", "touch /etc/escaped && rm /etc/escaped && echo ESCAPED", Escape::kRoot},
    {"writes_through_a_link", "ln -sf OUT/file l; echo x >> l && echo ESCAPED", Escape::kAnybody},
    {"links_hard", "ln OUT/file hard && echo ESCAPED", Escape::kNobody},
    {"reads_others_files", "grep -q . OUT/file && echo ESCAPED", Escape::kAnybody},
    {"reads_shadow", "grep -q . /etc/shadow && echo ESCAPED", Escape::kRoot},
    {"reads_roots_home", "ls -A ~root | grep -q . && echo ESCAPED", Escape::kNobody},
    {"sets_the_kernel",
     "f=/proc/sys/kernel/printk_ratelimit; v=$(cat $f); echo $v > $f && echo ESCAPED",
     Escape::kRoot},
    {"presses_sysrq", "test -w /proc/sysrq-trigger && echo ESCAPED", Escape::kNobody},
    {"unix_socket",
     "perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0); connect(S,sockaddr_un(\"OUT/socket\")) "
     "and print \"ESCAPED\"'",
     Escape::kAnybody},
    {"abstract_socket",
     "perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0); "
     "connect(S,pack(\"S a*\",AF_UNIX,\"\\0OUT\")) and print \"ESCAPED\"'",
     Escape::kAnybody},
    {"a_socket_in_its_folder",
     "perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0); connect(S,sockaddr_un(\"socket\")) "
     "and print \"ESCAPED\"'",
     Escape::kAnybody},
    {"datagrams_to_its_folder",
     "perl -MSocket -e 'socket(S,AF_UNIX,SOCK_DGRAM,0); send(S,\"x\",0,sockaddr_un(\"datagrams\")) "
     "and print \"ESCAPED\"'",
     Escape::kAnybody},
    {"datagrams_of_a_pair",
     "perl -MSocket -e 'socketpair(A,B,AF_UNIX,SOCK_DGRAM,0); "
     "send(A,\"x\",0,sockaddr_un(\"datagrams\")) and print \"ESCAPED\"'",
     Escape::kAnybody},
    {"raw_datagrams_of_a_pair",
     "perl -MSocket -e 'socketpair(A,B,AF_UNIX,SOCK_RAW,0); "
     "send(A,\"x\",0,sockaddr_un(\"datagrams\")) and print \"ESCAPED\"'",
     Escape::kAnybody},
    {"sockets_of_the_machine_below",
     "perl -MSocket -e 'socket(S,40,SOCK_STREAM,0) and print \"ESCAPED\"'", Escape::kNobody},
    {"sockets_of_the_kernel",
     "perl -MSocket -e 'socket(S,38,SOCK_SEQPACKET,0) and print \"ESCAPED\"'", Escape::kNobody},
    {"packets", "perl -MSocket -e 'socket(S,17,SOCK_RAW,0) and print \"ESCAPED\"'", Escape::kRoot},
    {"sockets_by_rings",
     "perl -e '$p = \"\\0\" x 120; syscall(425,4,$p) >= 0 and print \"ESCAPED\"'", Escape::kNobody},
    {"sockets_by_another_number",
     "[ $(uname -m) = x86_64 ] && "
     "perl -e 'syscall(0x40000029,1,1,0) >= 0 and print \"ESCAPED\"'",
     Escape::kNobody},
    {"loopback",
     "perl -MSocket -e 'socket(S,AF_INET,SOCK_STREAM,0); "
     "connect(S,sockaddr_in(PORT,inet_aton(\"127.0.0.1\"))) and print \"ESCAPED\"'",
     Escape::kAnybody},
    {"what_runs_has_sockets", "ls -A /run | grep -q . && echo ESCAPED", Escape::kNobody},
    {"signals_others", "kill -0 PID && echo ESCAPED", Escape::kRoot},
    {"sees_others", "test -e /proc/PID/cmdline && echo ESCAPED", Escape::kAnybody},
    {"reads_others_environment", "cat /proc/PID/environ > /dev/null && echo ESCAPED",
     Escape::kRoot},
    {"traces_others",
     "n=101; [ $(uname -m) = aarch64 ] && n=117; "
     "perl -e \"syscall($n,16,PID,0,0) == 0 and print 'ESCAPED'\"",
     Escape::kNobody},
    {"types_into_the_terminal",
     "perl -e '$c = \"x\"; for (\"/dev/tty\", \"/dev/stdin\") { open(T, \"+<\", $_) and "
     "ioctl(T, 0x5412, $c) and print \"ESCAPED\" }'",
     Escape::kNobody},
    {"makes_a_device", "mknod d b 7 0 && echo ESCAPED", Escape::kRoot},
    {"opens_disks_and_memory",
     "for d in mem kmem port kmsg vda sda nvme0n1 kvm fuse; do test -e /dev/$d && echo ESCAPED; "
     "done",
     Escape::kNobody},
    {"changes_the_root", "perl -e 'mkdir \"c\"; chroot(\"c\") and print \"ESCAPED\"'",
     Escape::kRoot},
    {"user_namespace", "unshare -U true && echo ESCAPED", Escape::kNobody},
    {"network_namespace", "unshare -n true && echo ESCAPED", Escape::kRoot},
    {"names_the_machine", "hostname escaped && echo ESCAPED", Escape::kNobody},
    {"shared_memory", "perl -e 'defined(shmget(KEY,1,0)) and print \"ESCAPED\"'", Escape::kAnybody},
    {"setuid_programs", "grep -q 'NoNewPrivs:.1' /proc/self/status || echo ESCAPED",
     Escape::kAnybody},
    {"capabilities",
     "grep Cap /proc/self/status | grep -v 0000000000000000 | grep -q . && echo ESCAPED",
     Escape::kAnybody},
    {"the_systems_tree", "test -e /sys/kernel && echo ESCAPED", Escape::kNobody},
    {"descriptors_left_open", "ls -l /proc/self/fd | grep -q -e OUT -e 'socket:.*' && echo ESCAPED",
     Escape::kNobody},
    {"leaves_by_its_folder", "cat ../*/file 2>/dev/null | grep -q . && echo ESCAPED",
     Escape::kAnybody},
};

class SandboxEscapeTest : public SandboxTest,
                          public testing::WithParamInterface<std::tuple<bool, Escape>> {
 protected:
  static bool as_user() { return std::get<0>(GetParam()); }

  SandboxEscapeTest() { outside_.listen_in(folder_.path()); }

  // is_open returns whether the way is open to a command, in a sandbox or without.
  bool is_open(bool boxed) {
    net::Command command = shell(line() + " 2>/dev/null");
    if (boxed) command = sandboxed(std::move(command), kBubblewrap);
    if (as_user()) {
      const std::vector<std::string> user = {"setpriv", "--reuid=65534", "--regid=65534",
                                             "--clear-groups", command.program};
      command.argv.erase(command.argv.begin());
      command.argv.insert(command.argv.begin(), user.begin(), user.end());
      command.program = "/usr/bin/setpriv";
    }
    const CommandResult result = run(std::move(command));
    EXPECT_EQ(result.err.find("bwrap:"), std::string::npos) << result.err;
    return result.out.find("ESCAPED") != std::string::npos;
  }

 private:
  std::string line() const {
    std::string line = "{ " + std::string(std::get<1>(GetParam()).line) + "; }";
    const std::pair<std::string, std::string> names[] = {
        {"OUT", outside_.path()},
        {"PID", std::to_string(::getpid())},
        {"PORT", std::to_string(outside_.port())},
        {"KEY", std::to_string(os::OutsideFixture::key())}};
    for (const auto& [name, value] : names) {
      for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at)) {
        line.replace(at, name.size(), value);
        at += value.size();
      }
    }
    return line;
  }

  os::OutsideFixture outside_;
};

TEST_P(SandboxEscapeTest, IsNoWayOut) {
  if (as_user() && ::getuid() != 0) GTEST_SKIP() << "only root can be another user";
  const Escape& escape = std::get<1>(GetParam());
  const bool root = ::getuid() == 0 && !as_user();
  EXPECT_FALSE(is_open(true));
  const bool works =
      escape.outside == Escape::kAnybody || (escape.outside == Escape::kRoot && root);
  if (works) {
    EXPECT_TRUE(is_open(false)) << "this would not have been a way out";
  }
}

INSTANTIATE_TEST_SUITE_P(All, SandboxEscapeTest,
                         testing::Combine(testing::Bool(), testing::ValuesIn(kEscapes)),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param) ? "by_a_user_" : "by_us_") +
                                  std::get<1>(of.param).name;
                         });

}  // namespace
}  // namespace plumbline::agents::command_line
