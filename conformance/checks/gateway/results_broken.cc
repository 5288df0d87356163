// Wrong gateways that change what is handed back, and what is handed on.

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kSpoken = kNewestStateful;

std::string name_asked(const Interceptor& interceptor, const Json& message) {
  const Json asked = interceptor.asked(message);
  const Json* const name = at_pointer(asked, "/params/name");
  return name != nullptr && name->is_string() ? name->get<std::string>() : "";
}

// rich_without passes the result of rich on without what `path` names.
void rich_without(Interceptor& interceptor, Json message, std::string_view path) {
  if (name_asked(interceptor, message) == "rich") edit::erase_at(message, path);
  interceptor.say(message);
}

// lacking passes a response to `method` on without what `path` names.
void lacking(Interceptor& interceptor, Json message, std::string_view method,
             std::string_view path) {
  if (interceptor.method_asked(message) == method) edit::erase_at(message, path);
  interceptor.say(message);
}

// asked_without passes a request of `method` on without what `path` names.
void asked_without(Interceptor& interceptor, Json message, std::string_view method,
                   std::string_view path) {
  if (string_or(message, "method", "") == method) edit::erase_at(message, path);
  interceptor.pass(message);
}

// not_found answers a request of `method` by itself.
void not_found(Interceptor& interceptor, Json message, std::string_view method) {
  if (string_or(message, "method", "") != method) return interceptor.pass(message);
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = message["id"];
  response["error"]["code"] = -32601;
  response["error"]["message"] = "Method not found";
  interceptor.say(response);
}

// first_line reads events of one line of data alone.
bool first_line(const wire::HttpRequest& request, wire::SseEvent& event) {
  const bool calls = request.body.find("\"tools/call\"") != std::string::npos;
  return !calls || event.data.find('\n') == std::string::npos;
}

const Deviation kResultDeviations[] = {
    {.id = "gateway.keeps-content",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "keeps the first item of content alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (name_asked(interceptor, message) == "rich") {
             Json& content = message["result"]["content"];
             content = Json::array({content.front()});
           }
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-text",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "trims text",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (name_asked(interceptor, message) == "rich") {
             message["result"]["content"][0]["text"] = "First";
           }
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-media",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "says that audio is an octet-stream",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (name_asked(interceptor, message) == "rich") {
             message["result"]["content"][2]["mimeType"] = "application/octet-stream";
           }
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-resource-links",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops titles of links",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           rich_without(interceptor, std::move(message), "/result/content/*/title");
         }},
    {.id = "gateway.keeps-embedded-resources",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops types of what is embedded",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           rich_without(interceptor, std::move(message), "/result/content/*/resource/mimeType");
         }},
    {.id = "gateway.keeps-content-annotations",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops annotations of content",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           rich_without(interceptor, std::move(message), "/result/content/*/annotations");
         }},
    {.id = "gateway.keeps-content-meta",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops _meta of content",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           rich_without(interceptor, std::move(message), "/result/content/*/_meta");
         }},
    {.id = "gateway.keeps-structured-content",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops structuredContent of rich",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           rich_without(interceptor, std::move(message), "/result/structuredContent");
         }},
    {.id = "gateway.keeps-result-meta",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops _meta of the result of rich",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           rich_without(interceptor, std::move(message), "/result/_meta");
         }},
    {.id = "gateway.keeps-is-error",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "makes an error of each result with isError",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const failed = at_pointer(message, "/result/isError");
           if (failed != nullptr && *failed == Json(true)) {
             message.erase("result");
             message["error"]["code"] = -32000;
             message["error"]["message"] = "Tool invocation failed";
           }
           interceptor.say(message);
         },
     .also = {"gateway.keeps-failures"}},
    {.id = "gateway.keeps-is-error",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops isError",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lacking(interceptor, std::move(message), "tools/call", "/result/isError");
         }},
    {.id = "gateway.keeps-failures",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops the structure of failures",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/isError")) {
             message["result"].erase("structuredContent");
           }
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-request-meta",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops _meta of requests but the token",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           asked_without(interceptor, std::move(message), "tools/call",
                         "/params/_meta/plumbline.dev~1asked");
         }},
    {.id = "gateway.keeps-empty-arguments",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops arguments that are null",
     .also = {"gateway.keeps-values"},
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           asked_without(interceptor, std::move(message), "tools/call", "/params/arguments/null");
         }},
    {.id = "gateway.keeps-empty-arguments",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops arguments of a prompt that are {}",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const Json* const given = at_pointer(message, "/params/arguments");
           const bool gets = string_or(message, "method", "") == "prompts/get";
           if (gets && given != nullptr && given->empty()) message["params"].erase("arguments");
           interceptor.pass(message);
         }},
    {.id = "gateway.passes-prompts",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "knows no prompts/get",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           not_found(interceptor, std::move(message), "prompts/get");
         }},
    {.id = "gateway.keeps-prompt-messages",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops _meta in messages of prompts",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lacking(interceptor, std::move(message), "prompts/get",
                   "/result/messages/*/content/_meta");
         }},
    {.id = "gateway.keeps-prompt-requests",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops an argument of prompts",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           asked_without(interceptor, std::move(message), "prompts/get", "/params/arguments/tone");
         }},
    {.id = "gateway.passes-resources",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "knows no resources/read",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           not_found(interceptor, std::move(message), "resources/read");
         }},
    {.id = "gateway.keeps-resource-text",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "hands back the first item alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lacking(interceptor, std::move(message), "resources/read", "/result/contents/1/text");
         }},
    {.id = "gateway.keeps-resource-blobs",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "calls blobs text",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/contents/0/blob")) {
             Json& item = message["result"]["contents"][0];
             item["text"] = item["blob"];
             item.erase("blob");
           }
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-contents-types",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops mimeType of what is read",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lacking(interceptor, std::move(message), "resources/read",
                   "/result/contents/*/mimeType");
         }},
    {.id = "gateway.keeps-contents-meta",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops _meta of what is read",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lacking(interceptor, std::move(message), "resources/read", "/result/contents/*/_meta");
         }},
    {.id = "gateway.passes-completion",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "knows no completion/complete",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           not_found(interceptor, std::move(message), "completion/complete");
         }},
    {.id = "gateway.keeps-completions",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops total of completions",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           lacking(interceptor, std::move(message), "completion/complete",
                   "/result/completion/total");
         }},
    {.id = "gateway.keeps-completion-requests",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops context of completions",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           asked_without(interceptor, std::move(message), "completion/complete", "/params/context");
         }},
    {.id = "gateway.passes-log-level",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "knows no logging/setLevel",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           not_found(interceptor, std::move(message), "logging/setLevel");
         }},
    {.id = "gateway.passes-subscriptions",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "knows no resources/subscribe",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           not_found(interceptor, std::move(message), "resources/subscribe");
         }},
    {.id = "gateway.keeps-resource-errors",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "answers -32603 for -32002",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/error/data/uri")) {
             message["error"]["code"] = -32603;
           }
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-error-messages",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "puts its name before errors",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/error/data/uri")) {
             message["error"]["message"] = "MCP error: not found";
           }
           interceptor.say(message);
         }},
    {.id = "gateway.reads-streams",
     .revision = kSpoken,
     .transport = Transport::kHttp,
     .what = "drops events of several lines",
     .also = {"gateway.reads-every-form"},
     .event = first_line},
};

}  // namespace

Deviations result_deviations() { return kResultDeviations; }

}  // namespace plumbline::conformance
