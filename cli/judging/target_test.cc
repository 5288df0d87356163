#include "cli/judging/target.h"

#include <gtest/gtest.h>

#include "fakes/world/sim_paths.h"

namespace plumbline::cli {
namespace {

class TargetTest : public testing::Test {
 protected:
  TargetTest() {
    paths_.program("/run-me.mjs");
    paths_.file("/s.mjs");
    paths_.file("/mcp.json");
  }

  // taken returns what `words` before "--" and `behind` it are: "url ...", "config ..." or the
  // command; or what is wrong with them.
  std::string taken(std::vector<std::string> words, std::vector<std::string> behind = {}) {
    CheckedServer asked;
    asked.words = std::move(words);
    asked.command = std::move(behind);
    const Status status = take_target("check server", asked, paths_);
    notes_ = asked.notes;
    if (!status.ok()) return status.error().message;
    if (!asked.url.empty()) return "url " + asked.url;
    if (!asked.config.empty()) return "config " + asked.config;
    std::string text;
    for (const std::string& word : asked.command) text += "[" + word + "]";
    return text;
  }

  fakes::SimPaths paths_;
  std::vector<std::string> notes_;
};

TEST_F(TargetTest, IsAUrlWithOrWithoutItsScheme) {
  EXPECT_EQ(taken({"https://a.example/mcp"}), "url https://a.example/mcp");
  EXPECT_EQ(taken({"localhost:3000/mcp"}), "url http://localhost:3000/mcp");
  EXPECT_EQ(taken({"a.example/mcp"}), "url https://a.example/mcp");
  EXPECT_EQ(taken({"[::1]:80"}), "url http://[::1]:80");
  EXPECT_EQ(taken({}, {"http://a/mcp"}), "url http://a/mcp");
  EXPECT_NE(taken({"htp://a/mcp"}).find("did you mean http?"), std::string::npos);
}

TEST_F(TargetTest, IsAFileThatIsThere) {
  EXPECT_EQ(taken({"mcp.json"}), "config mcp.json");
  EXPECT_NE(taken({"mcp.json", "x"}).find("one word too many"), std::string::npos);
}

TEST_F(TargetTest, IsACommandWithOrWithoutDashes) {
  EXPECT_EQ(taken({}, {"node", "s.mjs"}), "[node][s.mjs]");
  EXPECT_EQ(taken({"node", "s.mjs"}), "[node][s.mjs]");
  EXPECT_EQ(taken({"node"}, {"s.mjs"}), "[node][s.mjs]");
  EXPECT_EQ(taken({}, {"A=1", "node", "s.mjs"}), "[env][A=1][node][s.mjs]");
}

TEST_F(TargetTest, ACommandInQuotesIsTakenApart) {
  EXPECT_EQ(taken({}, {"node s.mjs --port 1"}), "[node][s.mjs][--port][1]");
  EXPECT_EQ(taken({}, {"node 's.mjs'"}), "[/bin/sh][-c][node 's.mjs']");
  EXPECT_FALSE(notes_.empty());
}

TEST_F(TargetTest, AScriptGetsItsInterpreter) {
  EXPECT_EQ(taken({"s.mjs"}), "[node][s.mjs]");
  EXPECT_EQ(notes_, std::vector<std::string>{"s.mjs is run by node"});
  EXPECT_EQ(taken({"run-me.mjs"}), "[./run-me.mjs]");
  EXPECT_EQ(taken({"x.py"}), "check server: there is no file x.py here; give its path");
  EXPECT_EQ(taken({}, {"node", "x.mjs"}),
            "check server: there is no file x.mjs here; give its path");
}

TEST_F(TargetTest, IsOne) {
  EXPECT_EQ(taken({}),
            "check server: expected what to check: a command (-- node server.js), a URL, or "
            "--config FILE");
  EXPECT_NE(taken({"http://a/"}, {"node"}).find("one word too many"), std::string::npos);
}

TEST_F(TargetTest, AnyCertificateIsTrustedOnThisMachineAlone) {
  CheckedServer asked;
  asked.insecure = true;
  asked.url = "https://a.example/mcp";
  EXPECT_FALSE(take_target("check server", asked, paths_).ok());
  asked.url = "https://127.evil.example/mcp";
  EXPECT_FALSE(take_target("check server", asked, paths_).ok());
  asked.url = "https://[::1]:8443/mcp";
  EXPECT_TRUE(take_target("check server", asked, paths_).ok());
}

}  // namespace
}  // namespace plumbline::cli
