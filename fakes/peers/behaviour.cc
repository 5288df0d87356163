// The JSON form of one behaviour: a list of steps, each an object with the one key that names it.

#include "fakes/peers/behaviour.h"

#include <array>
#include <string>
#include <utility>

#include "core/base/base64.h"
#include "core/base/limits.h"

namespace plumbline::fakes {

namespace {

constexpr std::int64_t kRepeatMax = 1'000'000;
constexpr std::int64_t kNotificationsMax = 10'000;  // Of one step.
constexpr std::size_t kRepeatedBytesMax = 4U << 20U;

// Form is what the value of a step's key has to be.
enum class Form {
  kTrue,
  kMilliseconds,
  kText,
  kBase64,
  kAny,
  kObject,
  kId,
  kNotification,
  kQuestion,
  kErrorObject,
  kProgressList,
  kEffectObject,
  kCrashObject,
};

struct StepForm {
  std::string_view key;
  StepKind kind;
  Form form;
};

constexpr std::array kSteps = {
    StepForm{"delay_ms", StepKind::kDelay, Form::kMilliseconds},
    StepForm{"reply", StepKind::kReply, Form::kObject},
    StepForm{"error", StepKind::kError, Form::kErrorObject},
    StepForm{"tool_error", StepKind::kToolError, Form::kText},
    StepForm{"effect", StepKind::kEffect, Form::kEffectObject},
    StepForm{"notify", StepKind::kNotify, Form::kNotification},
    StepForm{"progress", StepKind::kProgress, Form::kProgressList},
    StepForm{"request", StepKind::kRequest, Form::kQuestion},
    StepForm{"hang", StepKind::kHang, Form::kTrue},
    StepForm{"garbage", StepKind::kGarbage, Form::kText},
    StepForm{"garbage_base64", StepKind::kGarbage, Form::kBase64},
    StepForm{"raw", StepKind::kRaw, Form::kAny},
    StepForm{"duplicate", StepKind::kDuplicate, Form::kTrue},
    StepForm{"late", StepKind::kLate, Form::kMilliseconds},
    StepForm{"hold", StepKind::kHold, Form::kText},
    StepForm{"release", StepKind::kRelease, Form::kText},
    StepForm{"reply_to", StepKind::kReplyTo, Form::kId},
    StepForm{"close", StepKind::kClose, Form::kTrue},
    StepForm{"reset", StepKind::kReset, Form::kTrue},
    StepForm{"crash", StepKind::kCrash, Form::kCrashObject},
    StepForm{"stderr", StepKind::kStderr, Form::kText},
    StepForm{"half_line", StepKind::kHalfLine, Form::kTrue},
};

void read_notification(const Json& value, const std::string& pointer, Step& step,
                       std::optional<Problem>& problem) {
  ObjectReader message(value, pointer, "a notification", problem);
  message.required_string("method");
  message.object("params");
  const std::optional<std::int64_t> times = message.integer("times", 1, kNotificationsMax);
  step.times = times.value_or(1);
  step.wait = message.milliseconds("every_ms").value_or(Duration{});
  if (message.has("every_ms")) message.require("times", "how often");
  message.finish();
}

void check_id(const Json& value, const std::string& pointer, std::optional<Problem>& problem) {
  if (value.is_string() || value.is_number() || value.is_null()) return;
  add_type_problem(problem, pointer, value, "a string, a number or null");
}

void check_question(const Json& value, const std::string& pointer,
                    std::optional<Problem>& problem) {
  ObjectReader question(value, pointer, "a request", problem);
  question.required_string("method");
  question.object("params");
  if (const Json* const id = question.take("id")) check_id(*id, question.pointer_to("id"), problem);
  question.finish();
}

void check_error(const Json& value, const std::string& pointer, std::optional<Problem>& problem) {
  ObjectReader error(value, pointer, "an error", problem);
  error.require("code", "a whole number");
  error.integer("code", INT32_MIN, INT32_MAX);
  error.require("message", "a string");
  error.text("message");
  error.take("data");
  error.finish();
}

void check_progress(const Json& value, const std::string& pointer,
                    std::optional<Problem>& problem) {
  if (!value.is_array()) return add_type_problem(problem, pointer, value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Json& item = value[i];
    const std::string at = pointer + "/" + std::to_string(i);
    if (item.is_number()) continue;
    if (!item.is_object()) return add_type_problem(problem, at, item, "a number or an object");
    ObjectReader reader(item, at, "progress", problem);
    for (const std::string_view key : {"progress", "total"}) {
      const Json* const number = reader.take(key);
      if (number != nullptr && !number->is_number()) {
        add_type_problem(problem, reader.pointer_to(key), *number, "a number");
      } else if (number == nullptr && key == "progress") {
        reader.require(key, "a number");
      }
    }
    reader.text("message");
    reader.finish();
  }
}

net::ExitStatus read_crash(const Json& value, const std::string& pointer,
                           std::optional<Problem>& problem) {
  ObjectReader reader(value, pointer, "a crash", problem);
  const std::optional<std::int64_t> signal = reader.integer("signal", 1, 64);
  const std::optional<std::int64_t> code = reader.integer("exit", 0, 255);
  reader.finish();
  if (signal.has_value() == code.has_value()) {
    add_problem(problem, pointer, "expected either \"signal\" or \"exit\"");
  }
  return {static_cast<int>(code.value_or(0)), static_cast<int>(signal.value_or(0))};
}

// read_value reads what stands at the key of `form` into `step`.
void read_value(const StepForm& form, ObjectReader& reader, Step& step,
                std::optional<Problem>& problem) {
  const Json& value = *reader.take(form.key);
  const std::string pointer = reader.pointer_to(form.key);
  switch (form.form) {
    case Form::kTrue:
      if (value != true) add_problem(problem, pointer, "expected true");
      return;
    case Form::kMilliseconds:
      step.wait = reader.milliseconds(form.key).value_or(Duration{});
      return;
    case Form::kText:
      step.text = reader.text(form.key).value_or("");
      return;
    case Form::kBase64:
      if (std::optional<std::string> bytes = decode_base64(reader.text(form.key).value_or(""))) {
        step.text = std::move(*bytes);
      } else {
        add_problem(problem, pointer, "expected base64");
      }
      return;
    case Form::kObject:
      reader.object(form.key);
      break;
    case Form::kId:
      check_id(value, pointer, problem);
      break;
    case Form::kNotification:
      read_notification(value, pointer, step, problem);
      break;
    case Form::kQuestion:
      check_question(value, pointer, problem);
      break;
    case Form::kErrorObject:
      check_error(value, pointer, problem);
      break;
    case Form::kProgressList:
      check_progress(value, pointer, problem);
      break;
    case Form::kEffectObject:
      step.effect = read_effect(value, pointer, problem);
      return;
    case Form::kCrashObject:
      step.exit = read_crash(value, pointer, problem);
      return;
    case Form::kAny:
      break;
  }
  step.value = value;
}

// read_repeat reads how often the text of a step is written. What is kept of stderr is bounded, so
// that more than twice of that is never seen.
void read_repeat(ObjectReader& reader, Step& step, std::optional<Problem>& problem) {
  const std::int64_t repeat = reader.integer("repeat", 1, kRepeatMax).value_or(1);
  const bool is_stderr = step.kind == StepKind::kStderr;
  const std::string once = step.text;
  for (std::int64_t i = 1; i < repeat; ++i) {
    if (is_stderr && step.text.size() >= 2 * limits::kStderrBytesMax) return;
    if (!is_stderr && step.text.size() + once.size() > kRepeatedBytesMax) {
      return add_problem(problem, reader.pointer_to("repeat"),
                         "expected at most 4194304 bytes of garbage");
    }
    step.text += once;
  }
}

Step read_step(const Json& value, const std::string& pointer, std::optional<Problem>& problem) {
  ObjectReader reader(value, pointer, "a step", problem);
  Step step;
  int found = 0;
  for (const StepForm& form : kSteps) {
    if (find(value, form.key) == nullptr) continue;
    ++found;
    step.kind = form.kind;
    read_value(form, reader, step, problem);
  }
  const bool repeats = step.kind == StepKind::kStderr || find(value, "garbage") != nullptr;
  if (repeats && found == 1) read_repeat(reader, step, problem);
  if (found != 1) {
    std::string names;
    for (const StepForm& form : kSteps) names += " " + std::string(form.key);
    add_problem(problem, pointer, "expected a step with exactly one of" + names);
  }
  reader.finish();
  step.templated = (step.text + dump_json(step.value)).find("{{") != std::string::npos;
  return step;
}

}  // namespace

Behaviour read_behaviour(const Json& steps, const std::string& pointer,
                         std::optional<Problem>& problem) {
  Behaviour behaviour;
  if (!steps.is_array()) add_type_problem(problem, pointer, steps, "an array of steps");
  for (std::size_t i = 0; steps.is_array() && i < steps.size(); ++i) {
    behaviour.push_back(read_step(steps[i], pointer + "/" + std::to_string(i), problem));
  }
  return behaviour;
}

EffectSpec read_effect(const Json& effect, const std::string& pointer,
                       std::optional<Problem>& problem) {
  ObjectReader reader(effect, pointer, "an effect", problem);
  EffectSpec spec;
  spec.key = reader.text("key").value_or("");
  spec.idempotent = reader.boolean("idempotent").value_or(false);
  reader.finish();
  return spec;
}

}  // namespace plumbline::fakes
