// Files of each host, in its own writing, and what has to come out.

#include <gtest/gtest.h>

#include "cli/config/config.h"
#include "cli/config/document.h"
#include "core/json/json.h"

namespace plumbline::cli {
namespace {

const std::map<std::string, std::string> kVariables = {{"ROOT", "/srv/data"},
                                                       {"API_TOKEN", "tok-of-environment"},
                                                       {"BASE", "http://127.0.0.1:9"},
                                                       {"HOME", "/home/ann"},
                                                       {"EMPTY", ""}};

Surroundings around() {
  Surroundings out;
  out.variable = [](const std::string& name) -> std::optional<std::string> {
    const auto found = kVariables.find(name);
    if (found == kVariables.end()) return std::nullopt;
    return found->second;
  };
  out.folder = "/srv/site";
  out.inputs = {{"api-key", "typed-secret"}};
  out.read_file = [](const std::string& path) -> Result<std::string> {
    if (path == "/srv/site/.env") return std::string("# ours\nexport A=1\nB=\"two words\"\r\nC=");
    return Error{ErrorCode::kInvalidInput, path + ": there is no such file"};
  };
  out.is_file = [](const std::string& path) { return path == "/opt/my tools/server"; };
  return out;
}

Result<Config> read(const std::string& text, const std::string& file) {
  return parse_config(text, file, {}, around());
}

// shown returns server "s" as one line: its words, variables and folder, or its URL and headers.
std::string shown(const Result<Config>& read) {
  if (!read.ok()) return read.error().message;
  const Config& config = read.value();
  std::string out;
  if (const auto command = config.commands.find("s"); command != config.commands.end()) {
    for (const std::string& word : command->second.argv) out += "[" + word + "]";
    for (const auto& [name, value] : command->second.env) out += " " + name + "=" + value;
    if (!command->second.cwd.empty()) out += " in " + command->second.cwd;
  } else if (const auto remote = config.remotes.find("s"); remote != config.remotes.end()) {
    out = remote->second.url.origin() + remote->second.url.target;
    if (remote->second.transport) out += " " + std::string(mcp::name_of(*remote->second.transport));
    for (const auto& [name, value] : remote->second.headers.fields()) {
      out += " " + name + ": " + value;
    }
  } else {
    out = "not started";
  }
  for (const std::string& note : config.notes) out += " | " + note;
  return out;
}

struct Row {
  std::string file;
  std::string text;
  std::string expected;
};

const Row kFiles[] = {
    {"claude_desktop_config.json",
     R"({"mcpServers": {"s": {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}}}})",
     "[npx][-y][x] A=b"},
    {"claude_desktop_config.json",
     R"({"mcpServers": {"s": {"command": "x", "args": ["${ROOT}"]}}})",
     "[x][${ROOT}] | claude_desktop_config.json:1:48: server \"s\" gets \"${ROOT}\" as it "
     "stands, as Claude Desktop passes it on: write the value itself"},
    {"a/.mcp.json",
     R"({"mcpServers": {"s": {"command": "${ROOT}/run", "args":
          ["${NONE:-/srv/f}", "${EMPTY:-e}"],
          "env": {"A": "key ${API_TOKEN}!"}}}})",
     "[/srv/data/run][/srv/f][e] A=key tok-of-environment!"},
    {".mcp.json",
     R"({"mcpServers": {"s": {"type": "http", "url": "${BASE}/mcp",
          "headers": {"X-Key": "${API_TOKEN}"}}}})",
     "http://127.0.0.1:9/mcp http X-Key: tok-of-environment"},
    {"p/.vscode/mcp.json",
     R"({// VS Code
         "inputs": [{"type": "promptString", "id": "api-key", "password": true},
                    {"type": "promptString", "id": "port", "default": "8080"}],
         "servers": {"s": {"type": "stdio", "command": "${workspaceFolder}/run",
           "args": ["${input:port}", "${userHome}${/}x", "${workspaceFolderBasename}"],
           "env": {"KEY": "${input:api-key}", "R": "${env:ROOT}", "N": 5, "T": true, "Z": null},
           "envFile": "${workspaceFolder}/.env",},},})",
     "[/srv/site/run][8080][/home/ann/x][site] A=1 B=two words C= KEY=typed-secret N=5 "
     "R=/srv/data T=true"},
    {"settings.json",
     R"({"mcp": {"servers": {"s": {"url": "https://x.example/mcp", "type": "http"}}}})",
     "https://x.example/mcp http"},
    {".cursor/mcp.json",
     R"({"mcpServers": {"s": {"command": "python", "args": ["${workspaceFolder}/s.py"],
          "env": {"K": "${env:API_TOKEN}"}}}})",
     "[python][/srv/site/s.py] K=tok-of-environment"},
    {"windsurf/mcp_config.json",
     R"({"mcpServers": {"s": {"serverUrl": "https://x.example/sse",
          "headers": {"Authorization": "Bearer ${env:API_TOKEN}"}}}})",
     "https://x.example/sse Authorization: Bearer tok-of-environment"},
    {".gemini/settings.json",
     R"({"mcpServers": {"s": {"httpUrl": "https://x.example/mcp", "url": "https://x.example/sse",
          "headers": {"K": "$API_TOKEN"}, "timeout": 5, "trust": true}}})",
     "https://x.example/mcp http K: tok-of-environment"},
    {"c/config.toml",
     "model = \"o\"\n[mcp_servers.s]\ncommand = 'npx' # c\nargs = [\"-y\", \"x\",]\n"
     "startup_timeout_sec = 20\nenv_vars = [\"ROOT\"]\n[mcp_servers.s.env]\nA = \"${ROOT}\"\n",
     "[npx][-y][x] A=${ROOT} ROOT=/srv/data | c/config.toml:8:1: server \"s\" gets \"${ROOT}\" "
     "as it stands, as Codex passes it on: write the value itself"},
    {"config.toml", "[mcp_servers.s]\ncommand = \"x\"\nargs = ['{1,}', 'a // b', ]",
     "[x][{1,}][a // b]"},
    {"config.toml",
     "[mcp_servers]\ns = { url = \"https://x.example/mcp\", bearer_token_env_var = "
     "\"API_TOKEN\", http_headers = { \"X-A\" = \"b\" }, env_http_headers = {\"X-R\" = \"ROOT\"} "
     "}",
     "https://x.example/mcp Authorization: Bearer tok-of-environment X-A: b X-R: /srv/data"},
    {"zed.json",
     R"({"context_servers": {"s": {"source": "custom", "command": {"path": "x", "args": ["y"],
          "env": {"A": "b"}}}}})",
     "[x][y] A=b"},
    {"cline_mcp_settings.json",
     R"({"mcpServers": {"s": {"transportType": "sse", "url": "https://x.example/sse",
          "autoApprove": [], "disabled": false}}})",
     "https://x.example/sse sse"},
    {"opencode.json",
     R"({"mcp": {"s": {"type": "local", "command": ["bun", "x", "y"], "enabled": true,
          "environment": {"A": "{env:ROOT}"}}}})",
     "[bun][x][y] A=/srv/data"},
    {"any.json",
     R"({"mcpServers": {"s": {"command": "~/run", "args": ["~", "a~/b", "${env:ROOT}", 7],
          "env": {"A": "${NONE:-}"}}}})",
     "[/home/ann/run][/home/ann][a~/b][/srv/data][7] A="},
    {"any.json",
     R"({"mcpServers": {"s": {"transport": {"type": "streamable_http",
          "url": "https://x.example/mcp", "headers": {"A": 1}}}}})",
     "https://x.example/mcp http A: 1"},
    {"any.json",
     R"({"mcpServers": {"s": {"url": "https://x.example/sse", "transport": "sse",
          "requestInit": {"headers": {"A": "b"}}}}})",
     "https://x.example/sse sse A: b"},
    {"any.json", "\xef\xbb\xbf{\"mcpServers\": {\"s\": {\"command\": \"x\",},},}", "[x]"},
    {"any.json", R"({"mcpServers": {"s": {"command": "/opt/my tools/server"}}})",
     "[/opt/my tools/server]"},
    {"any.json", R"({"mcpServers": {"s": {"command": "npx -y 'a b'", "args": ["c"]}}})",
     "[npx][-y][a b][c] | any.json:1:23: server \"s\" has arguments in its \"command\", which "
     "not every host takes apart: write them as \"args\""},
};

