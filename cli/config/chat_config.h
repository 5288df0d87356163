// The settings of `chat-api`: the member "chat" of an mcpServers file, whose servers are those that
// users can link.
//
//   { "mcpServers": {"files": {"command": "npx", "args": ["..."]}},
//     "chat": {
//       "auth": "jwks=https://login.example/jwks,issuer=https://login.example",
//       "model": {"script": "model.json"},      // Or {"settings": "models.json", "role":
//       "default"},
//                                               // or {"name": "gpt-5"}: OpenAI, OPENAI_API_KEY.
//       "servers": {"files": {"name": "Files", "description": "...", "tags": ["local"]}},
//       "linked": ["files"],                    // What every user has without linking it.
//       "registry": {"url": "http://localhost:8788", "allow": ["https://agents.example"]},
//       "instructions": "...", "temperature": 0.2, "rounds_max": 8, "turn_max_ms": 600000,
//       "summary": true } }

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/config.h"
#include "cli/serving.h"
#include "core/service/chat/chat_api.h"

namespace plumbline::cli {

struct ChatConfig {
  Config servers;
  service::ChatApiOptions api;
  std::optional<ServingAuth> auth;  // Nothing: nobody comes in, unless api.anonymous says who.
  ChatModel model;
  std::vector<Json> listed;                // Of the catalog.
  std::optional<RegistrySource> registry;  // Where more servers are looked for.
};

// parse_chat_config reads the text of `file_name`. Comments are allowed. Files that it names start
// at its folder. kInvalidInput: "file:line:column: what, what was expected".
Result<ChatConfig> parse_chat_config(std::string_view text, const std::string& file_name,
                                     const Surroundings& around);
Result<ChatConfig> parse_chat_config(std::string_view text, const std::string& file_name);

}  // namespace plumbline::cli
