// Wrong gateways that lose sessions, and mix up clients.

#include <map>
#include <string>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kEra = kNewestStateful;

std::string method_of(const Json& message) { return string_or(message, "method", ""); }

// ForgetfulKeeper answers requests of a session whose GET came twice with 500: who served it died.
class ForgetfulKeeper final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const std::string id(request.headers.get("Mcp-Session-Id").value_or(""));
    if (request.method == "GET" && !id.empty() && ++streams_[id] > 1) dead_ = true;
    if (dead_ && request.method == "DELETE") dead_ = false;
    if (dead_ && request.method == "POST") return wire::HttpResponse{500, {}, ""};
    return std::nullopt;
  }

 private:
  std::map<std::string, int> streams_;
  bool dead_ = false;
};

// forgets_what_connection_names hands on what the header Connection names.
std::optional<wire::HttpResponse> forgets_what_connection_names(wire::HttpRequest& request) {
  if (request.headers.count("Proxy-Authorization") > 0) request.headers.erase("Connection");
  return std::nullopt;
}

// LastKeeper takes cancellations for those of the session that called hold last.
class LastKeeper final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const auto session = request.headers.get("Mcp-Session-Id");
    if (!session) return std::nullopt;
    if (request.body.find("\"hold\"") != std::string::npos) last_ = std::string(*session);
    const bool cancels = request.body.find("notifications/cancelled") != std::string::npos;
    if (cancels && !last_.empty()) request.headers.set("Mcp-Session-Id", last_);
    return std::nullopt;
  }

 private:
  std::string last_;
};

// keep_list keeps the first list of tools that is whole, and serves it for ever.
void keep_list(Interceptor& interceptor, Json message) {
  const bool whole = find(message, "result") && !at_pointer(message, "/result/nextCursor");
  if (interceptor.method_asked(message) == "tools/list" && whole) {
    const Json asked = interceptor.asked(message);
    if (at_pointer(asked, "/params/cursor") == nullptr) {
      Json& kept = interceptor.memory["tools"];
      if (kept.is_null()) kept = message["result"];
      message["result"] = kept;
    }
  }
  interceptor.say(message);
}

void without_total(Interceptor& interceptor, Json message) {
  if (method_of(message) == "notifications/progress") message["params"].erase("total");
  interceptor.say(message);
}

const Deviation kSessionDeviations[] = {
    {.id = "gateway.names-sessions-once",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "names its sessions twice",
     .response =
         [](const wire::HttpRequest&, int&, wire::HttpHeaders& headers) {
           const std::string id(headers.get("Mcp-Session-Id").value_or(""));
           if (!id.empty()) headers.add("Mcp-Session-Id", id);
         }},
    {.id = "gateway.keeps-hop-headers-back",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "hands on what is of one connection",
     .request = forgets_what_connection_names},
    {.id = "gateway.unknown-session-404",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "answers 400 for 404",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           if (request.headers.get("Mcp-Session-Id") == "00000000-0000-4000-8000-000000000000") {
             status = 400;
           }
         }},
    {.id = "gateway.ended-session-404",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "answers 400 for 404 to pings of ended sessions",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           const bool unknown =
               request.headers.get("Mcp-Session-Id") == "00000000-0000-4000-8000-000000000000";
           const bool ping = request.body.find("\"ping\"") != std::string::npos;
           if (status == 404 && !unknown && ping) status = 400;
         }},
    {.id = "gateway.ends-sessions",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "answers DELETE by itself",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.method != "DELETE") return std::nullopt;
       return wire::HttpResponse{200, {}, ""};
     },
     .also = {"gateway.ended-session-404"}},
    {.id = "gateway.outlives-servers-session",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "answers 502 when the server knows a session no longer",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           const bool calls = request.body.find("\"tools/call\"") != std::string::npos;
           if (status == 404 && calls) status = 502;
         }},
    {.id = "gateway.survives-second-stream",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "dies of a second GET",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<ForgetfulKeeper>();
     }},
    {.id = "gateway.reads-streamed-opening",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "drops what of initialize comes as a stream",
     .event =
         [](const wire::HttpRequest& request, wire::SseEvent&) {
           return request.body.find("\"initialize\"") == std::string::npos;
         }},
    {.id = "gateway.lists-again",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "keeps a list that is whole for ever",
     .from_server = keep_list},
    {.id = "gateway.keeps-progress-apart",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "tells the one who came last by a token of all calls with it",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const said = at_pointer(message, "/params/message");
           const Json* const token = at_pointer(message, "/params/progressToken");
           if (said != nullptr && token != nullptr && *token == Json("same-token")) {
             Json& first = interceptor.memory["first"];
             if (first.is_null()) first = *said;
             message["params"]["message"] = first;
           }
           interceptor.say(message);
         }},
    {.id = "gateway.cancels-ones-own",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "cancels the request of an id that came last, whoever made it",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<LastKeeper>(); }},
    {.id = "gateway.keeps-progress",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "drops total of progress",
     .from_server = without_total},
    {.id = "gateway.keeps-log-messages",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "drops logger of log messages",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) == "notifications/message") message["params"].erase("logger");
           interceptor.say(message);
         }},
    {.id = "gateway.asks-by-elicitation",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "drops titles in the schema of what is asked",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) == "elicitation/create") {
             edit::erase_at(message, "/params/requestedSchema/properties/word/title");
           }
           interceptor.say(message);
         }},
    {.id = "gateway.asks-for-roots",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "answers that there are no roots",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/roots")) message["result"]["roots"] = Json::array();
           interceptor.pass(message);
         }},
    {.id = "gateway.tells-of-resources",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "swallows that a resource has changed",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) != "notifications/resources/updated") interceptor.say(message);
         },
     .also = {"gateway.passes-listening"}},
    {.id = "gateway.keeps-big-numbers",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "rounds whole numbers to doubles",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/structuredContent/unsigned")) {
             message["result"]["structuredContent"]["unsigned"] = 18446744073709551616.0;
           }
           interceptor.say(message);
         }},
    {.id = "gateway.says-unknown-methods",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "answers -32603 for -32601",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const code = at_pointer(message, "/error/code");
           if (code != nullptr && *code == Json(-32601)) message["error"]["code"] = -32603;
           interceptor.say(message);
         }},
    {.id = "gateway.passes-calls-without-arguments",
     .revision = kEra,
     .transport = Transport::kHttp,
     .what = "wants arguments",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const bool calls = method_of(message) == "tools/call";
           if (!calls || at_pointer(message, "/params/arguments")) return interceptor.pass(message);
           Json response(Json::value_t::object);
           response["jsonrpc"] = "2.0";
           response["id"] = message["id"];
           response["error"]["code"] = -32602;
           response["error"]["message"] = "arguments: expected an object";
           interceptor.say(response);
         }},
};

}  // namespace

Deviations session_deviations() { return kSessionDeviations; }

}  // namespace plumbline::conformance
