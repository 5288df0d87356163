// Behaviour is what a scripted server does about one request, as data: steps, one after the other.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "core/net/spawner.h"

namespace plumbline::fakes {

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
  net::ExitStatus exit;    // kCrash.
  bool templated = false;  // `value` or `text` holds {{argument}}, to be filled by the call's.
};

using Behaviour = std::vector<Step>;

// read_behaviour reads a list of steps at `pointer`.
Behaviour read_behaviour(const Json& steps, const std::string& pointer,
                         std::optional<Problem>& problem);

// read_effect reads an EffectSpec at `pointer`.
EffectSpec read_effect(const Json& effect, const std::string& pointer,
                       std::optional<Problem>& problem);

// The JSON Schemas of a step, and of an effect.
Json step_shape();
Json effect_shape();

}  // namespace plumbline::fakes
