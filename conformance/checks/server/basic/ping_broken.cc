#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kPingDeviations[] = {
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