TEST(HostsTest, EachFileIsReadAsItsHostReadsIt) {
  for (const Row& row : kFiles) {
    EXPECT_EQ(shown(read(row.text, row.file)), row.expected) << row.file << "\n" << row.text;
  }
}

// What is not known, and what has no value, is one line that says where and what to do.
TEST(HostsTest, WhatCannotBeKnownIsOneLine) {
  const Row rows[] = {
      {"a.json", R"({"mcpServers": {"s": {"command": "x", "args": ["${NONE}"]}}})",
       "a.json:1:48: server \"s\" needs the variable NONE, which is not set: set it, or write "
       "${NONE:-VALUE}"},
      {".cursor/mcp.json", R"({"mcpServers": {"s": {"url": "${env:NONE}/mcp"}}})",
       ".cursor/mcp.json:1:23: server \"s\" needs the variable NONE, which is not set: set it"},
      {"a.json", R"({"servers": {"s": {"command": "${command:pick}"}}})",
       "a.json:1:20: server \"s\" has \"${command:pick}\", which is not known here: write its "
       "value in its place"},
      {"a.json", R"({"servers": {"s": {"command": "x", "args": ["${input:who}"]}},
                     "inputs": [{"id": "who", "description": "Your name"}]})",
       "a.json:1:45: server \"s\" asks for the input \"who\" (Your name): give it with --input "
       "who=VALUE"},
      {"a.json", R"({"servers": {"s": {"command": "x", "envFile": "none.env"}}})",
       "a.json:1:36: /srv/site/none.env: there is no such file"},
      {"a.json", R"({"mcpServers": {"s": {"command": "x", "headersHelper": "y"}}})",
       "[x] | a.json:1:39: server \"s\" has \"headersHelper\", which is not read here: it changes "
       "nothing"},
      {"a.json", R"({"mcpServers": {"s": {"command": "x", "disabled": true}}})",
       "not started | a.json:1:39: server \"s\" is disabled and is not started: take out its "
       "\"disabled\""},
      {"config.toml", "[mcp_servers.s]\ncommand = \"x\"\nenabled = false",
       "not started | config.toml:3:1: server \"s\" is not enabled and is not started: take out "
       "its \"enabled\""},
      {"config.toml", "[mcp_servers.s]\ncommand = \n", "config.toml:2:"},
      {"config.toml", "[mcp_servers.s]\nargs = [1]\ntype = 7", "config.toml:3:1: "},
      {"goose.yaml", "extensions:\n",
       "goose.yaml:1:1: YAML is not read here: write the servers "
       "as JSON, below \"mcpServers\""},
      {"a.json", R"({"mcpServers": {"s": {"command": 5}}})",
       "a.json:1:23: \"command\" is a number, expected a string"},
      {"a.json", R"({"servers": {"s": {"type": "http"}}})", "a.json:1:14: server \"s\" has no"},
      {"a.json", R"({"mcpServers": {"s": {"command": "x", "disabled": 1}}})", "a.json:1:39: "},
  };
  for (const Row& row : rows) {
    const std::string line = shown(read(row.text, row.file));
    EXPECT_TRUE(line.starts_with(row.expected)) << line << "\nexpected " << row.expected;
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
}

