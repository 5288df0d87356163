#include <map>
#include <set>
#include <string>
#include <utility>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

using wire::HttpHeaders;
using wire::HttpRequest;
using wire::HttpResponse;

bool is_progress_of(const Json& message) {
  return string_or(message, "method", "") == "notifications/progress";
}

bool is_resumed(const HttpRequest& request) {
  return request.method == "GET" && request.headers.count("Last-Event-ID") == 1;
}

// ends_gets_at_once answers each GET with a stream that has nothing in it.
std::optional<HttpResponse> ends_gets_at_once(HttpRequest& request) {
  if (request.method != "GET" || request.headers.count("Last-Event-ID") > 0) return std::nullopt;
  if (request.headers.count("Origin") > 0) return HttpResponse{403, {}, ""};
  return HttpResponse{200, {{"Content-Type", "text/event-stream"}}, ""};
}

// Forgetful ends the session of a client that went away before its answer.
class Forgetful final : public Keeper {
 public:
  std::optional<HttpResponse> answer(HttpRequest& request) override {
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    if (session.empty()) return std::nullopt;
    if (request.body.find("went-away") != std::string::npos) left_ = session;
    const bool asks = request.body.find("\"ping\"") != std::string::npos;
    if (!asks || session != left_) return std::nullopt;
    return HttpResponse{404, {}, ""};
  }

 private:
  std::string left_;
};

std::string session_named(const HttpRequest& request) {
  return std::string(request.headers.get("Mcp-Session-Id").value_or(""));
}

// OneForAllEvents finds a stream by an event of it, whoever asks: who never had one that was cut
// gets that of another session.
class OneForAllEvents final : public Keeper {
 public:
  std::optional<HttpResponse> answer(HttpRequest& request) override {
    const std::string session = session_named(request);
    const std::string last(request.headers.get("Last-Event-ID").value_or(""));
    if (request.body.find("\"cut-first\"") != std::string::npos) cut_.insert(session);
    if (request.method != "GET" || last.empty()) return std::nullopt;
    if (cut_.contains(session)) {
      owners_[last] = session;
    } else if (owners_.contains(last)) {
      request.headers.set("Mcp-Session-Id", owners_[last]);
    }
    return std::nullopt;
  }

 private:
  std::set<std::string> cut_;                  // Sessions that had a stream cut.
  std::map<std::string, std::string> owners_;  // Of events.
};

