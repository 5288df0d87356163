#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kDiscoverDeviations[] = {
    {.id = "discover.result-shape",
     .revision = "2026-07-28",
     .what = "has instructions that are no text",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool result = message.contains("result");
           if (result && interceptor.method_asked(message) == "server/discover") {
             message["result"]["instructions"] = 5;
           }
           interceptor.say(message);
         }},
    {.id = "discover.supported-versions-truthful",
     .revision = "2026-07-28",
     .what = "lists a version that it does not speak",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool result = message.contains("result");
           if (result && interceptor.method_asked(message) == "server/discover") {
             message["result"]["supportedVersions"].push_back("2027-01-01");
           }
           interceptor.say(message);
         }},
};

}  // namespace

Deviations discover_deviations() { return kDiscoverDeviations; }

}  // namespace plumbline::conformance