// One server of a file does not depend on what the others need.
TEST(HostsTest, OnlyTheServersThatAreWantedNeedTheirVariables) {
  const std::string text =
      R"({"mcpServers": {"s": {"command": "x"}, "t": {"command": "${NONE}"},
          "u": {"command": "y", "disabled": true}},
          "plumbline": {"server_priority": ["t", "s"]}})";
  Surroundings only = around();
  only.servers = {"s"};
  Result<Config> config = parse_config(text, "a.json", {}, only);
  EXPECT_EQ(shown(config), "[x]");
  ASSERT_TRUE(config.ok());
  EXPECT_TRUE(keep_servers(config.value(), {"s"}).ok());
  only.servers = {"u"};
  config = parse_config(text, "a.json", {}, only);
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_NE(keep_servers(config.value(), {"u"}).error().message.find("is disabled"),
            std::string::npos);
}

TEST(HostsTest, APersonIsAskedOnceAndWhatIsSecretIsHidden) {
  Surroundings asking = around();
  std::vector<std::string> asked;
  asking.inputs.clear();
  asking.ask = [&asked](const AskedInput& input) -> std::optional<std::string> {
    asked.push_back(input.name + (input.secret ? " hidden" : ""));
    return input.name == "pin" ? "typed-by-ann" : "";
  };
  const Result<Config> config = parse_config(
      R"({"inputs": [{"id": "pin", "password": true}, {"id": "port", "default": "80"}],
          "servers": {"s": {"command": "x", "args": ["${input:pin}", "${input:port}"],
                            "env": {"P": "${input:pin}"}}}})",
      "a.json", {}, asking);
  EXPECT_EQ(shown(config), "[x][typed-by-ann][80] P=typed-by-ann");
  EXPECT_EQ(asked, (std::vector<std::string>{"pin hidden", "port"}));
  ASSERT_TRUE(config.ok());
  EXPECT_TRUE(secrets_of(config.value()).redactor().finds_secret("typed-by-ann"));
}

}  // namespace
}  // namespace plumbline::cli
