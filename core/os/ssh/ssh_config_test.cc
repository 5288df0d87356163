#include "core/os/ssh/ssh_config.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/os/files/temporary_folder.h"

namespace plumbline::os {
namespace {

class SshConfigTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }

  // found returns "user@host:port" of `alias`, or the error without the folder's name.
  std::string found(const std::string& alias) const {
    const Result<SshPlace> place = find_ssh_place(path("config"), alias);
    if (!place.ok()) return place.error().message.substr(folder_.path().size() + 1);
    const SshPlace& at = place.value();
    return at.user + "@" + at.host + ":" + std::to_string(at.port);
  }

  TemporaryFolder folder_ = std::move(TemporaryFolder::make()).value();
};

TEST_F(SshConfigTest, TheFirstValueHolds) {
  write("config",
        "# all\n"
        "Host prod p?d !pad\n\tHostName=10.0.0.7\n  Port = 2222\n"
        "host *\n  User \"op erator\"\n  Port 22\n  hostname %h.example\n");
  EXPECT_EQ(found("prod"), "op erator@10.0.0.7:2222");
  EXPECT_EQ(found("PoD"), "op erator@10.0.0.7:2222");
  EXPECT_EQ(found("pad"), "op erator@pad.example:22");
  EXPECT_EQ(found("box"), "op erator@box.example:22");
}

TEST_F(SshConfigTest, WithoutAFileAHostIsItself) { EXPECT_EQ(found("box"), "@box:0"); }

TEST_F(SshConfigTest, NothingOfItStartsAProgram) {
  const std::string touched = path("touched");
  write("config", "Match exec \"touch " + touched +
                      "\"\n  HostName evil.example\n"
                      "Match host box exec \"touch " +
                      touched +
                      "\"\n  HostName evil.example\n"
                      "Match all\n  User me\n");
  EXPECT_EQ(found("box"), "me@box:0");
  EXPECT_FALSE(std::filesystem::exists(touched));
}

TEST_F(SshConfigTest, AProxyIsRefusedUnlessItIsNone) {
  write("config",
        "Host near\n  ProxyJump none\n"
        "Host far\n  ProxyJump bastion\n"
        "Host *\n  ProxyCommand nc %h %p\n");
  EXPECT_EQ(found("near"), "@near:0");
  EXPECT_EQ(found("far"),
            "config:4: far is reached by ProxyJump, which is not supported: name a host that can "
            "be reached directly");
  EXPECT_TRUE(found("box").starts_with("config:6: box is reached by ProxyCommand"));
}

TEST_F(SshConfigTest, MatchTakesHostsAndWhatItDoesNotKnowDoesNotHold) {
  write("config",
        "Host a\n  HostName b.example\n"
        "Match host b.example,c\n  Port 1\n"
        "Match originalhost a\n  User u\n"
        "Match user root\n  User v\n"
        "Match host *,!b.example\n  Port 2\n");
  EXPECT_EQ(found("a"), "u@b.example:1");
  EXPECT_EQ(found("c"), "@c:1");
  EXPECT_EQ(found("d"), "@d:2");
}

TEST_F(SshConfigTest, FilesAreIncludedInTheOrderOfTheirNames) {
  std::filesystem::create_directory(path("config.d"));
  write("config", "Include config.d/* none\nHost *\n  Port 3\n");
  write("config.d/1", "Host a\n  Port 1\nHost never\n");
  write("config.d/2", "Host *\n  User two\n  Port 2\n");
  write("config.d/.hidden", "User hidden\n");
  EXPECT_EQ(found("a"), "two@a:1");
  EXPECT_EQ(found("b"), "two@b:2");
  write("config.d/2", "Include ../config\n");
  EXPECT_TRUE(found("z").find("too many files are included") != std::string::npos) << found("z");
}

TEST_F(SshConfigTest, WhatCannotBeReadIsRefused) {
  write("config", "\nHost *\nPort 70000\n");
  EXPECT_EQ(found("a"), "config:3: Port is none of 1 to 65535");
  write("config", "Host \"a\n");
  EXPECT_EQ(found("a"), "config:1: a quote is not closed");
}

}  // namespace
}  // namespace plumbline::os
