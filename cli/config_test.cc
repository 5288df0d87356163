#include "cli/config.h"

#include <gtest/gtest.h>

namespace plumbline::cli {
namespace {

TEST(ConfigTest, ReadsWhatDesktopClientsWrite) {
  const Result<Config> config = parse_config(R"({
    // a comment
    "theme": "dark",
    "mcpServers": {
      "files": {"command": "npx", "args": ["-y", "x"], "env": {"A_TOKEN": "t"}, "cwd": "sub",
                "disabled": false}
    },
    "plumbline": {"request_timeout_ms": 1500}
  })",
                                             "dir/c.json");
  ASSERT_TRUE(config.ok()) << config.error().message;
  const transport::Command& command = config.value().commands.at("files");
  EXPECT_EQ(command.argv, (std::vector<std::string>{"npx", "-y", "x"}));
  EXPECT_EQ(command.env.at("A_TOKEN"), "t");
  EXPECT_EQ(command.cwd, "dir/sub");
  EXPECT_EQ(config.value().request_timeout, std::chrono::milliseconds(1500));
}

TEST(ConfigTest, SaysWhereAndWhatIsWrong) {
  const auto refused = [](const char* text) {
    const Result<Config> config = parse_config(text, "c.json");
    return config.ok() ? std::string("accepted") : config.error().message;
  };
  EXPECT_EQ(refused("{\n  \"mcpServers\": [}\n").substr(0, 11), "c.json:2:18");
  EXPECT_EQ(refused("{\"mcpServers\": {\"a\": {}}}").substr(0, 12), "c.json:1:17:");
  EXPECT_NE(refused("{}").find("mcpServers"), std::string::npos);
  EXPECT_NE(refused(R"({"mcpServers": {"a": {"url": "http://x"}}})").find("stdio"),
            std::string::npos);
  EXPECT_EQ(refused("{\"mcpServers\":{},\n\"plumbline\":{\n \"speed\":1}}").substr(0, 11),
            "c.json:3:2:");
  EXPECT_EQ(refused("{\"mcpServers\":{},\"plumbline\":{\"policy\":{\"plumbline_policy\":1,\n "
                    "\"allow\":[1]}}}")
                .substr(0, 12),
            "c.json:2:11:");
  EXPECT_NE(refused(R"({"mcpServers":{"a":{"command":"x","args":"y"}}})").find("array"),
            std::string::npos);
}

TEST(ConfigTest, KeepsOnlyTheServersThatAreNamed) {
  Result<Config> config =
      parse_config(R"({"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}})", "c.json");
  ASSERT_TRUE(config.ok());
  EXPECT_FALSE(keep_servers(config.value(), {"z"}).ok());
  ASSERT_TRUE(keep_servers(config.value(), {"b"}).ok());
  EXPECT_EQ(config.value().servers, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace plumbline::cli
