#include <utility>

#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

// goes_on lets through what came while a tool ran.
void goes_on(Interceptor& interceptor) {
  Json held = std::move(interceptor.memory["held"]);
  interceptor.memory = Json::object();
  for (const Json& message : held) interceptor.pass(message);
}

const Deviation kPingDeviations[] = {
    {.id = "ping.answered-during-calls",
     .revision = "2025-11-25",
     .what = "reads nothing while a tool runs",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           const bool busy = interceptor.memory.contains("busy");
           if (busy && id_of(message) == interceptor.memory["busy"]) goes_on(interceptor);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const std::string method = method_of(message);
           const bool busy = interceptor.memory.contains("busy");
           if (busy && method == "ping") {
             interceptor.memory["held"].push_back(message);
             return;
           }
           if (value_at(message, "/params/name") == "test_tool_with_progress") {
             interceptor.memory["busy"] = id_of(message);
             interceptor.memory["held"] = Json::array();
           }
           interceptor.pass_text(std::move(text));
           if (busy && method == "notifications/cancelled") goes_on(interceptor);
         }},
    {.id = "ping.empty-result",
     .revision = "2025-11-25",
     .what = "says pong",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool result = message.contains("result");
           if (result && interceptor.method_asked(message) == "ping")
             message["result"]["pong"] = true;
           interceptor.say(message);
         }},
};

}  // namespace

Deviations ping_deviations() { return kPingDeviations; }

}  // namespace plumbline::conformance
