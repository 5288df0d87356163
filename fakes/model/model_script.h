// ModelScript is a language model as data: what it answers, and what goes wrong with that.
//
// It is parsed once and shared const. docs/models.md describes the JSON form; in short:
//
//   { "model": "scripted", "context_tokens": 8000,
//     "latency_ms": 1, "piece_ms": 0,       // Before each answer; before each piece of its text.
//     "turns": [
//       { "when": "weather",                // Taken only if the last message contains it,
//         "role": "user",                   // and is of the user, or of a tool.
//         "times": 2, "always": true,       // May be taken so often. Default: once.
//         "text": "It is {{celsius}} out.", // Members of the last message, if that is JSON;
//                                           // {{last}} is all of it.
//         "calls": [ {"name": "get_weather", "arguments": {"city": "Bern"}},
//                    {"name": "no_such_tool", "arguments_text": "{\"city\": "} ],
//         "obeys": true,                    // Calls what a tool's result says, see below.
//         "finish": "length",               // Or "refusal". Default: "stop", or "tool_calls".
//         "bytes": 100000,                  // The text is repeated up to that.
//         "cut_after": 3,                   // Pieces; then the answer breaks off.
//         "garbage": true,                  // What comes is not readable.
//         "fails": {"status": 429, "code": "...", "message": "...", "retry_after_ms": 20},
//         "usage": {"input_tokens": 10, "output_tokens": 5},   // false: none is told.
//         "latency_ms": 1, "piece_ms": 50 } ] }
//
// Each answer takes the first turn that fits and may still be taken. A turn that obeys fits only
// where a result since the assistant's last message says `call NAME {ARGUMENTS}`, and calls that.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "core/model/model.h"

namespace plumbline::fakes {

struct ScriptedCall {
  std::string name;
  Json arguments = Json::object();
  std::optional<std::string> arguments_text;  // In place of them, as it stands.
};

struct ModelTurn {
  std::optional<std::string> when;
  std::optional<model::Role> role;
  std::optional<std::int64_t> times = 1;  // Nothing: always.
  std::string text;
  std::vector<ScriptedCall> calls;
  bool obeys = false;
  std::optional<model::FinishReason> finish;
  std::size_t bytes = 0;
  std::optional<std::size_t> cut_after;
  bool garbage = false;
  std::optional<model::Failure> fails;
  bool tells_usage = true;
  std::optional<model::Usage> usage;
  Duration latency{};
  Duration piece{};
};

struct ModelScript {
  std::string model = "scripted";
  std::optional<std::int64_t> context_tokens;  // A prompt of more is refused as too long.
  std::vector<ModelTurn> turns;
};

// parse_model_script reads the JSON form. Unknown keys, wrong types, values out of range and turns
// that contradict themselves are refused.
Result<ModelScript, Problem> parse_model_script(const Json& json);

// The JSON Schemas of a script, and of one of its turns.
Json model_shape();
Json model_turn_shape();

}  // namespace plumbline::fakes
