#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

const Deviation kCachingDeviations[] = {
    {.id = "caching.hints-required",
     .revision = "2026-07-28",
     .what = "does not say how long its tools may be kept",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
             result->erase("ttlMs");
           }
           interceptor.say(message);
         }},
    {.id = "caching.ttl-non-negative",
     .revision = "2026-07-28",
     .what = "lets its tools be kept for less than nothing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
             (*result)["ttlMs"] = -1;
           }
           interceptor.say(message);
         }},
    {.id = "caching.no-hints-on-input-required",
     .revision = "2026-07-28",
     .what = "lets its questions be kept",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const result = find(message, "result");
           if (result && string_or(*result, "resultType", "") == "input_required") {
             message["result"]["ttlMs"] = 1000;
           }
           interceptor.say(message);
         }},
    {.id = "caching.page-scope-consistent",
     .revision = "2026-07-28",
     .what = "has a private second page of a public list",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result =
                   edit::result_of(interceptor, message, "resources/templates/list")) {
             const bool second = edit::params_asked(interceptor, message).contains("cursor");
             (*result)["cacheScope"] = second ? "private" : "public";
             if (second) (*result)["resourceTemplates"] = Json::array();
             if (!second) (*result)["nextCursor"] = "bent";
           }
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           const Json* const params = find(message, "params");
           if (params != nullptr && string_or(*params, "cursor", "") == "bent") {
             message["params"].erase("cursor");
             return interceptor.pass(message);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "caching.early-refetch",
     .revision = "2026-07-28",
     .what = "lists its tools twice to nobody",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::result_of(interceptor, message, "tools/list") && ++interceptor.count > 1) {
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         },
     .also = {"lifecycle.peer-info-not-behavioral", "tools.capability-declared",
              "tools.deterministic-order", "tools.list-not-connection-dependent"}},
};

}  // namespace

Deviations caching_deviations() { return kCachingDeviations; }

}  // namespace plumbline::conformance
