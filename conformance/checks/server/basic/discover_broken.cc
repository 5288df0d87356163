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
    {.id = "discover.supported-versions-truthful",
     .revision = "2026-07-28",
     .what = "names an older version in its errors that it does not speak",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const error = message.contains("error") ? &message["error"] : nullptr;
           if (error != nullptr && int_or(*error, "code", 0) == -32022) {
             (*error)["data"]["supported"] = Json::array({"2026-07-28", "2025-11-25"});
           }
           if (interceptor.method_asked(message) == "server/discover" && error == nullptr) {
             message["result"]["supportedVersions"] = Json::array({"2026-07-28"});
           }
           interceptor.say(message);
         },
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (string_or(message, "method", "") != "initialize") return interceptor.pass(message);
           const char* const why = "Method not found: 2026-07-28 is spoken here";
           interceptor.say({{"jsonrpc", "2.0"},
                            {"id", id_of(message)},
                            {"error", {{"code", -32601}, {"message", why}}}});
         }},
};

}  // namespace

Deviations discover_deviations() { return kDiscoverDeviations; }

}  // namespace plumbline::conformance
