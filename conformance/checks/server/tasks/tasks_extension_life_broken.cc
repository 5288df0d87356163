#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

Deviation shown(std::string_view id, std::string_view what, void (*from_server)(Interceptor&, Json),
                std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2026-07-28";
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

// got_task returns the task that tasks/get shows with this status; nullptr: it does not.
Json* got_task(Interceptor& interceptor, Json& message, std::string_view status) {
  Json* const task = edit::result_of(interceptor, message, "tasks/get");
  return task != nullptr && string_or(*task, "status", "") == status ? task : nullptr;
}

// one_key shows every question of a task that asks one after the other by the same name.
void one_key(Interceptor& interceptor, Json message) {
  Json* const task = got_task(interceptor, message, "input_required");
  Json* const asked = task == nullptr ? nullptr : &(*task)["inputRequests"];
  if (asked != nullptr && asked->size() == 1 &&
      (asked->contains("one") || asked->contains("other"))) {
    const std::string name = asked->items().begin().key();
    Json renamed = Json::object();
    renamed["question"] = (*asked)[name];
    interceptor.memory[string_or(*task, "taskId", "")] = name;
    *asked = std::move(renamed);
  }
  interceptor.say(message);
}

void takes_one_key(Interceptor& interceptor, Json message) {
  const Json* const given = at_pointer(message, "/params/inputResponses/question");
  if (given != nullptr) {
    const std::string id = string_or(message["params"], "taskId", "");
    Json responses = Json::object();
    responses[interceptor.memory[id].get<std::string>()] = *given;
    message["params"]["inputResponses"] = std::move(responses);
  }
  interceptor.pass(message);
}

Deviation reusing_keys() {
  Deviation deviation =
      shown("tasks.input-keys-unique-per-task", "asks everything by one key", one_key);
  deviation.from_client_message = takes_one_key;
  return deviation;
}

const Deviation kTasksExtensionLifeDeviations[] = {
    shown("tasks.get-working", "has a result before it is done",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = got_task(interceptor, message, "working")) {
              (*task)["result"] = Json::object();
            }
            interceptor.say(message);
          }),
    shown("tasks.get-completed", "keeps the result of a task to itself",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = got_task(interceptor, message, "completed"))
              task->erase("result");
            interceptor.say(message);
          },
          {"tasks.notification-full-task"}),
    shown("tasks.get-failed", "keeps the error of a task to itself",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = got_task(interceptor, message, "failed")) task->erase("error");
            interceptor.say(message);
          }),
    shown("tasks.errors-informative", "does not say why a task failed",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = got_task(interceptor, message, "failed")) {
              task->erase("statusMessage");
            }
            interceptor.say(message);
          }),
    shown("tasks.failed-only-for-jsonrpc-errors", "lets a task fail whose tool has failed",
          [](Interceptor& interceptor, Json message) {
            Json* const task = got_task(interceptor, message, "completed");
            if (task != nullptr && bool_or((*task)["result"], "isError", false)) {
              task->erase("result");
              (*task)["status"] = "failed";
              (*task)["error"]["code"] = -32603;
              (*task)["error"]["message"] = "the tool has failed";
            }
            interceptor.say(message);
          }),
    shown("tasks.get-cancelled", "spells cancelled in another way",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = got_task(interceptor, message, "cancelled")) {
              (*task)["status"] = "canceled";
            }
            interceptor.say(message);
          }),
    shown("tasks.cancel-acknowledged-empty", "answers tasks/cancel with the task",
          [](Interceptor& interceptor, Json message) {
            if (Json* const result = edit::result_of(interceptor, message, "tasks/cancel")) {
              (*result)["status"] = "cancelled";
            }
            interceptor.say(message);
          }),
    shown("tasks.standard-results-complete-type", "has a result type of its own for tasks/cancel",
          [](Interceptor& interceptor, Json message) {
            if (Json* const result = edit::result_of(interceptor, message, "tasks/cancel")) {
              (*result)["resultType"] = "cancelled";
            }
            interceptor.say(message);
          }),
    shown("tasks.result-type-task-only-for-create", "calls what tasks/get shows a task",
          [](Interceptor& interceptor, Json message) {
            if (Json* const result = edit::result_of(interceptor, message, "tasks/get")) {
              (*result)["resultType"] = "task";
            }
            interceptor.say(message);
          },
          {"tasks.standard-results-complete-type"}),
    shown("tasks.get-input-required", "waits for input without asking for any",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = got_task(interceptor, message, "input_required")) {
              task->erase("inputRequests");
            }
            interceptor.say(message);
          }),
    shown("tasks.update-acknowledged-empty", "answers tasks/update with the task",
          [](Interceptor& interceptor, Json message) {
            if (Json* const result = edit::result_of(interceptor, message, "tasks/update")) {
              (*result)["status"] = "working";
            }
            interceptor.say(message);
          }),
    shown("tasks.update-ignores-unknown-keys", "refuses answers to what it has not asked",
          [](Interceptor& interceptor, Json message) {
            const Json params = edit::params_asked(interceptor, message);
            if (at_pointer(params, "/inputResponses/plumbline-never-asked") != nullptr) {
              edit::refuse_instead(message, -32602);
            }
            interceptor.say(message);
          }),
    reusing_keys(),
    shown("tasks.listen-requires-capability", "calls a missing capability an internal error",
          [](Interceptor& interceptor, Json message) {
            if (interceptor.method_asked(message) == "subscriptions/listen" &&
                edit::code_of(message) == -32021) {
              message["error"]["code"] = -32603;
            }
            interceptor.say(message);
          }),
    shown("tasks.notification-full-task", "tells of the end of a task without its result",
          [](Interceptor& interceptor, Json message) {
            if (edit::is_method(message, "notifications/tasks")) message["params"].erase("result");
            interceptor.say(message);
          }),
    shown("tasks.no-progress-or-log-on-listen", "logs to who listens to a task",
          [](Interceptor& interceptor, Json message) {
            if (edit::is_method(message, "notifications/tasks")) {
              Json notice = Json::object();
              notice["jsonrpc"] = "2.0";
              notice["method"] = "notifications/message";
              notice["params"]["_meta"] = message["params"]["_meta"];
              notice["params"]["level"] = "info";
              notice["params"]["data"] = "the task has changed";
              interceptor.say(notice);
            }
            interceptor.say(message);
          },
          {"logging.only-on-request-stream"}),
};

}  // namespace

Deviations tasks_extension_life_deviations() { return kTasksExtensionLifeDeviations; }

}  // namespace plumbline::conformance
