// Clients that get the extension io.modelcontextprotocol/tasks wrong, or older servers.

#include <chrono>
#include <string>

#include "conformance/broken/client/client_edits.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

std::string task_given(const Json& message) {
  const Json* const result = find(message, "result");
  const bool handle = result != nullptr && string_or(*result, "resultType", "") == "task";
  return handle ? string_or(*result, "taskId", "") : "";
}

void take_handles_for_results(Interceptor& interceptor, Json message) {
  if (task_given(message).starts_with("judge task")) message["result"] = edit::text_result("");
  interceptor.say(message);
}

// follow_tasks_of_prompts asks for the task that a prompt was answered with.
void follow_tasks_of_prompts(Interceptor& interceptor, Json message) {
  const std::string task = task_given(message);
  if (task == "judge-task-of-a-prompt") {
    Json look = notice_of("tasks/get");
    look["id"] = "look";
    look["params"]["taskId"] = task;
    look["params"]["_meta"] = edit::params_asked(interceptor, message)["_meta"];
    look["params"]["_meta"].erase("progressToken");
    interceptor.pass(look);
  }
  interceptor.say(message);
}

// cancel_the_call gives a task up after five looks, by the id of the call.
void cancel_the_call(Interceptor& interceptor, Json message) {
  if (is_call(message)) interceptor.memory = message["id"];
  interceptor.pass(message);
  if (!method_is(message, "tasks/get") || ++interceptor.count != 5) return;
  Json cancel = notice_of("notifications/cancelled");
  cancel["params"]["requestId"] = interceptor.memory;
  interceptor.pass(cancel);
}

void answer_more_than_was_asked(Interceptor& interceptor, Json message) {
  if (method_is(message, "tasks/update")) {
    message["params"]["inputResponses"]["nobody"]["action"] = "decline";
  }
  interceptor.pass(message);
}

// look_for_tasks asks a server without tasks for one.
void look_for_tasks(Interceptor& interceptor, Json message) {
  interceptor.pass(message);
  const Json* const name = at_pointer(message, "/params/name");
  if (!is_call(message) || name == nullptr || *name != "add_numbers") return;
  Json look = notice_of("tasks/get");
  look["id"] = "look";
  look["params"]["taskId"] = "none";
  look["params"]["_meta"] = message["params"]["_meta"];
  look["params"]["_meta"].erase("progressToken");
  interceptor.pass(look);
}

// fall_back_once goes on only where the error is that of an unknown method.
void fall_back_once(Interceptor& interceptor, Json message) {
  const std::int64_t code = edit::code_of(message);
  const bool other = code == -32602 || code == -32000;
  if (other && interceptor.method_asked(message) == "server/discover") return interceptor.stop();
  interceptor.say(message);
}

// stop_at_unknown_methods takes an older server that answers for one that is of its own era.
void stop_at_unknown_methods(Interceptor& interceptor, Json message) {
  const bool discovers = interceptor.method_asked(message) == "server/discover";
  if (discovers && edit::code_of(message) == -32601) message["error"]["code"] = -32022;
  interceptor.say(message);
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
    {.id = "versioning.extension-fallback",
     .revision = "2026-07-28",
     .what = "asks for tasks where there are none",
     .from_client = look_for_tasks},
    {.id = "stdio.fallback-not-code-specific",
     .revision = "2026-07-28",
     .what = "falls back after one error alone",
     .from_server = fall_back_once,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "stdio.fallback-not-code-specific",
     .revision = "2026-07-28",
     .what = "waits for an answer to server/discover for an hour",
     .options = [](mcp::ClientOptions& options) { options.probe_timeout = std::chrono::hours(1); },
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "http.fallback-not-answer-specific",
     .revision = "2026-07-28",
     .transport = kOverHttp,
     .what = "falls back after status 400 alone",
     .from_server = stop_at_unknown_methods},
    {.id = "sse-legacy.client-posts-to-endpoint",
     .revision = "2024-11-05",
     .transport = kOverHttp,
     .what = "leaves the query out",
     .event =
         [](const wire::HttpRequest&, wire::SseEvent& event) {
           if (event.event == "endpoint") event.data.resize(event.data.find('?'));
           return true;
         }},
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
