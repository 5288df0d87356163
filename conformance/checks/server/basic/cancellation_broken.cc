#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kCancellationDeviations[] = {
    {.id = "cancellation.race-handled",
     .revision = "2025-11-25",
     .what = "breaks down when a call is cancelled",
     .from_client =
         [](Hands& hands, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/_meta/progressToken") == "plumbline-cancelled") {
             hands.memory = id_of(message);
           }
           const bool cancels = method_of(message) == "notifications/cancelled";
           if (cancels && !hands.memory.is_null() &&
               value_at(message, "/params/requestId") == hands.memory) {
             return hands.stop();
           }
           hands.pass_text(std::move(text));
         }},
    {.id = "cancellation.invalid-ignored",
     .revision = "2025-11-25",
     .what = "complains about cancellations without an id",
     .from_client =
         [](Hands& hands, std::string text) {
           const Json message = read(text);
           const bool cancels = method_of(message) == "notifications/cancelled";
           if (cancels && value_at(message, "/params/requestId").is_null()) {
             refuse(hands, nullptr, -32602);
           }
           hands.pass_text(std::move(text));
         }},
    {.id = "cancellation.late-response-ignored",
     .revision = "2025-11-25",
     .what = "complains about responses it does not wait for",
     .from_client =
         [](Hands& hands, std::string text) {
           const Json message = read(text);
           if (id_of(message) == "plumbline-late") refuse(hands, id_of(message), -32600);
           hands.pass_text(std::move(text));
         }},
};

}  // namespace

Deviations cancellation_deviations() { return kCancellationDeviations; }

}  // namespace plumbline::conformance
