// Clients that read streams piece by piece or to their end alone, or take them up again by POST,
// and read lists whole or not at all.

#include <string>

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kSplitLinesRule = "http.sse-split-lines";

// decodes_pieces has two signs for bytes that are none where a letter was cut in two.
bool decodes_pieces(const wire::HttpRequest&, wire::SseEvent& event) {
  const std::size_t letter = event.data.find("page-\xC3\xA9-2");
  if (letter != std::string::npos) {
    event.data.replace(letter + 5, 2, "\xEF\xBF\xBD\xEF\xBF\xBD");
  }
  return true;
}

// waits_for_the_end never hears of what a stream has that does not end.
bool waits_for_the_end(const wire::HttpRequest&, wire::SseEvent& event) {
  return event.data.find("after_an_open_end") == std::string::npos;
}

// loses_half_a_line has no answer where a piece of a stream ended within the line of its data.
bool loses_half_a_line(const wire::HttpRequest&, wire::SseEvent& event) {
  return event.data.find("after_many_cuts") == std::string::npos &&
         event.data.find("after_a_cut_in_data") == std::string::npos;
}

// ends_twice takes a CR for the end of a line, and the LF of the next piece for that of another.
bool ends_twice(const wire::HttpRequest&, wire::SseEvent& event) {
  return event.data.find("after_many_cuts") == std::string::npos &&
         event.data.find("after_a_cut_in_crlf") == std::string::npos;
}

// cuts_five_times loses its way where an event comes in more than two pieces.
bool cuts_five_times(const wire::HttpRequest&, wire::SseEvent& event) {
  return event.data.find("after_many_cuts") == std::string::npos;
}

void wants_all_schemas(Interceptor& interceptor, Json message) {
  const Json* const tools = at_pointer(message, "/result/tools");
  if (tools != nullptr && dump_json(*tools).find("#/$defs/Screen") != std::string::npos) {
    message["result"]["tools"] = Json::array();
  }
  interceptor.say(message);
}

// takes_the_first has no answer where it took a notification for it.
bool takes_the_first(const wire::HttpRequest&, wire::SseEvent& event) {
  return event.data.find("behind_a_notification") == std::string::npos;
}

void fills_in_nulls(Interceptor& interceptor, Json message) {
  const Json* const name = at_pointer(message, "/params/name");
  if (name != nullptr && *name == Json("exact_some")) {
    message["params"]["arguments"]["unset"] = nullptr;
  }
  interceptor.pass(message);
}

// makes_text_of_any writes what may be of any type as JSON in a text.
void makes_text_of_any(Interceptor& interceptor, Json message) {
  const Json* const name = at_pointer(message, "/params/name");
  if (name != nullptr && *name == Json("exact_any")) {
    Json& number = message["params"]["arguments"]["number"];
    number = dump_json(number);
  }
  interceptor.pass(message);
}

const ClientDeviation kStreamDeviations[] = {
    {.id = "tools.call-arguments-exact",
     .revision = "2025-11-25",
     .what = "makes text of what may be of any type",
     .from_client = makes_text_of_any},
    {.id = "tools.call-arguments-exact",
     .revision = "2025-11-25",
     .what = "sends null for what is not given",
     .from_client = fills_in_nulls},
    {.id = "http.client-supports-both-response-types",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "takes the first message of a stream for the answer",
     .event = takes_the_first},
    {.id = "http.sse-split-letters",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "decodes each piece of a stream by itself",
     .event = decodes_pieces},
    {.id = "http.sse-split-letters",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "decodes each piece of a stream by itself",
     .event = decodes_pieces},
    {.id = kSplitLinesRule,
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "loses half a line at the end of a piece",
     .event = loses_half_a_line},
    {.id = kSplitLinesRule,
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "loses half a line at the end of a piece",
     .event = loses_half_a_line},
    {.id = kSplitLinesRule,
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "takes a CR and an LF in two pieces for two ends of lines",
     .event = ends_twice},
    {.id = kSplitLinesRule,
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "puts no more than two pieces together",
     .event = cuts_five_times},
    {.id = "http.sse-answer-at-once",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "takes an answer when its stream ends",
     .event = waits_for_the_end},
    {.id = "http.resume-with-last-event-id",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "sends Last-Event-ID with POST alone",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       request.headers.erase("Last-Event-ID");
       if (request.method == "POST") request.headers.set("Last-Event-ID", "poll-1");
       return std::nullopt;
     },
     .also = {"http.sse-client-reconnects"}},
    {.id = "hostile.odd-schema",
     .revision = "2026-07-28",
     .what = "lists no tool when the schema of one leads nowhere",
     .from_server = wants_all_schemas},
};

}  // namespace

ClientDeviations client_stream_deviations() { return kStreamDeviations; }

}  // namespace plumbline::conformance
