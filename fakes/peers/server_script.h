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

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/net/spawner.h"
#include "fakes/faults/deviations.h"

namespace plumbline::fakes {

// kScriptRevisions are those with sessions that a scripted server can speak, oldest first.
inline constexpr std::string_view kScriptRevisions[] = {"2024-11-05", "2025-03-26", "2025-06-18",
                                                        "2025-11-25"};

// kStatelessRevision is spoken alone: a script of it knows no initialize.
inline constexpr std::string_view kStatelessRevision = "2026-07-28";

// StepKind is what one step of a behaviour does. Those marked "answers" stand in for the default
// answer; a behaviour without one ends in it.
enum class StepKind {
  kDelay,      // {"delay_ms": n}
  kReply,      // {"reply": result}. Answers.
  kError,      // {"error": {"code", "message", "data"?}}. Answers.
  kToolError,  // {"tool_error": "text"}: a result with isError. Answers.
  kEffect,     // {"effect": {"key"?, "idempotent"?}}: commits now.
  kNotify,     // {"notify": {"method", "params"?, "times"?, "every_ms"?}}
  kProgress,   // {"progress": [0.5, {"progress": 1, "total": 2, "message": "..."}]}; needs a token.
  kRequest,    // {"request": {"method", "params"?, "id"?}}: asks the client, goes on at its answer.
  kHang,       // {"hang": true}: nothing more. Answers.
  kGarbage,    // {"garbage": "line\n", "repeat": 1}, {"garbage_base64": "..."}: bytes as they are.
  kRaw,        // {"raw": any JSON}: sent as a message. Answers.
  kDuplicate,  // {"duplicate": true}: the last answer again.
  kLate,       // {"late": ms}: a delay that a cancellation does not cut short.
  kHold,       // {"hold": "label"}: waits for the release.
  kRelease,    // {"release": "label"}: lets holders go on, those to come too.
  kReplyTo,    // {"reply_to": id}: what is answered from here on carries this id.
  kClose,      // {"close": true}: an orderly end of what it sends. Answers.
  kReset,      // {"reset": true}: breaks the connection. Answers.
  kCrash,      // {"crash": {"signal": 9}} or {"crash": {"exit": 3}}. Answers.
  kStderr,     // {"stderr": "text", "repeat": 1}
  kHalfLine,   // {"half_line": true}: half of the default answer, no line end. Answers.
};

// kFillerBytesMax is what one {{text:N}} may ask for.
inline constexpr std::size_t kFillerBytesMax = 32U << 20U;

// EffectSpec is a side effect to commit. `key` may hold {{argument}}; empty: the canonical
// arguments of the call.
struct EffectSpec {
  std::string key;
  bool idempotent = false;
};

// Step is one step. Which fields count follows from `kind`.
struct Step {
  StepKind kind = StepKind::kHang;
  Duration wait{};         // kDelay, kLate; between two of kNotify.
  std::int64_t times = 1;  // kNotify.
  Json value;         // kReply, kError, kToolError, kNotify, kProgress, kRequest, kRaw, kReplyTo.
  std::string text;   // kGarbage, kHold, kRelease, kStderr.
  EffectSpec effect;  // kEffect.
  transport::ExitStatus exit;  // kCrash.
  bool templated = false;      // `value` or `text` holds {{argument}}, to be filled by the call's.
};

using Behaviour = std::vector<Step>;

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
  std::string revision = "2025-11-25";  // The newest it speaks; with sessions, the older ones too.
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

  bool is_stateless() const { return revision == kStatelessRevision; }

  // Answers prepared by parse_server_script.
  Json initialize_result;  // All but protocolVersion.
  std::vector<Json> tool_pages;
  std::vector<Json> resource_pages;
  std::vector<Json> template_pages;
  std::vector<Json> prompt_pages;
};

// ScriptError is why a script is refused: where, as an RFC 6901 pointer into what was given, and
// what was expected there.
struct ScriptError {
  std::string pointer;
  std::string message;
};

// parse_server_script reads the JSON form. Unknown keys, wrong types, values out of range and
// names declared twice are refused.
Result<ServerScript, ScriptError> parse_server_script(const Json& json);

// fill_placeholders returns `text` with each {{name}} replaced by the member `name` of
// `arguments`: a string as it is, anything else dumped; as it stands when there is none.
// {{text:N}} and {{base64:N}} are N bytes of that.
std::string fill_placeholders(std::string_view text, const Json& arguments);

// fill_id returns `text` with each {{id}} replaced by the id of a request as JSON; where it stands
// in quotes alone, by the id without them.
std::string fill_id(std::string text, const Json& id);

// fill_id_in does so in every string inside `value`; one that is {{id}} alone becomes the id.
void fill_id_in(Json& value, const Json& id);

// fill_placeholders_in does so in every string inside `value`.
void fill_placeholders_in(Json& value, const Json& arguments);

}  // namespace plumbline::fakes
