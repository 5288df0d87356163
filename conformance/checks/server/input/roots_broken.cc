#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

const Deviation kRootsDeviations[] = {
    {.id = "roots.server-checks-capability",
     .revision = "2025-11-25",
     .what = "asks everybody for roots",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           if (edit::is_method(message, "initialize")) {
             message["params"]["capabilities"]["roots"] = Json::object();
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         },
     .also = {"lifecycle.only-negotiated-capabilities"}},
    {.id = "roots.server-checks-capability",
     .revision = "2026-07-28",
     .what = "asks everybody for roots",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           if (edit::is_method(message, "tools/call") && message["params"].contains("_meta")) {
             message["params"]["_meta"][kMetaCapabilities]["roots"] = Json::object();
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         },
     .also = {"lifecycle.missing-client-capability-error", "mrtr.no-undeclared-input-requests",
              "lifecycle.no-undeclared-client-capability"}},
    {.id = "roots.server-handles-unavailable",
     .revision = "2025-11-25",
     .what = "waits for ever when there are no roots to be had",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "roots/list")) interceptor.memory = message["id"];
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = edit::read(text);
           const Json* const id = find(message, "id");
           const bool error = find(message, "error") != nullptr;
           if (error && id != nullptr && *id == interceptor.memory) return;
           interceptor.pass_text(std::move(text));
         }},
    {.id = "roots.server-handles-change",
     .revision = "2025-11-25",
     .what = "keeps the roots it had when they have changed",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.count == 0 || !edit::is_method(message, "roots/list")) {
             return interceptor.say(message);
           }
           Json kept = Json::object();
           kept["jsonrpc"] = "2.0";
           kept["id"] = message["id"];
           kept["result"]["roots"] = Json::array();
           interceptor.pass(kept);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = edit::read(text);
           if (edit::is_method(message, "notifications/roots/list_changed")) interceptor.count = 1;
           interceptor.pass_text(std::move(text));
         }},
};

}  // namespace

Deviations roots_deviations() { return kRootsDeviations; }

}  // namespace plumbline::conformance
