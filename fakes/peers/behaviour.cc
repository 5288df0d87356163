// The JSON form of one behaviour: a list of steps, each an object with the one key that names it.

#include "fakes/peers/behaviour.h"

#include <array>
#include <string>
#include <utility>

#include "core/base/base64.h"
#include "core/base/limits.h"
#include "core/json/fields/fields.h"

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
  std::string_view what;
};

constexpr std::array kSteps = {
    StepForm{"delay_ms", StepKind::kDelay, Form::kMilliseconds, "Waits."},
    StepForm{"reply", StepKind::kReply, Form::kObject,
             "Answers with this result; {{argument}} is filled in."},
    StepForm{"error", StepKind::kError, Form::kErrorObject, "Answers with a JSON-RPC error."},
    StepForm{"tool_error", StepKind::kToolError, Form::kText,
             "Answers with a result that has isError and this text."},
    StepForm{"effect", StepKind::kEffect, Form::kEffectObject, "Commits a side effect now."},
    StepForm{"notify", StepKind::kNotify, Form::kNotification, "Sends a notification."},
    StepForm{"progress", StepKind::kProgress, Form::kProgressList,
             "Reports progress, when the request has a token."},
    StepForm{"request", StepKind::kRequest, Form::kQuestion,
             "Sends a request to the client and continues when it answers."},
    StepForm{"hang", StepKind::kHang, Form::kTrue, "Does nothing more."},
    StepForm{"garbage", StepKind::kGarbage, Form::kText,
             "Writes this text unchanged, as often as stated."},
    StepForm{"garbage_base64", StepKind::kGarbage, Form::kBase64, "Writes these bytes unchanged."},
    StepForm{"raw", StepKind::kRaw, Form::kAny, "Sends any JSON as a message."},
    StepForm{"duplicate", StepKind::kDuplicate, Form::kTrue, "Sends the last answer again."},
    StepForm{"late", StepKind::kLate, Form::kMilliseconds,
             "Waits; a cancellation doesn't cut this short."},
    StepForm{"hold", StepKind::kHold, Form::kText,
             "Waits until another exchange releases this label."},
    StepForm{"release", StepKind::kRelease, Form::kText,
             "Releases this label: exchanges that hold it continue."},
    StepForm{"reply_to", StepKind::kReplyTo, Form::kId,
             "Gives this id to all answers from here on."},
    StepForm{"close", StepKind::kClose, Form::kTrue, "Ends its output cleanly."},
    StepForm{"reset", StepKind::kReset, Form::kTrue, "Breaks the connection."},
    StepForm{"crash", StepKind::kCrash, Form::kCrashObject, "Ends the process."},
    StepForm{"stderr", StepKind::kStderr, Form::kText, "Writes to stderr."},
    StepForm{"half_line", StepKind::kHalfLine, Form::kTrue,
             "Writes half of the answer without a line end."},
};

void look(ObjectReader& fields, std::string_view key) { fields.take(key); }

// What of a notification or a request is sent as it stands.
Fields<Step> message_fields(std::string_view what) {
  return {what,
          {
              field::shown<Step>("method", shape::words(),
                                 [](ObjectReader& f, std::string_view key) { f.string(key); })
                  .must("a string"),
              field::shown<Step>("params", shape::object(),
                                 [](ObjectReader& f, std::string_view key) { f.object(key); }),
          }};
}

const Fields<Step>& notification_fields() {
  static const Fields<Step> kFields =
      message_fields("a notification")
          .and_those({"a notification",
                      {
                          field::whole("times", &Step::times, 1, kNotificationsMax),
                          field::milliseconds("every_ms", &Step::wait),
                      }});
  return kFields;
}

void read_notification(const Json& value, const std::string& pointer, Step& step,
                       std::optional<Problem>& problem) {
  ObjectReader message(value, pointer, "a notification", problem);
  step.times = 1;
  step.wait = {};
  notification_fields().read(message, step);
  if (message.has("every_ms")) message.require("times", "how often");
  message.finish();
}

void check_id(const Json& value, const std::string& pointer, std::optional<Problem>& problem) {
  if (value.is_string() || value.is_number() || value.is_null()) return;
  add_type_problem(problem, pointer, value, "a string, a number or null");
}

Json id_shape() { return {{"type", {"string", "number", "null"}}}; }

const Fields<Step>& question_fields() {
  static const Fields<Step> kFields =
      message_fields("a request")
          .and_those(
              {"a request",
               {field::shown<Step>("id", id_shape(), [](ObjectReader& f, std::string_view key) {
                 const Json* const id = f.take(key);
                 if (id == nullptr) return;
                 check_id(*id, f.pointer_to(key), f.problem());
               })}});
  return kFields;
}

