#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

const Deviation kLifecycleDeviations[] = {
    {"lifecycle.server-answers-initialize", "2025-11-25", Transport::kHttp,
     "initializes without saying its capabilities",
     [](Hands& hands, Json message) {
       if (hands.method_asked(message) == "initialize") message["result"].erase("capabilities");
       hands.say(message);
     }},
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
