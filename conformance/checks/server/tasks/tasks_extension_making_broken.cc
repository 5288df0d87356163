#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

Deviation becoming(std::string_view id, std::string_view what,
                   void (*from_server)(Interceptor&, Json),
                   std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2026-07-28";
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

// handle_in returns the task that a call became; nullptr: it did not.
Json* handle_in(Interceptor& interceptor, Json& message) {
  Json* const result = edit::result_of(interceptor, message, "tools/call");
  const bool task = result != nullptr && string_or(*result, "resultType", "") == "task";
  return task ? result : nullptr;
}

// declares returns whether the request that `message` answers declared the capability `name`.
bool declares(Interceptor& interceptor, const Json& message, const char* name) {
  const Json params = edit::params_asked(interceptor, message);
  const Json* const meta = find(params, "_meta");
  const Json* const declared = meta == nullptr ? nullptr : find(*meta, kMetaCapabilities);
  return declared != nullptr && find(*declared, name) != nullptr;
}

void become_task(Json& message) {
  Json task = Json::object();
  task["resultType"] = "task";
  task["taskId"] = "made-for-nobody";
  task["status"] = "working";
  task["createdAt"] = task["lastUpdatedAt"] = "2026-07-28T00:00:00Z";
  task["ttlMs"] = nullptr;
  edit::answer_instead(message, std::move(task));
}

bool computes(Interceptor& interceptor, const Json& message) {
  return interceptor.method_asked(message) == "tools/call" &&
         edit::is_of(interceptor, message, "slow_compute") && find(message, "result") != nullptr;
}

// forgets refuses tasks/get the first time, unless the task was meant to end.
void forgets(Interceptor& interceptor, Json message) {
  if (const Json* const task = handle_in(interceptor, message)) {
    interceptor.memory[string_or(*task, "taskId", "")] = "made";
  }
  const std::string method = interceptor.method_asked(message);
  const std::string id = string_or(edit::params_asked(interceptor, message), "taskId", "");
  if (method.starts_with("tasks/") && find(message, "result") && interceptor.memory.contains(id)) {
    const bool first = interceptor.memory[id] == Json("made");
    interceptor.memory[id] = "known";
    if (first && method == "tasks/get") edit::refuse_instead(message, -32602);
  }
  interceptor.say(message);
}

// Counted ids stand for the real ones.
void counts(Interceptor& interceptor, Json message) {
  if (Json* const task = handle_in(interceptor, message)) {
    const std::string counted = "task-" + std::to_string(1000 + ++interceptor.count);
    interceptor.memory[counted] = (*task)["taskId"];
    (*task)["taskId"] = counted;
  }
  interceptor.say(message);
}

void takes_counted(Interceptor& interceptor, Json message) {
  const std::string id =
      message.contains("params") ? string_or(message["params"], "taskId", "") : std::string();
  if (interceptor.memory.is_object() && interceptor.memory.contains(id)) {
    message["params"]["taskId"] = interceptor.memory[id];
  }
  interceptor.pass(message);
}

Deviation counting() {
  Deviation deviation = becoming("tasks.id-unguessable", "counts its tasks", counts);
  deviation.from_client_message = takes_counted;
  return deviation;
}

const Deviation kTasksExtensionMakingDeviations[] = {
    becoming("tasks.task-shape", "does not say how long it keeps a task",
             [](Interceptor& interceptor, Json message) {
               if (Json* const task = handle_in(interceptor, message)) task->erase("ttlMs");
               interceptor.say(message);
             }),
    becoming("tasks.create-result-type", "calls a task a complete result",
             [](Interceptor& interceptor, Json message) {
               if (Json* const task = handle_in(interceptor, message))
                 (*task)["resultType"] = "complete";
               interceptor.say(message);
             }),
    becoming("tasks.durable-before-return", "tells of a task before it knows it", forgets),
    counting(),
    becoming("tasks.create-only-if-declared", "makes tasks for those who cannot take them",
             [](Interceptor& interceptor, Json message) {
               const bool old = declares(interceptor, message, "tasks") ||
                                edit::params_asked(interceptor, message).contains("task");
               if (computes(interceptor, message) && !old &&
                   !declares(interceptor, message, "extensions")) {
                 become_task(message);
               }
               interceptor.say(message);
             },
             {"base.result-type-known-set"}),
    becoming("tasks.legacy-capability-not-declaring", "takes the old capability for the extension",
             [](Interceptor& interceptor, Json message) {
               if (computes(interceptor, message) && declares(interceptor, message, "tasks")) {
                 become_task(message);
               }
               interceptor.say(message);
             },
             {"base.result-type-known-set"}),
    becoming("tasks.legacy-task-param-ignored", "refuses the old parameter",
             [](Interceptor& interceptor, Json message) {
               const bool old = edit::params_asked(interceptor, message).contains("task");
               if (computes(interceptor, message) && old) edit::refuse_instead(message, -32602);
               interceptor.say(message);
             }),
    becoming("tasks.missing-capability-error", "does not say which capability it misses",
             [](Interceptor& interceptor, Json message) {
               if (edit::is_of(interceptor, message, "failing_job") && message.contains("error")) {
                 message["error"].erase("data");
               }
               interceptor.say(message);
             },
             {"jsonrpc.error-code-defined-meaning"}),
    becoming("tasks.missing-capability-error", "calls a missing capability wrong params",
             [](Interceptor& interceptor, Json message) {
               if (edit::is_of(interceptor, message, "failing_job") && message.contains("error")) {
                 message["error"]["code"] = -32602;
               }
               interceptor.say(message);
             }),
    becoming("tasks.methods-require-capability", "calls a missing capability an internal error",
             [](Interceptor& interceptor, Json message) {
               if (interceptor.method_asked(message) == "tasks/cancel" &&
                   edit::code_of(message) == -32021) {
                 message["error"]["code"] = -32603;
               }
               interceptor.say(message);
             }),
    becoming("tasks.extension-not-in-legacy-revision", "makes its new tasks in an old revision",
             [](Interceptor& interceptor, Json message) {
               if (interceptor.method_asked(message) == "initialize") interceptor.count = 1;
               if (interceptor.count == 1 && computes(interceptor, message)) become_task(message);
               interceptor.say(message);
             }),
};

}  // namespace

Deviations tasks_extension_making_deviations() { return kTasksExtensionMakingDeviations; }

}  // namespace plumbline::conformance
