#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

Deviation lived(std::string_view id, std::string_view what, void (*from_server)(Interceptor&, Json),
                std::vector<std::string_view> also = {}) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = "2025-11-25";
  deviation.what = what;
  deviation.from_server = from_server;
  deviation.also = std::move(also);
  return deviation;
}

// shown_task returns the task that tasks/get is answered with; nullptr: it is not.
Json* shown_task(Interceptor& interceptor, Json& message) {
  return edit::result_of(interceptor, message, "tasks/get");
}

// asks_for_a_task returns whether `message` is a question that a task has to its client.
bool asks_for_a_task(const Json& message) {
  const Json* const meta = at_pointer(message, "/params/_meta");
  return edit::is_method(message, "elicitation/create") && meta != nullptr &&
         find(*meta, kMetaRelatedTask) != nullptr;
}

const Deviation kTasksLifeDeviations[] = {
    lived("tasks.terminal-is-final", "takes up again what is completed",
          [](Interceptor& interceptor, Json message) {
            Json* const task = shown_task(interceptor, message);
            if (task != nullptr && string_or(*task, "status", "") == "completed") {
              Json& told = interceptor.memory[string_or(*task, "taskId", "")];
              if (told == Json(true)) (*task)["status"] = "working";
              told = true;
            }
            interceptor.say(message);
          }),
    lived("tasks.cancel-sticky", "completes what is cancelled",
          [](Interceptor& interceptor, Json message) {
            Json* const task = shown_task(interceptor, message);
            if (task != nullptr && string_or(*task, "status", "") == "cancelled") {
              (*task)["status"] = "completed";
            }
            interceptor.say(message);
          }),
    lived("tasks.valid-transitions", "tells of work after the end",
          [](Interceptor& interceptor, Json message) {
            interceptor.say(message);
            if (edit::is_method(message, "notifications/tasks/status") &&
                string_or(message["params"], "status", "") == "completed") {
              message["params"]["status"] = "working";
              interceptor.say(message);
            }
          }),
    lived("tasks.input-request-related", "asks in the name of another task",
          [](Interceptor& interceptor, Json message) {
            if (asks_for_a_task(message)) {
              message["params"]["_meta"][kMetaRelatedTask]["taskId"] = "another";
            }
            interceptor.say(message);
          },
          {"tasks.related-meta-on-all-messages"}),
    lived("tasks.related-meta-on-all-messages", "does not say for which task it asks",
          [](Interceptor& interceptor, Json message) {
            if (asks_for_a_task(message)) message["params"].erase("_meta");
            interceptor.say(message);
          },
          {"tasks.input-request-related"}),
    lived("tasks.status-notification-full", "tells of a task without its dates",
          [](Interceptor& interceptor, Json message) {
            if (edit::is_method(message, "notifications/tasks/status")) {
              message["params"].erase("createdAt");
            }
            interceptor.say(message);
          }),
    lived("tasks.status-notification-no-related-meta", "names a task twice",
          [](Interceptor& interceptor, Json message) {
            if (edit::is_method(message, "notifications/tasks/status")) {
              message["params"]["_meta"][kMetaRelatedTask]["taskId"] = message["params"]["taskId"];
            }
            interceptor.say(message);
          }),
    lived("tasks.result-equals-underlying", "says more as a task",
          [](Interceptor& interceptor, Json message) {
            Json* const result = edit::result_of(interceptor, message, "tasks/result");
            if (result != nullptr && result->contains("content")) {
              Json more = Json::object();
              more["type"] = "text";
              more["text"] = "(as a task)";
              (*result)["content"].push_back(std::move(more));
            }
            interceptor.say(message);
          }),
    lived("tasks.failed-when-request-fails", "completes what has failed",
          [](Interceptor& interceptor, Json message) {
            Json* const task = shown_task(interceptor, message);
            if (task != nullptr && string_or(*task, "status", "") == "failed") {
              (*task)["status"] = "completed";
            }
            interceptor.say(message);
          }),
    lived("tasks.errors-informative", "does not say why a task failed",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = shown_task(interceptor, message)) task->erase("statusMessage");
            interceptor.say(message);
          }),
    lived("tasks.no-related-meta-in-operations", "names the task it shows twice",
          [](Interceptor& interceptor, Json message) {
            if (Json* const task = shown_task(interceptor, message)) {
              (*task)["_meta"][kMetaRelatedTask]["taskId"] = (*task)["taskId"];
            }
            interceptor.say(message);
          }),
};

}  // namespace

Deviations tasks_life_deviations() { return kTasksLifeDeviations; }

}  // namespace plumbline::conformance
