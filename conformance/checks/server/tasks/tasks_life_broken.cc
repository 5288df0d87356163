#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kRelatedTask = "io.modelcontextprotocol/related-task";

Deviation lived(std::string_view id, std::string_view what, void (*from_server)(Hands&, Json),
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
Json* shown_task(Hands& hands, Json& message) {
  return edit::result_of(hands, message, "tasks/get");
}

// asks_for_a_task returns whether `message` is a question that a task has to its client.
bool asks_for_a_task(const Json& message) {
  const Json* const meta = at_pointer(message, "/params/_meta");
  return edit::is_method(message, "elicitation/create") && meta != nullptr &&
         find(*meta, kRelatedTask) != nullptr;
}

const Deviation kTasksLifeDeviations[] = {
    lived("tasks.terminal-is-final", "takes up again what is completed",
          [](Hands& hands, Json message) {
            Json* const task = shown_task(hands, message);
            if (task != nullptr && string_or(*task, "status", "") == "completed") {
              Json& told = hands.memory[string_or(*task, "taskId", "")];
              if (told == Json(true)) (*task)["status"] = "working";
              told = true;
            }
            hands.say(message);
          }),
    lived("tasks.cancel-sticky", "completes what is cancelled",
          [](Hands& hands, Json message) {
            Json* const task = shown_task(hands, message);
            if (task != nullptr && string_or(*task, "status", "") == "cancelled") {
              (*task)["status"] = "completed";
            }
            hands.say(message);
          }),
    lived("tasks.valid-transitions", "tells of work after the end",
          [](Hands& hands, Json message) {
            hands.say(message);
            if (edit::is_method(message, "notifications/tasks/status") &&
                string_or(message["params"], "status", "") == "completed") {
              message["params"]["status"] = "working";
              hands.say(message);
            }
          }),
    lived("tasks.input-request-related", "asks in the name of another task",
          [](Hands& hands, Json message) {
            if (asks_for_a_task(message)) {
              message["params"]["_meta"][kRelatedTask]["taskId"] = "another";
            }
            hands.say(message);
          },
          {"tasks.related-meta-on-all-messages"}),
    lived("tasks.related-meta-on-all-messages", "does not say for which task it asks",
          [](Hands& hands, Json message) {
            if (asks_for_a_task(message)) message["params"].erase("_meta");
            hands.say(message);
          },
          {"tasks.input-request-related"}),
    lived("tasks.status-notification-full", "tells of a task without its dates",
          [](Hands& hands, Json message) {
            if (edit::is_method(message, "notifications/tasks/status")) {
              message["params"].erase("createdAt");
            }
            hands.say(message);
          }),
    lived("tasks.status-notification-no-related-meta", "names a task twice",
          [](Hands& hands, Json message) {
            if (edit::is_method(message, "notifications/tasks/status")) {
              message["params"]["_meta"][kRelatedTask]["taskId"] = message["params"]["taskId"];
            }
            hands.say(message);
          }),
    lived("tasks.result-equals-underlying", "says more as a task",
          [](Hands& hands, Json message) {
            Json* const result = edit::result_of(hands, message, "tasks/result");
            if (result != nullptr && result->contains("content")) {
              Json more = Json::object();
              more["type"] = "text";
              more["text"] = "(as a task)";
              (*result)["content"].push_back(std::move(more));
            }
            hands.say(message);
          }),
    lived("tasks.failed-when-request-fails", "completes what has failed",
          [](Hands& hands, Json message) {
            Json* const task = shown_task(hands, message);
            if (task != nullptr && string_or(*task, "status", "") == "failed") {
              (*task)["status"] = "completed";
            }
            hands.say(message);
          }),
    lived("tasks.errors-informative", "does not say why a task failed",
          [](Hands& hands, Json message) {
            if (Json* const task = shown_task(hands, message)) task->erase("statusMessage");
            hands.say(message);
          }),
    lived("tasks.no-related-meta-in-operations", "names the task it shows twice",
          [](Hands& hands, Json message) {
            if (Json* const task = shown_task(hands, message)) {
              (*task)["_meta"][kRelatedTask]["taskId"] = (*task)["taskId"];
            }
            hands.say(message);
          }),
};

}  // namespace

Deviations tasks_life_deviations() { return kTasksLifeDeviations; }

}  // namespace plumbline::conformance
