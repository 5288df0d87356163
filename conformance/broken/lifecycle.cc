#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

const Deviation kLifecycleDeviations[] = {
    {.id = "lifecycle.server-answers-initialize",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "initializes without saying its capabilities",
     .from_server =
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) == "initialize") {
             message["result"].erase("capabilities");
           }
           hands.say(message);
         },
     .also = {"tools.capability-declared", "resources.capability-declared",
              "prompts.capability-declared", "completion.unsupported-method-not-found"}},
    {"lifecycle.implementation-name-and-version", "2025-11-25", Transport::kStdio,
     "has a version that is a number",
     [](Hands& hands, Json message) {
       if (hands.method_asked(message) == "initialize") {
         message["result"]["serverInfo"]["version"] = 1;
       }
       hands.say(message);
     }},
};

}  // namespace

Deviations lifecycle_deviations() { return kLifecycleDeviations; }

}  // namespace plumbline::conformance