const Deviation kHttpStreamsDeviations[] = {
    {.id = "http.replay-own-stream-only",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "replays the streams of one session to another",
     .also = {"progress.only-active-tokens", "http.sse-response-delivered"},
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<OneForAllEvents>();
     }},
    {.id = "http.session-outlives-a-lost-answer",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "ends the session of who went away before an answer",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<Forgetful>(); }},
    {.id = "http.sse-format",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "calls the JSON of its prompts a stream of events",
     .response =
         [](const HttpRequest& request, int&, HttpHeaders& headers) {
           const bool lists = request.body.find("\"prompts/list\"") != std::string::npos;
           if (lists) headers.set("Content-Type", "text/event-stream");
         },
     .also = {"prompts.list-responds", "prompts.capability-declared",
              "lifecycle.capability-failure-handled"}},
    {.id = "http.get-stream-lasts",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "ends each GET stream at once",
     .request = ends_gets_at_once},
    {.id = "http.sse-format",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "adds half a message to each progress",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (is_progress_of(message)) interceptor.say_text("{\"jsonrpc\":");
           interceptor.say(message);
         }},
    {.id = "http.sse-format",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "ends its streams in the middle of the last event",
     .also = {"http.sse-terminates-after-response"},
     .unended =
         [](const HttpRequest& request, const wire::SseEvent& event) {
           return request.body.find("\"test_tool_with_progress\"") != std::string::npos &&
                  event.data.find("\"result\"") != std::string::npos;
         }},
    {.id = "http.sse-priming-event",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "begins its streams with a message",
     .event =
         [](const HttpRequest& request, wire::SseEvent& event) {
           return !event.data.empty() || request.body.find("progressToken") == std::string::npos;
         }},
    {.id = "http.x-accel-buffering",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "lets proxies buffer its events",
     .response = [](const HttpRequest&, int&,
                    HttpHeaders& headers) { headers.erase("X-Accel-Buffering"); }},
    {.id = "http.sse-messages-relate-to-request",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "says progress of somebody else",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           const std::string token = dump_json(message["params"]["progressToken"]);
           if (!is_progress_of(message) || token.find("several-") == std::string::npos) return;
           message["params"]["progressToken"] = "of somebody else";
           interceptor.say(message);
         },
     .also = {"progress.only-active-tokens"}},
    {.id = "http.sse-notifications-relate",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "tells of changes while it makes progress",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (!is_progress_of(message)) return;
           Json change(Json::value_t::object);
           change["jsonrpc"] = "2.0";
           change["method"] = "notifications/tools/list_changed";
           interceptor.say(change);
         }},
    {.id = "http.get-stream-unrelated-messages",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "says more of its progress on the GET stream",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (!is_progress_of(message)) return;
           message["params"]["progress"] = message["params"]["progress"].get<double>() + 0.5;
           interceptor.say_on_stream(message);
         },
     .also = {"progress.increases"}},
    {.id = "http.get-stream-no-responses",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "says its answers on the GET stream as well",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "tools/call")
             interceptor.say_on_stream(message);
           interceptor.say(message);
         }},
    {.id = "http.no-broadcast",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "says its progress on every stream",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (is_progress_of(message)) interceptor.say_on_stream(message);
         },
     .also = {"http.get-stream-unrelated-messages", "progress.increases"}},
    {.id = "http.event-id-unique",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "has one event id for everything that it says before the answer of a call",
     .event =
         [](const HttpRequest& request, wire::SseEvent& event) {
           if (request.method == "POST" && event.data.find("\"method\"") != std::string::npos) {
             event.id = "7-7";
           }
           return true;
         }},
    {.id = "http.sse-retry-before-close",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "does not say when to come back",
     .event =
         [](const HttpRequest&, wire::SseEvent& event) {
           event.retry_ms.reset();
           return true;
         }},
    {.id = "http.sse-response-delivered",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "forgets the answer of the call that it interrupted",
     .event =
         [](const HttpRequest&, wire::SseEvent& event) {
           return event.data.find("Reconnection test") == std::string::npos;
         }},
    {.id = "http.sse-not-closed-before-response",
     .revision = "2025-06-18",
     .transport = Transport::kHttp,
     .what = "ends a stream before the answer",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           const Json* const token = at_pointer(asked, "/params/_meta/progressToken");
           if (token == nullptr || *token != Json("kept-open")) interceptor.say(message);
         }},
    {.id = "http.sse-terminates-after-response",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "leaves its streams open",
     .streams_never_end = true},
    {.id = "http.disconnect-is-not-cancel",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "gives up a call whose client is gone",
     .event =
         [](const HttpRequest& request, wire::SseEvent& event) {
           Result<Json> message = parse_json(event.data);
           if (!is_resumed(request) || !message.ok() || !find(message.value(), "result"))
             return true;
           Json error = std::move(message).value();
           error.erase("result");
           error["error"]["code"] = -32000;
           error["error"]["message"] = "the client went away";
           event.data = dump_json(error);
           return true;
         }},
    {.id = "http.resume-always-by-get",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "goes on without what was missed",
     .also = {"http.event-id-encodes-stream", "http.sse-response-delivered"},
     .event =
         [](const HttpRequest& request, wire::SseEvent& event) {
           return !is_resumed(request) || event.data.find("with progress") == std::string::npos;
         }},
    {.id = "http.replay-own-stream-only",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "replays the progress of another stream",
     .event =
         [](const HttpRequest& request, wire::SseEvent& event) {
           const std::size_t at = event.data.find("cut-first");
           if (is_resumed(request) && at != std::string::npos) {
             event.data.replace(at, 9, "cut-second");
           }
           return true;
         }},
    {.id = "http.replay-own-stream-only",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "replays what others were answered",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = interceptor.method_asked(message);
           if (find(message, "result") && asked == "ping") interceptor.memory = message;
           const bool missed = find(message, "result") && asked.empty();
           if (missed && !interceptor.memory.is_null()) interceptor.say(interceptor.memory);
           interceptor.say(message);
         }},
    {.id = "http.replay-own-stream-only",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "replays what others were answered behind the last event alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = interceptor.method_asked(message);
           if (dump_json(message).find("\"cut-") != std::string::npos) interceptor.count = 1;
           const bool later = find(message, "result") && interceptor.count == 1;
           if (later && asked == "ping") interceptor.memory = message;
           if (later && asked.empty() && !interceptor.memory.is_null()) {
             interceptor.say(interceptor.memory);
           }
           interceptor.say(message);
         }},
    {.id = "http.event-id-encodes-stream",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "goes on with one of three streams",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           // On a resumed stream nothing was asked.
           const bool missed = find(message, "result") && interceptor.method_asked(message).empty();
           if (!missed || ++interceptor.count % 3 == 1) interceptor.say(message);
         },
     .also = {"http.sse-response-delivered", "http.resume-always-by-get"}},
};

}  // namespace

Deviations http_streams_deviations() { return kHttpStreamsDeviations; }

}  // namespace plumbline::conformance
