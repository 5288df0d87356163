#include "cli/attested.h"

#include <string>

#include <gtest/gtest.h>

#include "fakes/world/sim_paths.h"
#include "reports/answers/judged.h"

namespace plumbline::cli {
namespace {

class AttestedTest : public testing::Test {
 protected:
  AttestedTest() {
    report_.command = "check server";
    report_.target = Json::object();
    reports::add_judged(report_.target, {"", "files", "1.0.0", "", "stdio", {"2025-11-25"}});
    paths_.program("/usr/bin/node");
    paths_.file("/app/dist/server.mjs");
    paths_.file("/opt/tool.txt");
  }

  Json subject(const std::string& line) {
    report_.target["servers"] = Json::array({{{"target", line}}});
    return attested(paths_, report_)["subjects"][0];
  }

  fakes::SimPaths paths_;
  Report report_;
};

TEST_F(AttestedTest, IsOfTheFileThatAnInterpreterRuns) {
  const Json one = subject("node /app/dist/server.mjs --port 1");
  EXPECT_EQ(one["name"], "/app/dist/server.mjs");
  EXPECT_EQ(one["digest_of"], "the file that was started");
  EXPECT_FALSE(one.contains("package"));
}

TEST_F(AttestedTest, NamesThePackageThatTheFileLiesIn) {
  paths_.file("/app/dist/package.json", R"({"type": "module"})");
  paths_.file("/app/package.json", R"({"name": "@acme/files", "version": "1.2.0"})");
  EXPECT_EQ(subject("node /app/dist/server.mjs")["package"], "pkg:npm/@acme/files@1.2.0");
}

TEST_F(AttestedTest, OfAUrlIsOfWhatItSaysOfItself) {
  const Json one = subject("--url https://a.example/mcp");
  EXPECT_EQ(one["name"], "https://a.example/mcp");
  EXPECT_EQ(one["digest_of"], "what it says of itself");
  report_.target["judged"][0]["version"] = "1.0.1";
  EXPECT_NE(subject("--url https://a.example/mcp")["sha256"], one["sha256"]);
}

TEST_F(AttestedTest, OfACommandWithoutAFileIsOfTheWholeLine) {
  EXPECT_EQ(subject("npx -y some-server@1.2.3")["name"], "npx -y some-server@1.2.3");
}

TEST_F(AttestedTest, TellsByWhichRules) {
  const Json all = attested(paths_, report_);
  EXPECT_GT(all["rules"]["count"], 300);
  EXPECT_EQ(all["rules"]["sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(all["by"]["name"], "plumbline");
}

}  // namespace
}  // namespace plumbline::cli
