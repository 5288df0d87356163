// ServerScript is a simulated MCP server as data: what it offers, how it behaves, what goes wrong.
//
// It is parsed once and shared const by every world that runs it. docs/ describes the JSON form;
// in short:
//
//   { "revision": "2025-11-25", "name": "files", "version": "1.0", "instructions": "...",
//     "capabilities": {...},           // Default: derived from what is declared.
//     "tools": [ {"name": ..., "inputSchema": ..., ...,
//                 "does": [STEP...],   // Default: a text that says the tool ran.
//                 "effect": {"key": "{{path}}", "idempotent": false},
//                 "copies": 40,            // Listed as name_1 to name_40.
//                 "auth": false} ],    // Calls are refused as unauthorized.
//     "resources": [ {"uri", "name", ..., "text" | "blob", "does"} ],
//     "resource_templates": [ {"uriTemplate", "name", ...} ],
//     "prompts": [ {"name", ..., "arguments", "messages", "does"} ],
//     "page_size": 2, "latency_ms": 1, "startup_ms": 10, "stderr": "...", "ignores_term": false,
//     "on": [ {"method": "tools/call", "name": "list_directory", "nth": 1, "do": [STEP...]} ],
//     "deviations": ["wrong_response_id"] }

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "core/mcp/protocol/revision.h"
#include "fakes/faults/deviations.h"
#include "fakes/peers/behaviour.h"

namespace plumbline::fakes {

// ToolScript is one tool. `listed` is what tools/list says of it.
struct ToolScript {
  std::string name;
  Json listed;
  Behaviour does;
  std::optional<EffectSpec> effect;  // Committed once a call, just before its successful answer.
  bool authorized = true;
};

struct ResourceScript {
  std::string uri;
  Json listed;
  Json contents;  // The one item of resources/read.
  Behaviour does;
};

struct PromptScript {
  std::string name;
  Json listed;
  Json messages;  // May hold {{argument}} in any string.
  Behaviour does;
};

// Rule overrides what one method does. `method` "startup" is the start of the server itself,
// before it reads anything.
struct Rule {
  std::string method;
  std::optional<std::string> name;     // params.name, or params.uri.
  std::optional<std::string> without;  // Only when params lacks this member.
  std::optional<std::int64_t> nth;     // Of what matches all that, from 1, restarts included.
  bool never = false;                  // A trap: a run that comes to it has failed.
  Behaviour steps;
};

struct ServerScript {
  // The newest it speaks: with sessions the older ones too, one without them alone.
  mcp::Revision revision = mcp::kLatestStateful;
  std::string name = "scripted";
  std::string version = "1.0.0";
  std::vector<ToolScript> tools;
  std::vector<ResourceScript> resources;
  std::vector<PromptScript> prompts;
  Duration latency{};  // Before each answer.
  Duration startup{};  // Before it reads the first message.
  std::vector<Rule> rules;
  DeviationSet deviations;
  std::string stderr_text;  // Written at start.
  bool ignores_term = false;

  bool is_stateless() const { return mcp::is_stateless(revision); }

  // Answers prepared by parse_server_script.
  Json initialize_result;  // All but protocolVersion.
  std::vector<Json> tool_pages;
  std::vector<Json> resource_pages;
  std::vector<Json> template_pages;
  std::vector<Json> prompt_pages;
};

// parse_server_script reads the JSON form. Unknown keys, wrong types, values out of range and
// names declared twice are refused.
Result<ServerScript, Problem> parse_server_script(const Json& json);

// server_shape is the JSON Schema of what parse_server_script reads.
Json server_shape();

}  // namespace plumbline::fakes
