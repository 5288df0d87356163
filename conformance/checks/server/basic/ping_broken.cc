#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kPingDeviations[] = {
    {.id = "ping.empty-result",
     .revision = "2025-11-25",
     .what = "says pong",
     .from_server =
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "ping") message["result"]["pong"] = true;
           hands.say(message);
         }},
};

}  // namespace

Deviations ping_deviations() { return kPingDeviations; }

}  // namespace plumbline::conformance
