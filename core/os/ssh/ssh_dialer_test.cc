// SSH against servers of others: openssh-server, then dropbear.

#include "core/os/ssh/ssh_dialer.h"

#ifdef PLUMBLINE_LIBSSH

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(*host.value(), "exit 0").return_code, 0);
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

TEST_F(OpensshTest, TheKeysOfAnAgentSignInWhereNoOtherIsNamed) {
  const std::string agent = path("agent");
  auto process = spawner_.spawn(net::Command({"ssh-agent", "-D", "-a", agent}));
  ASSERT_TRUE(process.ok());
  ASSERT_TRUE(run_within(loop_, seconds(10), [&] { return RealPaths().real_path(agent).ok(); }));
  net::Command add({"ssh-add", "-q", path("user")});
  add.env = {{"SSH_AUTH_SOCK", agent}};
  auto adding = spawner_.spawn(add);
  ASSERT_TRUE(adding.ok());
  run_within(loop_, seconds(10), [&] { return adding.value()->exit_status().has_value(); });
  setenv("SSH_AUTH_SOCK", agent.c_str(), 1);
  net::RemoteAccess to = access();
  to.key_path.clear();
  auto host = dial(to);
  unsetenv("SSH_AUTH_SOCK");
  ASSERT_TRUE(host.ok()) << host.error().message;
  EXPECT_EQ(run(*host.value(), "echo in").out, "in\n");
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

// Each of these had libssh take any key, look for it elsewhere, or start a program.
const std::vector<std::string> kCareless = {
    "Host *\n  StrictHostKeyChecking no\n",
    "StrictHostKeyChecking=off\nUserKnownHostsFile /dev/null\n",
    "Host *\n  StrictHostKeyChecking accept-new\n  GlobalKnownHostsFile KNOWN\n",
    "Host *\n  UserKnownHostsFile KNOWN\n  StrictHostKeyChecking ask\n",
    "Host *\n  HostKeyAlias other\n  StrictHostKeyChecking no\n  NoHostAuthenticationForLocalhost "
    "yes\n",
    "Match exec \"touch TOUCHED\"\n  StrictHostKeyChecking no\n",
    "Include MORE\n",
};

TEST_F(OpensshTest, NoConfigurationTurnsTheCheckOfTheHostKeyOff) {
  const std::string others = make_key("another");
  for (const std::string& text : kCareless) {
    std::string config = text;
    for (const auto& [word, file] :
         {std::pair("KNOWN", path("elsewhere")), std::pair("TOUCHED", path("touched")),
          std::pair("MORE", path("more"))}) {
      const std::size_t at = config.find(word);
      if (at != std::string::npos) config.replace(at, std::string(word).size(), file);
    }
    std::ofstream(path("config")) << config;
    std::ofstream(path("more")) << "StrictHostKeyChecking no\n";
    std::ofstream(path("elsewhere")) << "[127.0.0.1]:" << port_ << " " << host_key_ << "\n"
                                     << "other " << host_key_ << "\n";
    net::RemoteAccess to = access();
    to.config_path = path("config");
    know(others);
    const auto changed = dial(to);
    ASSERT_FALSE(changed.ok()) << config;
    EXPECT_TRUE(changed.error().message.starts_with("THE KEY OF 127.0.0.1 HAS CHANGED"))
        << config << changed.error().message;
    std::ofstream(path("known")) << "";
    const auto unknown = dial(to);
    ASSERT_FALSE(unknown.ok()) << config;
    EXPECT_TRUE(unknown.error().message.starts_with("the key of 127.0.0.1 is not known"))
        << config << unknown.error().message;
    know(host_key_);
    EXPECT_TRUE(dial(to).ok()) << config;
    EXPECT_FALSE(RealPaths().real_path(path("touched")).ok()) << config;
  }
}

TEST_F(OpensshTest, ARevokedKeyIsRefusedThoughItIsKnown) {
  std::ofstream(path("known"), std::ios::app) << "@revoked * " << host_key_ << "\n";
  const auto host = dial(access());
  ASSERT_FALSE(host.ok());
  EXPECT_TRUE(host.error().message.starts_with("THE KEY OF 127.0.0.1 IS REVOKED"))
      << host.error().message;
}

TEST_F(OpensshTest, AProxyIsNotStarted) {
  std::ofstream(path("config")) << "Host *\n  ProxyCommand touch " << path("touched") << "\n";
  net::RemoteAccess to = access();
  to.config_path = path("config");
  const auto host = dial(to);
  ASSERT_FALSE(host.ok());
  EXPECT_EQ(host.error().message,
            path("config") +
                ":2: 127.0.0.1 is reached by ProxyCommand, which is not supported: "
                "name a host that can be reached directly");
  EXPECT_FALSE(RealPaths().real_path(path("touched")).ok());
}

TEST_F(OpensshTest, ACommandThatTakesTooLongIsOfUnknownOutcome) {
  auto host = dial(access());
  ASSERT_TRUE(host.ok()) << host.error().message;
  net::RemoteEnd end;
  // It gets more time where it did not come to say something.
  for (Duration timeout = milliseconds(250); end.out.empty() && timeout < seconds(30);
       timeout *= 2) {
    end = run(*host.value(), "echo up; sleep 300", timeout);
  }
  EXPECT_EQ(end.out, "up\n");
  ASSERT_TRUE(end.unknown);
  EXPECT_EQ(end.unknown->code, ErrorCode::kDeadlineExceeded);
}

TEST_F(OpensshTest, AConnectionThatIsLostInTheMiddleIsOfUnknownOutcome) {
  auto host = dial(access());
  ASSERT_TRUE(host.ok()) << host.error().message;
  // The server's process of this connection is the parent of the shell.
  const net::RemoteEnd end = run(*host.value(), "kill -9 $PPID; sleep 5", seconds(15));
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

// Dropbear, which is not OpenSSH's code, with a key of its own kind of file.
class DropbearTest : public SshTest {
 protected:
  void SetUp() override {
    if (!RealPaths().is_program("/usr/sbin/dropbear")) GTEST_SKIP() << "no dropbear";
    output_of({"dropbearkey", "-t", "ed25519", "-f", path("host")});
    const std::string said = output_of({"dropbearkey", "-y", "-f", path("host")});
    const std::size_t begin = said.find("ssh-ed25519 ");
    ASSERT_NE(begin, std::string::npos) << said;
    host_key_ = said.substr(begin, said.find(' ', begin + 12) - begin);
    port_ = free_port();
    start_server({"/usr/sbin/dropbear", "-F", "-E", "-r", path("host"), "-P", path("pid"), "-p",
                  "127.0.0.1:" + std::to_string(port_)});
  }
};

// It takes authorised keys from the home of the user alone, which is nothing for a test to write
// to: here the host is checked, and the sign-in is refused by a server of others.
TEST_F(DropbearTest, ItsKeyIsCheckedAndAStrangerIsNotLetIn) {
  make_key("user");
  const auto stranger = dial(access());
  ASSERT_FALSE(stranger.ok());
  EXPECT_TRUE(stranger.error().message.starts_with("nobody is let in at 127.0.0.1"))
      << stranger.error().message;
  know(make_key("another"));
  const auto changed = dial(access());
  ASSERT_FALSE(changed.ok());
  EXPECT_TRUE(changed.error().message.starts_with("THE KEY OF 127.0.0.1 HAS CHANGED"))
      << changed.error().message;
}

}  // namespace
}  // namespace plumbline::os

#endif
