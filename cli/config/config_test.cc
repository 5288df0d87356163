#include "cli/config/config.h"

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
  const net::Command& command = config.value().commands.at("files");
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
  EXPECT_EQ(refused("{\"mcpServers\": {\"a\": {\"type\":\"carrier-pigeon\"}}}"),
            "c.json:1:23: server \"a\" is of type \"carrier-pigeon\", expected stdio, http, "
            "streamable-http, sse or ws");
  EXPECT_NE(refused(R"({"mcpServers": {"a": {"type": "sse"}}})").find("has no \"url\""),
            std::string::npos);
  EXPECT_NE(refused(R"({"mcpServers": {"a": {"url": "ftp://x"}}})").find("c.json:1:23"),
            std::string::npos);
  EXPECT_NE(refused(R"({"mcpServers": {"a": {"type": "http", "url": "ws://x"}}})").find("http"),
            std::string::npos);
  EXPECT_NE(refused(R"({"mcpServers": {"a": {"url": "http://x", "headers": {"A B": "c"}}}})")
                .find("no HTTP header"),
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

// Where nobody reads it a rule of ours would hold for nothing, in silence.
TEST(ConfigTest, WordsOfOursInAWrongPlaceAreRefusedAndThoseOfOthersAreNot) {
  const auto read = [](const std::string& of_file, const std::string& of_server) {
    const Result<Config> config = parse_config(
        R"({"mcpServers": {"a": {"command": "x")" + of_server + "}}" + of_file + "}", "c.json");
    return config.ok() ? std::string() : config.error().message;
  };
  for (const char* const word :
       {"policy", "connect_timeout_ms", "request_timeout_ms", "registry", "server_priority"}) {
    EXPECT_NE(read(", \"" + std::string(word) + "\": 1", "").find("expected it in \"plumbline\""),
              std::string::npos)
        << word;
  }
  for (const Setting& setting : all_settings()) {
    const std::string section(setting.section.substr(0, setting.section.find('.')));
    const std::string own = "{\"" + std::string(setting.key) + "\": 1}";
    if (section != setting.section) continue;
    EXPECT_NE(read(", \"" + section + "\": " + own, "").find("is not read here"), std::string::npos)
        << setting.key;
  }
  for (const char* const word : {"connection", "capabilities", "policy"}) {
    EXPECT_NE(read("", ", \"" + std::string(word) + "\": []")
                  .find("expected it in \"plumbline\" of the server"),
              std::string::npos)
        << word;
  }
  for (const char* const word : {"plumblin", "Plumbline", "PLUMBLINE", "plumb_line", "plumline"}) {
    const std::string member = ", \"" + std::string(word) + "\": {}";
    EXPECT_NE(read(member, "").find("expected \"plumbline\""), std::string::npos) << word;
    EXPECT_NE(read("", member).find("expected \"plumbline\""), std::string::npos) << word;
  }
  for (const char* const word : {"theme", "mcp", "security", "servers", "pipeline", "inputs",
                                 "autoApprove", "timeout", "description"}) {
    const std::string member = ", \"" + std::string(word) + "\": {\"x\": 1}";
    EXPECT_EQ(read(member, ""), "") << word;
    EXPECT_EQ(read("", member), "") << word;
  }
}

TEST(ConfigTest, ServersHaveAPriority) {
  const auto with = [](const std::string& names) {
    return parse_config(
        "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}},"
        "\"plumbline\": {\"server_priority\": " +
            names + "}}",
        "c.json");
  };
  EXPECT_EQ(with(R"(["b", "a"])").value().prefer, (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(with("[]").value().prefer.empty());
  EXPECT_NE(with(R"([], "server_preferences": ["b"])")
                .error()
                .message.find("is the same as \"server_priority\""),
            std::string::npos);
  const Result<Config> other = parse_config(
      R"({"mcpServers": {"a": {"command": "x"}}, "plumbline": {"server_preferences": ["a"]}})",
      "c.json");
  EXPECT_EQ(other.value().prefer, std::vector<std::string>{"a"});
  EXPECT_NE(with(R"(["c"])").error().message.find("expected the name of a server"),
            std::string::npos);
  EXPECT_NE(with(R"("b")").error().message.find("expected an array"), std::string::npos);
}

TEST(ConfigTest, ReadsServersThatHaveAUrl) {
  const Result<Config> config = parse_config(R"({"mcpServers": {
      "plain": {"url": "http://127.0.0.1:9/mcp", "headers": {"X-Trace": "7"}},
      "old": {"type": "sse", "url": "https://old.example/sse", "ca_file": "ca.pem"},
      "new": {"type": "streamable-http", "url": "https://new.example/mcp"},
      "socket": {"url": "wss://socket.example/mcp"},
      "child": {"type": "stdio", "command": "x", "url": "ignored"}
  }})",
                                             "dir/c.json");
  ASSERT_TRUE(config.ok()) << config.error().message;
  const auto& remotes = config.value().remotes;
  ASSERT_EQ(remotes.size(), 4U);
  EXPECT_EQ(config.value().servers.size(), 5U);
  EXPECT_EQ(remotes.at("plain").transport, std::nullopt);
  EXPECT_EQ(remotes.at("plain").url.port, 9);
  EXPECT_EQ(remotes.at("plain").headers.get("x-trace"), "7");
  EXPECT_EQ(remotes.at("old").transport, mcp::Transport::kSse);
  EXPECT_EQ(remotes.at("old").tls.ca_file, "dir/ca.pem");
  EXPECT_EQ(remotes.at("new").transport, mcp::Transport::kStreamableHttp);
  EXPECT_EQ(remotes.at("socket").transport, mcp::Transport::kWebSocket);
  EXPECT_TRUE(config.value().commands.contains("child"));
}

TEST(ConfigTest, KnowsWhichHeadersAndParametersAreSecret) {
  const Result<Config> config = parse_config(R"({"mcpServers": {"a": {
      "url": "http://x.example/mcp?page=four-hundred&api_key=key-of-url",
      "headers": {"Authorization": "Custom tok-of-header", "X-Token": "x-token-value",
                  "X-Trace": "trace-value"}}}})",
                                             "c.json");
  ASSERT_TRUE(config.ok()) << config.error().message;
  const Secrets secrets = secrets_of(config.value());
  const Redactor& redactor = secrets.redactor();
  for (const char* const secret : {"key-of-url", "tok-of-header", "x-token-value"}) {
    EXPECT_TRUE(redactor.finds_secret(secret)) << secret;
  }
  EXPECT_FALSE(redactor.finds_secret("trace-value four-hundred"));
}

