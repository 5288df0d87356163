// Wrong gateways: forms that they do not know, revisions that they mix up, streams that they lose.

#include <string>

#include "conformance/broken/gateway_world.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kFormEra = kNewestStateful;

const Deviation kFormDeviations[] = {
    {.id = "gateway.keeps-ids",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "answers ids that are texts with 0",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const id = find(message, "id");
           if (id != nullptr && id->is_string() && !find(message, "method")) message["id"] = 0;
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-split-text",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "reads each piece of a text by itself",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const text = at_pointer(message, "/result/structuredContent/text");
           if (text != nullptr && text->is_string()) {
             std::string split = text->get<std::string>();
             split.replace(split.size() / 2, 3, "\xef\xbf\xbd\xef\xbf\xbd");
             message["result"]["structuredContent"]["text"] = split;
           }
           interceptor.say(message);
         }},
    {.id = "gateway.reads-crlf",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "drops events whose lines end in CR LF",
     .event = [](const wire::HttpRequest& request,
                 wire::SseEvent&) { return request.body.find("\"crlf\"") == std::string::npos; }},
    {.id = "gateway.keeps-ids",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "writes ids that are numbers as texts",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const id = find(message, "id");
           const bool answers = id != nullptr && !message.contains("method");
           if (answers && id->is_number()) message["id"] = dump_json(*id);
           interceptor.say(message);
         }},
    {.id = "gateway.passes-notifications",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "swallows that roots have changed",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.body.find("roots/list_changed") == std::string::npos) return std::nullopt;
       return wire::HttpResponse{202, {}, ""};
     }},
    {.id = "gateway.passes-refusals",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "hands on an empty result for an error of its client",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (find(message, "error")) {
             message.erase("error");
             message["result"] = Json::object();
           }
           interceptor.pass(message);
         }},
    {.id = "gateway.answers-pings",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "swallows pings of the server",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (string_or(message, "method", "") != "ping") interceptor.say(message);
         }},

    {.id = "gateway.speaks-with-older-servers",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "says to its clients that they get the revision that they asked for",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/protocolVersion") != nullptr) {
             const Json asked = interceptor.asked(message);
             const Json* const revision = at_pointer(asked, "/params/protocolVersion");
             if (revision != nullptr) message["result"]["protocolVersion"] = *revision;
           }
           interceptor.say(message);
         },
     .also = {"gateway.offers-a-revision"}},
    {.id = "gateway.serves-older-clients",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "names its own revision in every request",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.headers.get("MCP-Protocol-Version") == "2025-06-18") {
         request.headers.set("MCP-Protocol-Version", std::string(kNewestStateful));
       }
       return std::nullopt;
     },
     .also = {"gateway.speaks-with-older-servers"}},
    {.id = "gateway.passes-version-errors",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "answers -32603 for -32022",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const code = at_pointer(message, "/error/code");
           if (code != nullptr && *code == Json(-32022)) message["error"]["code"] = -32603;
           interceptor.say(message);
         }},

    {.id = "gateway.resumes-streams",
     .revision = kFormEra,
     .transport = Transport::kHttp,
     .what = "drops the ids of events",
     .event =
         [](const wire::HttpRequest&, wire::SseEvent& event) {
           event.id.reset();
           return true;
         }},
    {.id = "gateway.passes-listening",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "knows no subscriptions/listen",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (string_or(message, "method", "") != "subscriptions/listen") {
             return interceptor.pass(message);
           }
           Json response(Json::value_t::object);
           response["jsonrpc"] = "2.0";
           response["id"] = message["id"];
           response["error"]["code"] = -32601;
           response["error"]["message"] = "Method not found";
           interceptor.say(response);
         }},
    {.id = "gateway.passes-input-requests",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "drops requestState",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (find(message, "result")) message["result"].erase("requestState");
           interceptor.say(message);
         }},
    {.id = "gateway.takes-every-form",
     .revision = kNewestStateful,
     .transport = Transport::kHttp,
     .what = "takes no call whose type has a parameter",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       const std::string type(request.headers.get("Content-Type").value_or(""));
       if (type.find("charset") == std::string::npos) return std::nullopt;
       return wire::HttpResponse{415, {}, "unsupported media type"};
     }},
    {.id = "gateway.takes-every-form",
     .revision = kNewestStateful,
     .transport = Transport::kHttp,
     .what = "takes no token that is nothing to it",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.body.find(R"("progressToken":"")") == std::string::npos) return std::nullopt;
       return wire::HttpResponse{400, {}, "no progressToken"};
     }},
};

}  // namespace

Deviations form_deviations() { return kFormDeviations; }

}  // namespace plumbline::conformance
