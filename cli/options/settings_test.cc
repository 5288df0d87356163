#include "cli/options/settings.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "cli/config/agents_schema.h"
#include "cli/config/config.h"
#include "core/json/json.h"
#include "core/schema/schema.h"

namespace plumbline::cli {
namespace {

// The two files of the document that asks for them.
constexpr const char* kAgent = R"({
  "agentId": "langgraph:research-agent",
  "endpoint": "wss://api.langgraph.com/v1/agents/research",
  "authentication": {"type": "oauth2", "clientId": "desktop-app", "scopes": ["read", "write"]},
  "connection": {"timeout": 30000, "retryPolicy": {"maxRetries": 3, "backoff": "exponential"}},
  "capabilities": ["tools/call", "resources/read", "prompts/get"]
})";
constexpr const char* kGlobal = R"({
  "mcp": {"maxConcurrentConnections": 10, "connectionTimeout": 30000, "heartbeatInterval": 30000,
          "rateLimit": {"enabled": true, "requestsPerSecond": 10, "burstCapacity": 20}},
  "security": {"tokenRefreshBuffer": 300, "maxTokenAge": 3600, "secureStorage": true}
})";

std::string refusal(const std::string& text) {
  const Result<Config> config = parse_config(text, "a.json");
  return config.ok() ? "" : config.error().message;
}

Config config_in(const std::string& text) {
  Result<Config> config = parse_config(text, "a.json");
  EXPECT_TRUE(config.ok()) << config.error().message;
  return config.ok() ? std::move(config).value() : Config();
}

std::string doc(const std::string& name) {
  std::ifstream file(std::string(SOURCE_ROOT) + "/docs/" + name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(SettingsTest, TheFilesOfTheDocumentAreRead) {
  const Config agent = config_in(kAgent);
  ASSERT_EQ(agent.servers, std::vector<std::string>{"langgraph:research-agent"});
  const std::string& id = agent.servers.front();
  EXPECT_EQ(agent.remotes.at(id).url.host, "api.langgraph.com");
  EXPECT_EQ(agent.remotes.at(id).transport, mcp::Transport::kWebSocket);
  EXPECT_EQ(agent.authentications.at(id).client_id, "desktop-app");
  EXPECT_EQ(agent.agents.at(id).timeout, std::chrono::seconds(30));
  EXPECT_EQ(agent.agents.at(id).capabilities.value().size(), 3U);
  EXPECT_EQ(agent.agents.at(id).retries->of(connector::ErrorCategory::kNetwork).retries_max, 3);
  const Result<Config> both = parse_config(kGlobal, "global.json", agent);
  ASSERT_TRUE(both.ok()) << both.error().message;
  EXPECT_EQ(both.value().servers.size(), 1U);
  EXPECT_EQ(both.value().settings.connections_max, 10);
  EXPECT_EQ(both.value().settings.token_refresh_buffer, std::chrono::seconds(300));
  EXPECT_FALSE(parse_config(kAgent, "again.json", agent).ok());
}

TEST(SettingsTest, AnMcpServersFileMayCarryTheSame) {
  const Config config = config_in(R"({"mcpServers": {"a": {"url": "https://a.example/mcp",
      "plumbline": {"connection": {"timeout": "5s"}, "capabilities": ["prompts/get"]}}},
      "plumbline": {"mcp": {"rateLimit": {"requestsPerSecond": 0.5,
                                          "perMethodLimits": {"tools/call": 2}},
                            "heartbeatInterval": "500ms"},
                    "security": {"tokenRefreshBuffer": "2m"}}, "mcp": {"servers": {}}})");
  EXPECT_EQ(config.agents.at("a").timeout, std::chrono::seconds(5));
  EXPECT_EQ(config.agents.at("a").capabilities.value(), std::vector<std::string>{"prompts/get"});
  EXPECT_EQ(config.settings.requests_per_second, 0.5);
  EXPECT_EQ(config.settings.per_method_limits.at("tools/call"), 2);
  EXPECT_EQ(config.settings.heartbeat_interval, std::chrono::milliseconds(500));
  EXPECT_EQ(config.settings.token_refresh_buffer, std::chrono::minutes(2));
}

