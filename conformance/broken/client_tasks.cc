// Clients that get the extension io.modelcontextprotocol/tasks wrong.

#include <string>

#include "conformance/broken/bend.h"
#include "conformance/broken/client_bends.h"

namespace plumbline::conformance {

namespace {

std::string task_given(const Json& message) {
  const Json* const result = find(message, "result");
  const bool handle = result != nullptr && string_or(*result, "resultType", "") == "task";
  return handle ? string_or(*result, "taskId", "") : "";
}

void take_handles_for_results(Hands& hands, Json message) {
  if (task_given(message).starts_with("judge task")) message["result"] = bend::text_result("");
  hands.say(message);
}

// follow_tasks_of_prompts asks for the task that a prompt was answered with.
void follow_tasks_of_prompts(Hands& hands, Json message) {
  const std::string task = task_given(message);
  if (task == "judge-task-of-a-prompt") {
    Json look = notice_of("tasks/get");
    look["id"] = "look";
    look["params"]["taskId"] = task;
    look["params"]["_meta"] = bend::params_asked(hands, message)["_meta"];
    look["params"]["_meta"].erase("progressToken");
    hands.pass(look);
  }
  hands.say(message);
}

// cancel_the_call gives a task up after five looks, by the id of the call.
void cancel_the_call(Hands& hands, Json message) {
  if (is_call(message)) hands.memory = message["id"];
  hands.pass(message);
  if (!method_is(message, "tasks/get") || ++hands.count != 5) return;
  Json cancel = notice_of("notifications/cancelled");
  cancel["params"]["requestId"] = hands.memory;
  hands.pass(cancel);
}

void answer_more_than_was_asked(Hands& hands, Json message) {
  if (method_is(message, "tasks/update")) {
    message["params"]["inputResponses"]["nobody"]["action"] = "decline";
  }
  hands.pass(message);
}

constexpr auto kOverHttp = Transport::kHttp;

const ClientDeviation kTaskDeviations[] = {
    {.id = "tasks.client-handles-both-results",
     .revision = "2026-07-28",
     .what = "takes a task for a result",
     .from_server = take_handles_for_results},
    {.id = "tasks.create-on-unsupported-request-invalid",
     .revision = "2026-07-28",
     .what = "follows the task of a prompt",
     .from_server = follow_tasks_of_prompts},
    {.id = "tasks.no-cancelled-notification",
     .revision = "2026-07-28",
     .what = "cancels the call that became a task",
     .from_client = cancel_the_call,
     .also = {"cancellation.references-own-in-flight"}},
    {.id = "tasks.update-keys-outstanding",
     .revision = "2026-07-28",
     .what = "answers more than was asked",
     .from_client = answer_more_than_was_asked},
    {.id = "tasks.mcp-name-header",
     .revision = "2026-07-28",
     .transport = kOverHttp,
     .what = "asks for tasks without their name",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       const std::string_view method = request.headers.get("Mcp-Method").value_or("");
       if (method.starts_with("tasks/")) request.headers.erase("Mcp-Name");
       return std::nullopt;
     }},
};

}  // namespace

ClientDeviations client_task_deviations() { return kTaskDeviations; }

}  // namespace plumbline::conformance
