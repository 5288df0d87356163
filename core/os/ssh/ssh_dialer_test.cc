// SSH against servers of others: openssh-server, then dropbear.

#include "core/os/ssh/ssh_dialer.h"

#ifdef PLUMBLINE_LIBSSH

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/os/ssh/ssh_fixture.h"

namespace plumbline::os {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class OpensshTest : public SshTest {
 protected:
  void SetUp() override { start_openssh(); }
};

TEST_F(OpensshTest, CommandsRunOneAfterTheOtherOverOneConnection) {
  auto host = dial(access());
  ASSERT_TRUE(host.ok()) << host.error().message;
  const net::RemoteEnd end = run(*host.value(), "echo out; echo err >&2; exit 3");
  EXPECT_EQ(end.out, "out\n");
  EXPECT_EQ(end.err, "err\n");
  EXPECT_EQ(end.return_code, 3);
  EXPECT_FALSE(end.unknown) << end.unknown->message;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run(*host.value(), "exit 0").return_code, 0);
}

TEST_F(OpensshTest, OutputIsBoundedAndSaysSo) {
  auto host = dial(access());
  ASSERT_TRUE(host.ok()) << host.error().message;
  const net::RemoteEnd end = run(*host.value(), "head -c 3000000 /dev/zero", seconds(20), 1'000);
  EXPECT_EQ(end.out.size(), 1'000U);
  EXPECT_TRUE(end.truncated);
  EXPECT_EQ(end.return_code, 0);
}

TEST_F(OpensshTest, AnUnknownKeyIsRefused) {
  std::ofstream(path("known")) << "";
  const auto host = dial(access());
  ASSERT_FALSE(host.ok());
  EXPECT_EQ(host.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(host.error().message,
            "the key of 127.0.0.1 is not known: compare it with its owner's, "
            "and add it by hand (" +
                path("known") + ")");
  EXPECT_EQ(text_of(path("known")), "");
}

TEST_F(OpensshTest, AChangedKeyIsRefusedLoudly) {
  know(make_key("another"));
  const auto host = dial(access());
  ASSERT_FALSE(host.ok());
  EXPECT_TRUE(host.error().message.starts_with("THE KEY OF 127.0.0.1 HAS CHANGED"))
      << host.error().message;
}

TEST_F(OpensshTest, AKeyThatIsNotAuthorisedLetsNobodyIn) {
  make_key("stranger");
  net::RemoteAccess to = access();
  to.key_path = path("stranger");
  const auto host = dial(to);
  ASSERT_FALSE(host.ok());
  EXPECT_TRUE(host.error().message.starts_with("nobody is let in at 127.0.0.1"))
      << host.error().message;
  to.key_path = path("none");
  EXPECT_EQ(dial(to).error().message, "cannot read the key " + path("none"));
}

TEST_F(OpensshTest, AnAliasOfTheConfigurationIsFollowed) {
  std::ofstream(path("config")) << "Host prod\n  HostName 127.0.0.1\n  Port " << port_ << "\n";
  net::RemoteAccess to = access();
  to.host = "prod";
  to.port = 0;
  to.config_path = path("config");
  auto host = dial(to);
  ASSERT_TRUE(host.ok()) << host.error().message;
  EXPECT_EQ(run(*host.value(), "echo there").out, "there\n");
}

TEST_F(OpensshTest, ACommandThatTakesTooLongIsOfUnknownOutcome) {
  auto host = dial(access());
  ASSERT_TRUE(host.ok()) << host.error().message;
  const net::RemoteEnd end = run(*host.value(), "echo up; sleep 300", milliseconds(500));
  EXPECT_EQ(end.out, "up\n");
  ASSERT_TRUE(end.unknown);
  EXPECT_EQ(end.unknown->code, ErrorCode::kDeadlineExceeded);
}

TEST_F(OpensshTest, AConnectionThatIsLostInTheMiddleIsOfUnknownOutcome) {
  auto host = dial(access());
  ASSERT_TRUE(host.ok()) << host.error().message;
  // The server's process of this connection is the parent of the shell.
  const net::RemoteEnd end =
      run(*host.value(), "echo up; sleep 0.2; kill -9 $PPID; sleep 5", seconds(15));
  EXPECT_EQ(end.out, "up\n");
  ASSERT_TRUE(end.unknown);
  EXPECT_EQ(end.unknown->code, ErrorCode::kDisconnected) << end.unknown->message;
}

TEST_F(OpensshTest, WhereNobodyListensIsNotReached) {
  net::RemoteAccess to = access();
  to.port = free_port();
  const auto host = dial(to);
  ASSERT_FALSE(host.ok());
  EXPECT_EQ(host.error().code, ErrorCode::kDisconnected) << host.error().message;
}

}  // namespace
}  // namespace plumbline::os

#endif
