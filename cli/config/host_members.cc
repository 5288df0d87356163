#include "cli/config/host_members.h"

#include <algorithm>
#include <iterator>

#include "core/base/text.h"

namespace plumbline::cli {

namespace {

constexpr Synonym kSynonyms[] = {
    {"httpUrl", "url"},           // Gemini CLI
    {"serverUrl", "url"},         // Windsurf
    {"uri", "url"},               // Goose
    {"environment", "env"},       // opencode
    {"envs", "env"},              // Goose
    {"cmd", "command"},           // Goose
    {"path", "command"},          // Zed, in an object "command"
    {"http_headers", "headers"},  // Codex
    {"transportType", "type"},    // Cline
    {"workingDirectory", "cwd"},  // Kiro
};

constexpr Synonym kTypes[] = {
    {"local", "stdio"},
    {"streamable_http", "streamable-http"},
    {"streamable", "streamable-http"},
    {"http-stream", "streamable-http"},
    {"websocket", "ws"},
};

// Members whose members belong to the server itself.
constexpr std::string_view kNested[] = {"transport", "requestInit", "command"};

constexpr std::string_view kRead[] = {
    "command",         "args",           "env",      "cwd",       "url",
    "headers",         "type",           "ca_file",  "plumbline", "envFile",
    "enabled",         "authentication", "disabled", "env_vars",  "bearer_token_env_var",
    "env_http_headers"};

// What says nothing of how a server is reached.
constexpr std::string_view kOfTheHost[] = {"alwaysAllow",
                                           "autoApprove",
                                           "autoapprove",
                                           "allowedTools",
                                           "description",
                                           "name",
                                           "title",
                                           "disabledTools",
                                           "disabled_tools",
                                           "enabledTools",
                                           "enabled_tools",
                                           "excludeTools",
                                           "icon",
                                           "includeTools",
                                           "timeout",
                                           "trust",
                                           "tools",
                                           "metadata",
                                           "source",
                                           "gallery",
                                           "version",
                                           "dev",
                                           "required",
                                           "startup_timeout_sec",
                                           "startup_timeout_ms",
                                           "tool_timeout_sec",
                                           "networkTimeout",
                                           "toolFilter",
                                           "bundled",
                                           "available_tools",
                                           "initTimeout",
                                           "instructions",
                                           "chatMenu",
                                           "serverInstructions",
                                           "iconPath",
                                           "registry",
                                           "settings",
                                           "watch",
                                           "debug"};

}  // namespace

std::span<const Synonym> member_synonyms() { return kSynonyms; }
std::span<const Synonym> type_synonyms() { return kTypes; }
std::span<const std::string_view> nested_members() { return kNested; }

bool is_known_member(std::string_view name) {
  return std::ranges::find(kRead, name) != std::end(kRead) ||
         std::ranges::find(kOfTheHost, name) != std::end(kOfTheHost);
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  bool within = false;
  char quote = 0;
  for (const char c : text) {
    if (quote == 0 && (c == ' ' || c == '\t')) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::map<std::string, std::string> read_env_lines(const std::string& text) {
  std::map<std::string, std::string> out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line(trimmed(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with("export ")) line.erase(0, 7);
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string::npos) continue;
    std::string value(trimmed(std::string_view(line).substr(equals + 1)));
    const bool quoted = value.size() > 1 && value.front() == value.back() &&
                        (value.front() == '"' || value.front() == '\'');
    if (quoted) value = value.substr(1, value.size() - 2);
    out[std::string(trimmed(std::string_view(line).substr(0, equals)))] = value;
  }
  return out;
}

}  // namespace plumbline::cli
