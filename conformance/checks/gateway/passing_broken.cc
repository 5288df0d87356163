// Wrong gateways: the middleman as a plain proxy, with one thing put wrong.

#include "conformance/broken/gateway_world.h"

namespace plumbline::conformance {

namespace {

std::string tool_of(const Json& message) {
  const Json* const params = find(message, "params");
  return params == nullptr ? "" : string_or(*params, "name", "");
}

bool is_progress(const Json& message) {
  return string_or(message, "method", "") == "notifications/progress";
}

Json said_by(const std::string& text) {
  Result<Json> message = parse_json(text);
  return message.ok() ? std::move(message).value() : Json();
}

// refuse answers the client instead of the server.
void refuse(Interceptor& interceptor, const Json& request) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = *find(request, "id");
  response["error"]["code"] = -32603;
  response["error"]["message"] = "no upstream";
  interceptor.say(response);
}

const Deviation kPassingDeviations[] = {
    {"gateway.reaches-server",
     kNewestStateful,
     Transport::kHttp,
     "answers calls with a mark by itself",
     nullptr,
     [](Interceptor& interceptor, std::string text) {
       const Json message = said_by(text);
       if (at_pointer(message, "/params/arguments/mark")) return refuse(interceptor, message);
       interceptor.pass_text(std::move(text));
     },
     nullptr,
     nullptr,
     {},
     {"gateway.keeps-large-messages", "gateway.reads-streams", "gateway.does-without-stream",
      "gateway.waits-between-streams", "gateway.speaks-with-older-servers",
      "gateway.serves-older-clients"}},
    {"gateway.keeps-values",
     kNewestStateful,
     Transport::kHttp,
     "drops arguments that are null",
     nullptr,
     [](Interceptor& interceptor, std::string text) {
       Json message = said_by(text);
       if (at_pointer(message, "/params/arguments/null")) {
         message["params"]["arguments"].erase("null");
         return interceptor.pass(message);
       }
       interceptor.pass_text(std::move(text));
     },
     nullptr,
     nullptr,
     {},
     {"gateway.keeps-empty-arguments"}},
    {"gateway.keeps-large-messages", kNewestStateful, Transport::kHttp, "refuses large bodies",
     nullptr, nullptr,
     [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.body.size() < 200'000) return std::nullopt;
       return wire::HttpResponse{413, {}, ""};
     }},
    {"gateway.keeps-unknown-members", kNewestStateful, Transport::kHttp,
     "passes on what it knows of a result",
     [](Interceptor& interceptor, Json message) {
       if (find(message, "result")) message["result"].erase("plumblineExtra");
       interceptor.say(message);
     }},
    {"gateway.keeps-errors",
     kNewestStateful,
     Transport::kHttp,
     "drops the data of errors",
     [](Interceptor& interceptor, Json message) {
       if (find(message, "error")) message["error"].erase("data");
       interceptor.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"gateway.keeps-resource-errors", "gateway.passes-version-errors"}},
    {"gateway.keeps-order", kNewestStateful, Transport::kHttp,
     "passes on every other notification of progress",
     [](Interceptor& interceptor, Json message) {
       const Json* const progress = at_pointer(message, "/params/progress");
       if (progress != nullptr && as_int(*progress).value_or(1) % 2 == 0) return;
       interceptor.say(message);
     }},
    {"gateway.streams",
     kNewestStateful,
     Transport::kHttp,
     "keeps everything until the response",
     [](Interceptor& interceptor, Json message) {
       if (is_progress(message)) return interceptor.memory.push_back(std::move(message));
       if (find(message, "result")) {
         for (const Json& kept : interceptor.memory) interceptor.say(kept);
         interceptor.memory = Json::array();
       }
       interceptor.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"gateway.keeps-progress-apart"}},
    {"gateway.keeps-clients-apart",
     kNewestStateful,
     Transport::kHttp,
     "answers an id that it has seen before with the result it got then",
     [](Interceptor& interceptor, Json message) {
       const Json* const id = find(message, "id");
       const bool echo = at_pointer(message, "/result/structuredContent/mark") != nullptr &&
                         tool_of(interceptor.asked(message)) == "echo";
       if (id != nullptr && echo) {
         Json& kept = interceptor.memory[dump_json(*id)];
         if (kept.is_null()) kept = message;
         message = kept;
       }
       interceptor.say(message);
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"gateway.keeps-values", "gateway.keeps-large-messages", "gateway.keeps-unknown-members",
      "gateway.keeps-big-numbers", "gateway.keeps-split-text"}},
    {"gateway.asks-the-right-client", kNewestStateful, Transport::kHttp,
     "answers questions of the server by itself", nullptr,
     [](Interceptor& interceptor, std::string text) {
       Json message = said_by(text);
       if (at_pointer(message, "/result/model")) {
         message["result"]["model"] = "gateway";
         return interceptor.pass(message);
       }
       interceptor.pass_text(std::move(text));
     }},
    {"gateway.passes-cancellation", kNewestStateful, Transport::kHttp, "swallows cancellations",
     nullptr, nullptr,
     [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.body.find("notifications/cancelled") == std::string::npos) return std::nullopt;
       return wire::HttpResponse{202, {}, ""};
     }},
    {"gateway.tells-one-client-alone",
     kNewestStateful,
     Transport::kHttp,
     "swallows what the server says by itself",
     [](Interceptor& interceptor, Json message) {
       if (string_or(message, "method", "") != "notifications/tools/list_changed") {
         interceptor.say(message);
       }
     },
     nullptr,
     nullptr,
     nullptr,
     {},
     {"gateway.passes-listening", "gateway.tells-of-changes"}},
    {"gateway.passes-headers", kNewestStateful, Transport::kHttp, "drops MCP-Protocol-Version",
     nullptr, nullptr,
     [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.headers.get("MCP-Protocol-Version") == kNewestStateful) {
         request.headers.erase("MCP-Protocol-Version");
       }
       return std::nullopt;
     }},
    {"gateway.survives-leaving",
     kNewestStateful,
     Transport::kHttp,
     "serves nobody while a call waits",
     [](Interceptor& interceptor, Json message) {
       if (tool_of(interceptor.asked(message)) == "hold") interceptor.count = 0;
       interceptor.say(message);
     },
     [](Interceptor& interceptor, std::string text) {
       const Json message = said_by(text);
       if (tool_of(message) == "hold") interceptor.count = 1;
       if (tool_of(message) == "echo" && interceptor.count == 1)
         return refuse(interceptor, message);
       interceptor.pass_text(std::move(text));
     },
     nullptr,
     nullptr,
     {},
     {"gateway.serves-others-meanwhile", "gateway.serves-calls-at-once"}},
    {"gateway.calls-once",
     kNewestStateful,
     Transport::kHttp,
     "sends every call of hold twice",
     nullptr,
     [](Interceptor& interceptor, std::string text) {
       if (tool_of(said_by(text)) == "hold") interceptor.pass_text(text);
       interceptor.pass_text(std::move(text));
     },
     nullptr,
     nullptr,
     {},
     {"gateway.cancels-ones-own"}},
};

}  // namespace

Deviations passing_deviations() { return kPassingDeviations; }

}  // namespace plumbline::conformance
