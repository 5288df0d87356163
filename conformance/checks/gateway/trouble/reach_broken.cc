// Wrong gateways: they know servers that stay where they are, pack nothing and have little.

#include <string>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kReachEra = kNewestStateful;

void list_fifty(Interceptor& interceptor, Json message) {
  constexpr std::size_t kFifty = 50;
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    Json& tools = (*result)["tools"];
    Json kept = Json::array();
    for (std::size_t i = 0; i < tools.size() && i < kFifty; ++i) kept.push_back(tools[i]);
    tools = std::move(kept);
  }
  interceptor.say(message);
}

// serve_four refuses the fifth call of a client that waits, and those behind it: the marks of one
// check are counted.
void serve_four(Interceptor& interceptor, Json message) {
  const Json* const mark = at_pointer(message, "/params/arguments/mark");
  const Json* const tool = at_pointer(message, "/params/name");
  const std::string text = mark != nullptr && mark->is_string() ? mark->get<std::string>() : "";
  const char last = text.empty() ? '0' : text.back();
  if (tool == nullptr || *tool != Json("hold") || last < '5' || text[text.size() - 2] != '-') {
    return interceptor.pass(message);
  }
  Json refusal(Json::value_t::object);
  refusal["jsonrpc"] = "2.0";
  refusal["id"] = message["id"];
  refusal["error"]["code"] = -32000;
  refusal["error"]["message"] = "too many calls";
  interceptor.say(refusal);
}

const Deviation kReachDeviations[] = {
    {.id = "gateway.keeps-server-address",
     .revision = kReachEra,
     .transport = Transport::kHttp,
     .what = "drops the query of the server's address",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       request.target = request.target.substr(0, request.target.find('?'));
       return std::nullopt;
     }},
    {.id = "gateway.keeps-server-address",
     .revision = kReachEra,
     .transport = Transport::kHttp,
     .what = "asks at the root of the server's origin",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.target.starts_with("/mcp?")) request.target.erase(1, 3);
       return std::nullopt;
     }},
    {.id = "gateway.reads-compressed",
     .revision = kReachEra,
     .transport = Transport::kHttp,
     .what = "asks for gzip that its client does not accept",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       request.headers.set("Accept-Encoding", "gzip");
       return std::nullopt;
     }},
    {.id = "gateway.lists-long-pages",
     .revision = kReachEra,
     .transport = Transport::kHttp,
     .what = "lists fifty tools of a page",
     .from_server = list_fifty},
    {.id = "gateway.follows-redirects",
     .revision = kReachEra,
     .transport = Transport::kHttp,
     .what = "hands redirects back as they come",
     .response =
         [](const wire::HttpRequest&, int& status, wire::HttpHeaders& headers) {
           if (status == 307) headers.set("Location", "http://behind.example/mcp/moved");
         }},
    {.id = "gateway.serves-many-calls",
     .revision = kReachEra,
     .transport = Transport::kHttp,
     .what = "serves four calls of a client at once",
     .from_client_message = serve_four},
    {.id = "gateway.keeps-tokens-from-others",
     .revision = kReachEra,
     .transport = Transport::kHttp,
     .what = "follows redirects to other hosts with the token of its client",
     .follows_redirects = true},
};

}  // namespace

Deviations reach_deviations() { return kReachDeviations; }

}  // namespace plumbline::conformance