const Fields<Step>& error_fields() {
  static const Fields<Step> kFields(
      "an error", {
                      field::shown<Step>("code", shape::whole(INT32_MIN, INT32_MAX),
                                         [](ObjectReader& f, std::string_view key) {
                                           f.integer(key, INT32_MIN, INT32_MAX);
                                         })
                          .must("a whole number"),
                      field::shown<Step>("message", shape::text(),
                                         [](ObjectReader& f, std::string_view key) { f.text(key); })
                          .must("a string"),
                      field::shown<Step>("data", Json::object(), look),
                  });
  return kFields;
}

Json number_shape() { return {{"type", "number"}}; }

Field<Step> number_row(std::string_view key) {
  return field::shown<Step>(key, number_shape(), [](ObjectReader& f, std::string_view name) {
    const Json* const number = f.take(name);
    if (number == nullptr || number->is_number()) return;
    add_type_problem(f.problem(), f.pointer_to(name), *number, "a number");
  });
}

const Fields<Step>& progress_fields() {
  static const Fields<Step> kFields(
      "progress",
      {
          number_row("progress").must("a number"),
          number_row("total"),
          field::shown<Step>("message", shape::text(),
                             [](ObjectReader& f, std::string_view key) { f.text(key); }),
      });
  return kFields;
}

void check_progress(const Json& value, const std::string& pointer, Step& step,
                    std::optional<Problem>& problem) {
  if (!value.is_array()) return add_type_problem(problem, pointer, value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Json& item = value[i];
    const std::string at = pointer + "/" + std::to_string(i);
    if (item.is_number()) continue;
    if (!item.is_object()) return add_type_problem(problem, at, item, "a number or an object");
    progress_fields().read(item, at, problem, step);
  }
}

const Fields<net::ExitStatus>& crash_fields() {
  static const Fields<net::ExitStatus> kFields(
      "a crash",
      {
          field::whole("signal", &net::ExitStatus::signal, 1, 64),
          field::whole("exit", &net::ExitStatus::code, 0, 255),
      },
      {{"minProperties", 1}, {"maxProperties", 1}});
  return kFields;
}

net::ExitStatus read_crash(const Json& value, const std::string& pointer,
                           std::optional<Problem>& problem) {
  ObjectReader reader(value, pointer, "a crash", problem);
  net::ExitStatus status{};
  crash_fields().read(reader, status);
  reader.finish();
  if (reader.has("signal") == reader.has("exit")) {
    add_problem(problem, pointer, "expected either \"signal\" or \"exit\"");
  }
  return status;
}

const Fields<EffectSpec>& effect_fields() {
  static const Fields<EffectSpec> kFields("an effect",
                                          {
                                              field::text("key", &EffectSpec::key),
                                              field::yes("idempotent", &EffectSpec::idempotent),
                                          });
  return kFields;
}

Json shape_of(Form form) {
  switch (form) {
    case Form::kTrue:
      return shape::only(true);
    case Form::kMilliseconds:
      return shape::milliseconds();
    case Form::kText:
      return shape::text();
    case Form::kBase64:
      return shape::with(shape::text(), "contentEncoding", "base64");
    case Form::kObject:
      return shape::object();
    case Form::kId:
      return id_shape();
    case Form::kNotification:
      return notification_fields().shape();
    case Form::kQuestion:
      return question_fields().shape();
    case Form::kErrorObject:
      return error_fields().shape();
    case Form::kProgressList:
      return shape::list(shape::either(number_shape(), progress_fields().shape()));
    case Form::kEffectObject:
      return shape::ref("effect");
    case Form::kCrashObject:
      return crash_fields().shape();
    case Form::kAny:
      break;
  }
  return Json::object();
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
      question_fields().read(value, pointer, problem, step);
      break;
    case Form::kErrorObject:
      error_fields().read(value, pointer, problem, step);
      break;
    case Form::kProgressList:
      check_progress(value, pointer, step, problem);
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

// repeats returns whether a step of this form may say how often.
bool repeats(const StepForm& form) {
  return form.kind == StepKind::kStderr || form.key == "garbage";
}

Step read_step(const Json& value, const std::string& pointer, std::optional<Problem>& problem) {
  ObjectReader reader(value, pointer, "a step", problem);
  Step step;
  int found = 0;
  bool again = false;
  for (const StepForm& form : kSteps) {
    if (find(value, form.key) == nullptr) continue;
    ++found;
    again = again || repeats(form);
    step.kind = form.kind;
    read_value(form, reader, step, problem);
  }
  if (again && found == 1) read_repeat(reader, step, problem);
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
  EffectSpec spec;
  effect_fields().read(effect, pointer, problem, spec);
  return spec;
}

Json step_shape() {
  Json kinds = Json::array();
  for (const StepForm& form : kSteps) {
    Json members = {{std::string(form.key), shape_of(form.form)}};
    if (repeats(form)) members["repeat"] = shape::whole(1, kRepeatMax);
    Json kind = shape::says(shape::closed(std::move(members)), form.what);
    kinds.push_back(shape::with(std::move(kind), "required", Json::array({form.key})));
  }
  return {{"oneOf", std::move(kinds)}};
}

Json effect_shape() { return effect_fields().shape(); }

}  // namespace plumbline::fakes
