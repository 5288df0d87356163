#include "cli/config/hosts.h"

#include <algorithm>

namespace plumbline::cli {

namespace {

constexpr unsigned kVsCode = kOfEnv | kInput | kFolders;

// The first that fits is taken. As the hosts were known in November 2026; Windsurf and Cline are
// the least sure.
constexpr Dialect kDialects[] = {
    {"Claude Desktop", "claude_desktop_config.json", "/mcpServers"},
    {"Claude Code", ".mcp.json", "/mcpServers", kPlain | kDefault},
    {"Claude Code", ".claude.json", "/mcpServers", kPlain | kDefault},
    {"VS Code", ".vscode/mcp.json", "/servers", kVsCode},
    {"Cursor", ".cursor/mcp.json", "/mcpServers", kOfEnv | kFolders},
    {"Windsurf", "mcp_config.json", "/mcpServers", kOfEnv},
    {"Gemini CLI", ".gemini/settings.json", "/mcpServers", kPlain | kDefault | kBare},
    {"Cline", "cline_mcp_settings.json", "/mcpServers", kOfEnv},
    {"", "", "/mcpServers", kPlain | kDefault | kOfEnv | kInput | kFolders | kHome},
    {"Zed", "", "/context_servers"},
    {"Codex", "", "/mcp_servers"},
    {"VS Code", "", "/servers", kVsCode},
    {"VS Code", "", "/mcp/servers", kVsCode},
    {"opencode", "", "/mcp", kInBraces},
};

bool ends_at_step(std::string_view path, std::string_view end) {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

// The member "mcp" is also a section of our own settings.
bool has_servers(const Json& root, std::string_view pointer) {
  const Json* const servers = at_pointer(root, pointer);
  if (servers == nullptr || pointer != "/mcp") return servers != nullptr;
  return servers->is_object() && std::ranges::any_of(*servers, [](const Json& entry) {
           const std::string type = string_or(entry, "type", "");
           return type == "local" || type == "remote";
         });
}

}  // namespace

std::span<const Dialect> all_dialects() { return kDialects; }

const Dialect* dialect_of(const Json& root, std::string_view file_name) {
  for (const Dialect& dialect : kDialects) {
    const bool named = dialect.file.empty() || ends_at_step(file_name, dialect.file);
    if (named && has_servers(root, dialect.servers)) return &dialect;
  }
  return nullptr;
}

}  // namespace plumbline::cli
