#include <string>
#include <utility>

#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kCancellationDeviations[] = {
    {.id = "cancellation.race-handled",
     .revision = "2025-11-25",
     .what = "breaks down when a call is cancelled",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/_meta/progressToken") == "plumbline-cancelled") {
             interceptor.memory = id_of(message);
           }
           const bool cancels = method_of(message) == "notifications/cancelled";
           if (cancels && !interceptor.memory.is_null() &&
               value_at(message, "/params/requestId") == interceptor.memory) {
             return interceptor.stop();
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "cancellation.invalid-ignored",
     .revision = "2025-11-25",
     .what = "complains about cancellations without an id",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool cancels = method_of(message) == "notifications/cancelled";
           if (cancels && value_at(message, "/params/requestId").is_null()) {
             refuse(interceptor, nullptr, -32602);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "cancellation.invalid-ignored",
     .revision = "2025-11-25",
     .what = "remembers what was cancelled before it was asked",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (method_of(message) == "notifications/cancelled") {
             const Json id = value_at(message, "/params/requestId");
             if (id == "plumbline-unknown") interceptor.memory = id;
           } else if (!interceptor.memory.is_null() && id_of(message) == interceptor.memory) {
             return;
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "cancellation.late-response-ignored",
     .revision = "2025-11-25",
     .what = "complains about responses it does not wait for",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (id_of(message) == "plumbline-late") refuse(interceptor, id_of(message), -32600);
           interceptor.pass_text(std::move(text));
         }},
    {.id = "cancellation.stops-work",
     .revision = "2025-11-25",
     .what = "works on when a call is cancelled",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool answers = method_of(message).empty();
           const Json* const state = find(interceptor.memory, dump_json(id_of(message)));
           if (!answers || state == nullptr || *state != "cancelled") interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const Json* const name = at_pointer(message, "/params/name");
           const bool slow = name != nullptr && *name == "test_slow_resource_change";
           if (slow) interceptor.memory[dump_json(id_of(message))] = "under way";
           const std::string cancelled = dump_json(value_at(message, "/params/requestId"));
           const bool cancels = method_of(message) == "notifications/cancelled";
           if (!cancels || find(interceptor.memory, cancelled) == nullptr) {
             return interceptor.pass_text(std::move(text));
           }
           interceptor.memory[cancelled] = "cancelled";
         }},
    {.id = "cancellation.http-close-cancels",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "works on when the stream of a call is closed",
     .works_on = true},
};

}  // namespace

Deviations cancellation_deviations() { return kCancellationDeviations; }

}  // namespace plumbline::conformance
