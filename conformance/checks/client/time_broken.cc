// Clients that get time, tasks and hostile servers wrong, and those that write wrongly to stdin.

#include <algorithm>
#include <string>

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

bool calls(const Json& message, std::string_view tool) {
  const Json* const name = at_pointer(message, "/params/name");
  return is_call(message) && name != nullptr && *name == std::string(tool);
}

const ClientDeviation kClientTimeDeviations[] = {
    {.id = "cancellation.cancel-on-timeout",
     .revision = "2025-11-25",
     .what = "gives up without a word",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (!is_cancel(message)) interceptor.pass(message);
         }},
    {.id = "cancellation.cancel-on-timeout",
     .revision = "2025-11-25",
     .what = "cancels calls alone",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) interceptor.memory["calls"].push_back(message["id"]);
           const Json* const id = at_pointer(message, "/params/requestId");
           const Json* const calls = find(interceptor.memory, "calls");
           const bool of_call =
               id != nullptr && calls != nullptr && std::ranges::find(*calls, *id) != calls->end();
           if (!is_cancel(message) || of_call) interceptor.pass(message);
         }},
    {.id = "cancellation.cancel-on-timeout",
     .revision = "2025-06-18",
     .transport = Transport::kHttp,
     .what = "gives prompts up without a word",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (method_is(message, "prompts/get")) interceptor.memory["got"] = message["id"];
           const Json* const id = at_pointer(message, "/params/requestId");
           const Json* const got = find(interceptor.memory, "got");
           const bool of_prompt = id != nullptr && got != nullptr && *id == *got;
           if (!is_cancel(message) || !of_prompt) interceptor.pass(message);
         }},
    {.id = "cancellation.late-response-ignored",
     .revision = "2025-11-25",
     .what = "ends when an answer comes late",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (calls(message, "after_cancel")) return interceptor.stop();
           interceptor.pass(message);
         },
     .also = {"cancellation.race-handled", "stdio.shutdown-client-sequence"}},
    {.id = "caching.ttl-positive-fresh",
     .revision = "2026-07-28",
     .what = "keeps nothing",
     .options = [](mcp::ClientOptions& options) { options.cache_entries_max = 0; }},
    {.id = "tasks.tool-required-augmented",
     .revision = "2025-11-25",
     .what = "calls plainly what has to be a task",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (calls(message, "as_a_task")) message["params"].erase("task");
           interceptor.pass(message);
         }},
    {.id = "tasks.tool-forbidden-not-augmented",
     .revision = "2025-11-25",
     .what = "makes a task of everything",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (calls(message, "never_as_a_task")) message["params"]["task"] = Json::object();
           interceptor.pass(message);
         }},
    {.id = "tasks.no-tool-tasks-without-capability",
     .revision = "2025-11-25",
     .what = "makes tasks where there are none",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (calls(message, "as_a_task_nowhere")) message["params"]["task"] = Json::object();
           interceptor.pass(message);
         },
     .also = {"tasks.augment-only-declared"}},
    {.id = "stdio.no-embedded-newlines",
     .revision = "2025-11-25",
     .what = "writes its calls on two lines",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           std::string text = dump_json(message);
           if (calls(message, "add_numbers")) text.insert(1, "\n");
           interceptor.pass_text(std::move(text));
         },
     .also = {"jsonrpc.conforms-to-2-0", "stdio.stdin-only-mcp",
              "cancellation.references-own-in-flight"}},
    {.id = "stdio.newline-delimited",
     .revision = "2025-11-25",
     .what = "writes two messages on one line",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           std::string text = dump_json(message);
           if (calls(message, "add_numbers"))
             text += dump_json(notice_of("notifications/plumbline"));
           interceptor.pass_text(std::move(text));
         },
     .also = {"jsonrpc.conforms-to-2-0", "cancellation.references-own-in-flight"}},
    {.id = "stdio.stdin-only-mcp",
     .revision = "2025-11-25",
     .what = "writes its log to the server",
     .from_client =
         [](Interceptor& interceptor, Json message) {
           if (is_call(message)) interceptor.pass_text("calling a tool now");
           interceptor.pass(message);
         },
     .also = {"jsonrpc.conforms-to-2-0"}},
    {.id = "stdio.single-message-lines",
     .revision = "2025-06-18",
     .what = "writes arrays",
     .from_client = in_array,
     .also = {"jsonrpc.no-batching", "jsonrpc.conforms-to-2-0"}},
    {.id = "stdio.shutdown-client-sequence",
     .revision = "2025-11-25",
     .what = "kills its server",
     .drops_stdin = true},
    {.id = "hostile.garbage",
     .revision = "2025-11-25",
     .what = "ends when it cannot read a message",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!message.is_object()) return interceptor.stop();
           interceptor.say(message);
         },
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "hostile.death",
     .revision = "2025-11-25",
     .what = "crashes when the server dies",
     .dies_with_server = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "hostile.deep-json",
     .revision = "2025-11-25",
     .what = "crashes when JSON is deep",
     .unreadable =
         [](Interceptor& interceptor, std::string text) {
           if (text.find("[[[[[[[[") != std::string::npos) return interceptor.stop();
           interceptor.say_text(std::move(text));
         },
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "hostile.endless-pages",
     .revision = "2025-11-25",
     .what = "follows every cursor for ever",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           // The client only sees that cursors repeat when they do.
           const Json* const cursor = at_pointer(message, "/result/nextCursor");
           if (cursor != nullptr && *cursor == "again") {
             message["result"]["nextCursor"] = "again " + std::to_string(++interceptor.count);
           }
           interceptor.say(message);
         },
     .options = [](mcp::ClientOptions& options) { options.list_pages_max = 100'000; }},
    {.id = "hostile.wrong-answers",
     .revision = "2025-11-25",
     .what = "believes every answer",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const name = at_pointer(message, "/result/tools/0/name");
           if (name != nullptr && *name == "of_a_liar") interceptor.memory = message["result"];
           const Json* const id = find(message, "id");
           if (name != nullptr && *name != "of_a_liar" && id && interceptor.memory.is_object()) {
             message["result"] = interceptor.memory;
           }
           interceptor.say(message);
         }},
    {.id = "hostile.result-and-error",
     .revision = "2025-11-25",
     .what = "looks at the result first",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (is_result(message)) message.erase("error");
           interceptor.say(message);
         }},
    {.id = "hostile.flood",
     .revision = "2025-11-25",
     .what = "drowns in a flood",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const data = at_pointer(message, "/params/data");
           if (data != nullptr && *data == "flood" && ++interceptor.count > 500)
             return interceptor.stop();
           interceptor.say(message);
         },
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "hostile.unknown-fields",
     .revision = "2025-11-25",
     .what = "takes no fields it does not know",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (answers_with(message, "plumblineField") && answers_with(message, "tools")) {
             return interceptor.stop();
           }
           interceptor.say(message);
         },
     .also = {"stdio.shutdown-client-sequence"}},
};

}  // namespace

ClientDeviations client_time_deviations() { return kClientTimeDeviations; }

}  // namespace plumbline::conformance