TEST(ConfigTest, ALaterFileWinsWhereSeveralAreMeantToBeRead) {
  constexpr std::string_view kFirst = R"({"mcpServers": {
      "files": {"url": "https://files.example/mcp", "headers": {"X-A": "1"}},
      "wiki": {"command": "wiki"}},
    "plumbline": {"server_priority": ["wiki"], "request_timeout_ms": 1000}})";
  constexpr std::string_view kSecond = R"({"mcpServers": {"files": {"command": "files"}},
    "plumbline": {"request_timeout_ms": 2000}})";
  Config alone;
  alone.replaces = true;
  const Result<Config> first = parse_config(kFirst, "a.json", alone);
  ASSERT_TRUE(first.ok()) << first.error().message;
  const Result<Config> both = parse_config(kSecond, "b.json", first.value());
  ASSERT_TRUE(both.ok()) << both.error().message;
  EXPECT_EQ(both.value().servers, (std::vector<std::string>{"wiki", "files"}));
  EXPECT_TRUE(both.value().remotes.empty());
  EXPECT_EQ(both.value().commands.at("files").argv, std::vector<std::string>{"files"});
  EXPECT_EQ(both.value().prefer, std::vector<std::string>{"wiki"});
  EXPECT_EQ(both.value().request_timeout, std::chrono::seconds(2));
  EXPECT_EQ(both.value().notes, std::vector<std::string>{"b.json: server \"files\" takes the place "
                                                         "of the one in a file before"});
  Config strict = first.value();
  strict.replaces = false;
  const Result<Config> refused = parse_config(kSecond, "b.json", strict);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("is configured already"), std::string::npos);
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
