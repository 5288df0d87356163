#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

namespace {

const Deviation kSseDeviations[] = {
    {.id = "sse-legacy.two-endpoints",
     .revision = "2024-11-05",
     .transport = Transport::kSse,
     .what = "takes messages with status 500",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           if (request.body.find("\"ping\"") != std::string::npos) status = 500;
         }},
    {.id = "sse-legacy.endpoint-event",
     .revision = "2024-11-05",
     .transport = Transport::kSse,
     .what = "announces its endpoint under another name",
     .event =
         [](const wire::HttpRequest& request, wire::SseEvent& event) {
           const bool first = event.event == "endpoint";
           if (first && request.headers.count("Cache-Control")) event.event = "hello";
           return true;
         }},
    {.id = "sse-legacy.message-events",
     .revision = "2024-11-05",
     .transport = Transport::kSse,
     .what = "sends messages under another name",
     .event =
         [](const wire::HttpRequest&, wire::SseEvent& event) {
           if (event.event == "message") event.event = "data";
           return true;
         }},
};

}  // namespace

Deviations sse_deviations() { return kSseDeviations; }

}  // namespace plumbline::conformance