TEST(SettingsTest, EverySettingIsAVariableThatGoesOverTheFile) {
  for (const Setting& setting : all_settings()) {
    const bool truth = std::holds_alternative<bool Settings::*>(setting.member);
    const std::string name = variable_of(setting);
    const auto with = [&name, &setting](std::string text) {
      Settings out;
      const Status read = take_variables(out, [&](const std::string& asked) {
        return asked == name ? std::optional(text) : std::nullopt;
      });
      EXPECT_EQ(read.ok(), text != "x") << name;
      const std::string told = read.ok() ? name : read.error().message;
      EXPECT_EQ(told.find(name), 0U) << told;
      return std::visit([&out](auto member) { return Json(Settings().*member == out.*member); },
                        setting.member);
    };
    EXPECT_EQ(with(truth ? "false" : "7"), false) << name;
    with("x");
  }
  EXPECT_EQ(variable_of(all_settings()[5]), "PLUMBLINE_MCP_RATE_LIMIT_BURST_CAPACITY");
}

TEST(SettingsTest, WhatIsWrongIsToldWhereItStands) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"agentId": "a"})", "a.json:1:1: a configuration has no \"endpoint\""},
      {R"({"agentId": "a", "endpoint": "x"})", "a.json:1:18: "},
      {R"({"agentId": "a", "endpoint": "https://x", "speed": 1})", "unknown key \"speed\""},
      {R"({"agentId": "a", "endpoint": "https://x", "capabilities": ["tools/list"]})",
       "a.json:1:60: \"tools/list\", expected one of tools/call"},
      {R"({"agentId": "a", "endpoint": "https://x", "connection": {"timeout": "soon"}})",
       "a.json:1:58: \"timeout\" is \"soon\", expected milliseconds"},
      {R"({"agentId": "a", "endpoint": "https://x", "connection": {"timeouts": 1}})",
       "unknown key \"timeouts\""},
      {R"({"agentId": "a", "endpoint": "https://x",
 "connection": {"retryPolicy": {"retryableErrors": ["network", "flood"]}}})",
       "a.json:2:33: \"flood\" is no category, expected network"},
      {R"({"agentId": "a", "endpoint": "https://x",
 "connection": {"retryPolicy": {"backoffMultiplier": 0.5}}})",
       "a.json:2:33: \"backoffMultiplier\" is 0.5"},
      {R"({"mcp": {"maxConcurrentConnections": 0}})",
       "a.json:1:10: \"maxConcurrentConnections\" is 0, expected a whole number from 1 to 10000"},
      {R"({"mcp": {"rateLimit": {"requestsPerSecond": 0}}})", "expected a number above 0"},
      {R"({"mcp": {"rateLimit": {"perMethodLimits": {"tools/call": "x"}}}})",
       "a.json:1:44: here is \"x\""},
      {R"({"mcp": {"rateLimit": {"burst": 1}}})", "unknown key \"burst\""},
      {R"({"security": {"maxTokenAge": "forever"}})",
       "a.json:1:15: \"maxTokenAge\" is \"forever\", expected seconds or a text"},
      {R"({"security": {"secureStorage": 1}})", "expected true or false"},
  };
  for (const auto& [text, told] : cases) {
    const std::string said = refusal(text);
    EXPECT_NE(said.find(told), std::string::npos) << text << "\n" << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST(SettingsTest, TheDocumentationHasEverySetting) {
  EXPECT_NE(doc("connect.md").find(settings_table()), std::string::npos)
      << "docs/connect.md should hold\n"
      << settings_table();
}

// Goal: an editor that goes by docs/agents.schema.json says what we say. Method: it is what
// the tables of the reader print, takes what the reader takes, and refuses what it refuses.
TEST(SettingsTest, TheSchemaForEditorsSaysTheSame) {
  const std::string printed = pretty_json(agents_schema()) + '\n';
  if (std::getenv("PLUMBLINE_UPDATE_DOCS") != nullptr) {
    std::ofstream(std::string(SOURCE_ROOT) + "/docs/agents.schema.json", std::ios::binary)
        << printed;
  }
  EXPECT_TRUE(doc("agents.schema.json") == printed) << "PLUMBLINE_UPDATE_DOCS=1 writes it";
  const Result<Json> json = parse_json(doc("agents.schema.json"));
  ASSERT_TRUE(json.ok()) << json.error().message;
  const Result<schema::Schema> schema = schema::Schema::compile(json.value());
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const std::string_view texts[] = {
      kAgent,
      kGlobal,
      R"({"agentId": "a", "command": "npx", "args": ["x"], "env": {"A": "b"}, "cwd": "."})",
      R"({"agentId": "a", "endpoint": "https://x", "headers": {"A": "b"}, "type": "sse",
          "ca_file": "x.pem"})",
      R"({"mcp": {"connectionTimeout": "30s"}})",
      R"({"mcp": {"connectionTimeout": "soon"}})",
      R"({"mcp": {"connectionTimeout": 0}})",
      R"({"mcp": {"heartbeat": 1}})",
      R"({"mcp": {"rateLimit": {"burstCapacity": 1.5}}})",
      R"({"mcp": {"rateLimit": {"requestsPerSecond": -1}}})",
      R"({"mcp": {"rateLimit": {"perMethodLimits": {"a": true}}}})",
      R"({"security": {"maxTokenAge": "1h"}})",
      R"({"agentId": "a"})",
      R"({"agentId": "", "endpoint": "https://x"})",
      R"({"agentId": "a", "endpoint": "https://x", "capabilities": ["tools/list"]})",
      R"({"agentId": "a", "endpoint": "https://x", "connection": {"timeout": false}})",
      R"({"agentId": "a", "endpoint": "https://x",
          "connection": {"retryPolicy": {"maxRetries": 1, "backoff": "linear", "maxDelay": 2000,
                                         "backoffMultiplier": 1.5, "retryableErrors": []}}})",
      R"({"agentId": "a", "endpoint": "https://x",
          "connection": {"retryPolicy": {"backoff": "random"}}})",
      R"({"agentId": "a", "endpoint": "https://x", "connection": {"retryPolicy": {"tries": 3}}})",
      R"({"agentId": "a", "endpoint": "https://x", "connection": {"retryPolicy": {
          "fallback": "another_agent",
          "categories": {"timeout": {"retry": true, "initialDelay": 0.5}}}}})",
      R"({"agentId": "a", "endpoint": "https://x", "connection": {"retryPolicy": {
          "categories": {"flood": {"retry": true}}}}})",
      R"({"agentId": "a", "endpoint": "https://x", "colour": "red"})",
      R"({"agentId": "a", "endpoint": "https://x", "authentication": {"type": "magic"}})",
      R"({"agentId": "a", "endpoint": "https://x", "type": "pigeon"})",
      R"({"mcpServers": {"a": {"command": "x", "disabled": true}}, "theme": "dark"})",
      R"({"mcpServers": {"a": {"url": "https://x", "plumbline": {"capabilities": 3}}}})",
      R"({"mcpServers": [], "plumbline": {"mcp": {}}})",
      R"({"mcpServers": {}, "plumbline": {"mcp": {"x": 1}}})",
      R"({})",
  };
  for (const std::string_view text : texts) {
    const auto wrong = schema.value().validate(parse_json(text).value());
    const std::string said = refusal(std::string(text));
    EXPECT_EQ(!wrong.has_value(), said.empty())
        << text << "\nreader: " << said << "\nschema: " << (wrong ? wrong->message : "");
  }
}

}  // namespace
}  // namespace plumbline::cli
