#include "conformance/broken/replies.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

const Deviation kLoggingDeviations[] = {
    {.id = "logging.level-declared",
     .revision = "2025-11-25",
     .what = "sets levels and does not say that it logs",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const capabilities = at_pointer(message, "/result/capabilities");
           if (capabilities != nullptr) message["result"]["capabilities"].erase("logging");
           if (method_of(message) != "notifications/message") interceptor.say(message);
         }},
    {.id = "logging.no-sensitive-data",
     .revision = "2025-11-25",
     .what = "logs the password of who signs in",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) == "notifications/message" &&
               value_at(message, "/params/data") == "Somebody signs in") {
             message["params"]["data"] = "Somebody signs in with plumbline-secret-7f3a9c";
           }
           interceptor.say(message);
         }},
    {.id = "logging.no-sensitive-data",
     .revision = "2026-07-28",
     .what = "logs the password of who signs in",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) == "notifications/message" &&
               value_at(message, "/params/data") == "Somebody signs in") {
             message["params"]["data"] = "Somebody signs in with plumbline-secret-7f3a9c";
           }
           interceptor.say(message);
         }},
    {.id = "logging.level-respected",
     .revision = "2025-11-25",
     .what = "says it set a level and does not",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool quiet = value_at(message, "/params/level") == "emergency";
           if (!quiet || method_of(message) != "logging/setLevel")
             return interceptor.pass_text(text);
           answer(interceptor, id_of(message), Json::object());
         }},
    {.id = "logging.invalid-level-error",
     .revision = "2025-11-25",
     .what = "takes any level",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/level") != "verbose") return interceptor.pass_text(text);
           answer(interceptor, id_of(message), Json::object());
         }},
    {.id = "logging.invalid-level-error",
     .revision = "2026-07-28",
     .what = "takes any level",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = read(text);
           const char* const place = "/params/_meta/io.modelcontextprotocol~1logLevel";
           if (value_at(message, place) != "verbose") return interceptor.pass_text(text);
           message["params"]["_meta"].erase(kMetaLogLevel);
           interceptor.pass(message);
         }},
    {.id = "logging.level-values",
     .revision = "2025-11-25",
     .what = "writes levels in capitals",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool log = method_of(message) == "notifications/message";
           if (log && value_at(message, "/params/level") == "info") {
             message["params"]["level"] = "INFO";
           }
           interceptor.say(message);
         },
     .also = {"logging.level-respected"}},
};

}  // namespace

Deviations logging_deviations() { return kLoggingDeviations; }

}  // namespace plumbline::conformance
