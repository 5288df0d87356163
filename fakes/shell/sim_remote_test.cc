#include "fakes/shell/sim_remote.h"

#include <chrono>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/check.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;

class SimRemoteTest : public testing::Test {
 protected:
  Result<std::unique_ptr<net::RemoteHost>> connect(const std::string& host) {
    net::RemoteAccess access;
    access.host = host;
    auto task = remote_.connect(std::move(access), deadline());
    check(loop_.run_task(task).ok(), "the connection hangs");
    return std::move(task.result());
  }

  Result<net::RemoteEnd> run(const std::string& host, std::string line) {
    const auto connected = connect(host);
    if (!connected.ok()) return connected.error();
    auto task = connected.value()->run(std::move(line), deadline(), 8);
    check(loop_.run_task(task).ok(), "the command hangs");
    return std::move(task.result());
  }

  Instant deadline() { return after(loop_.now(), milliseconds(100)); }

  SimLoop loop_;
  EventLog events_;
  SimRemote remote_{loop_, Rng(1), events_};
};

TEST_F(SimRemoteTest, ACommandRunsAndIsCut) {
  remote_.add("prod", {.latency = milliseconds(5)}).add({"df"}, {.out = "0123456789"});
  const auto end = run("prod", "'df' '-h'");
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end.value().out, "01234567");
  EXPECT_TRUE(end.value().truncated);
  EXPECT_EQ(end.value().return_code, 0);
  EXPECT_EQ(run("prod", "'gone'").value().return_code, 127);
}

TEST_F(SimRemoteTest, NobodyIsLetInWhoseKeyIsNotTheKnownOne) {
  remote_.add("new", {.key = HostKey::kUnknown});
  remote_.add("other", {.key = HostKey::kChanged});
  remote_.add("down", {.unreachable = true});
  remote_.add("slow", {.latency = milliseconds(80)});
  EXPECT_EQ(connect("new").error().code, ErrorCode::kInvalidInput);
  EXPECT_NE(connect("other").error().message.find("ANOTHER"), std::string::npos);
  EXPECT_EQ(connect("down").error().code, ErrorCode::kDisconnected);
  EXPECT_EQ(connect("nowhere").error().code, ErrorCode::kDisconnected);
  EXPECT_EQ(connect("slow").error().code, ErrorCode::kDeadlineExceeded);
}

TEST_F(SimRemoteTest, WhatIsCutOffGoesOnThere) {
  FakeShell& there = remote_.add("prod", {.drops = milliseconds(10)});
  there.add({"df"}, {.takes = milliseconds(50)});
  const auto end = run("prod", "'df'");
  ASSERT_TRUE(end.ok() && end.value().unknown);
  EXPECT_EQ(end.value().unknown->code, ErrorCode::kDisconnected);
  EXPECT_EQ(there.at_work(), 1U);
  check(loop_.run_until_idle(1'000).ok(), "it ends by itself");
  EXPECT_EQ(there.at_work(), 0U);
}

TEST_F(SimRemoteTest, WhatDoesNotEndInTimeIsUnknown) {
  remote_.add("prod", {}).add({"df"}, {.hangs = true});
  EXPECT_EQ(run("prod", "'df'").value().unknown->code, ErrorCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace plumbline::fakes
