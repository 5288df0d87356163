// Wrong gateways: the middleman as a plain proxy, with one thing put wrong.

#include <map>
#include <string>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/checks/gateway/mirror_content.h"

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
      "gateway.keeps-big-numbers", "gateway.keeps-split-text", "gateway.calls-each-time"}},
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
     {"gateway.serves-others-meanwhile", "gateway.serves-calls-at-once",
      "gateway.survives-trouble"}},
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
     {"gateway.cancels-ones-own", "gateway.passes-cancellation", "gateway.keeps-progress-apart",
      "gateway.serves-many-calls"}},
};

constexpr std::string_view kKeptEra = kNewestStateful;

std::string kept_method(const Json& message) { return string_or(message, "method", ""); }

std::string kept_text(const Json& message, const char* pointer) {
  const Json* const value = at_pointer(message, pointer);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

Json kept_response(const Json& request) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = request["id"];
  return response;
}

// keep_failures answers calls of refuse from what it has once seen.
void keep_failures(Interceptor& interceptor, Json message) {
  const bool refuse = kept_text(message, "/params/name") == "refuse";
  const std::string mark = kept_text(message, "/params/arguments/mark");
  if (!refuse || mark.empty()) return interceptor.pass(message);
  Json& times = interceptor.memory[mark];
  if (times.is_null()) {
    times = 1;
    return interceptor.pass(message);
  }
  Json response = kept_response(message);
  response["result"] = edit::text_result("kept");
  response["result"]["isError"] = true;
  interceptor.say(response);
}

// name_all_alike lists the tool of one client for every client.
void name_all_alike(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_of(interceptor, message, "tools/list");
  if (result != nullptr && result->contains("tools")) {
    for (Json& tool : (*result)["tools"]) {
      if (string_or(tool, "name", "").starts_with(kMirrorOwn)) {
        tool["name"] = std::string(kMirrorOwn) + "one";
      }
    }
  }
  interceptor.say(message);
}

// Whether somebody has unsubscribed, of all its clients.
bool unsubscribed = false;

void note_subscriptions(Interceptor& interceptor, Json message) {
  if (kept_method(message) == "resources/subscribe") unsubscribed = false;
  if (kept_method(message) == "resources/unsubscribe") unsubscribed = true;
  interceptor.pass(message);
}

// RoamingKeeper sends each third call of echo into the session that was opened last by another.
class RoamingKeeper final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const std::string id(request.headers.get("Mcp-Session-Id").value_or(""));
    if (request.method == "DELETE") open_.erase(id);
    const bool calls = request.body.find("\"echo\"") != std::string::npos;
    if (!calls || id.empty() || ++calls_[id] != 3) return std::nullopt;
    for (const auto& [other, opened] : open_) {
      if (other != id) request.headers.set("Mcp-Session-Id", other);
    }
    return std::nullopt;
  }

  void answered(const wire::HttpRequest&, const wire::HttpHeaders& headers) override {
    const auto id = headers.get("Mcp-Session-Id");
    if (id) open_[std::string(*id)] = true;
  }

 private:
  std::map<std::string, bool> open_;
  std::map<std::string, int> calls_;
};

const Deviation kKeptDeviations[] = {
    {.id = "gateway.answers-once",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "gives answers of one tool on the standing stream as well",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool call = edit::result_of(interceptor, message, "tools/call") != nullptr;
           if (call && edit::is_of(interceptor, message, "stream")) {
             interceptor.say_on_stream(message);
           }
           interceptor.say(message);
         }},
    {.id = "gateway.calls-each-time",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "keeps results with isError",
     .from_client_message = keep_failures},
    {.id = "gateway.calls-each-time",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "keeps prompts by their names",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const bool marked = kept_text(message, "/params/arguments/who").starts_with("mark-");
           if (kept_method(message) != "prompts/get" || !marked) return interceptor.pass(message);
           Json response = kept_response(message);
           response["result"]["messages"] = Json::array();
           interceptor.say(response);
         }},
    {.id = "gateway.lists-apart",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "lists for all what it was told for one",
     .from_server = name_all_alike},
    {.id = "gateway.reads-templates",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "has no resource that no list names",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (!kept_text(message, "/params/uri").starts_with(kMirrorRow)) {
             return interceptor.pass(message);
           }
           Json response = kept_response(message);
           response["error"]["code"] = -32002;
           response["error"]["message"] = "Resource not found";
           interceptor.say(response);
         }},
    {.id = "gateway.declares-its-client",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "declares sampling for whoever comes",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (kept_method(message) == "initialize") {
             message["params"]["capabilities"]["sampling"] = Json::object();
           }
           interceptor.pass(message);
         }},
    {.id = "gateway.declares-its-client",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "declares roots for whoever comes",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (kept_method(message) == "initialize") {
             message["params"]["capabilities"]["roots"] = Json::object();
           }
           interceptor.pass(message);
         }},
    {.id = "gateway.keeps-others-subscriptions",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "ends the subscriptions of all when one of its clients unsubscribes",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool update = kept_method(message) == "notifications/resources/updated";
           if (!update || !unsubscribed) interceptor.say(message);
         },
     .also = {"gateway.passes-listening"},
     .from_client_message = note_subscriptions},
    {.id = "gateway.keeps-the-session",
     .revision = kKeptEra,
     .transport = Transport::kHttp,
     .what = "sends calls into any session with the server",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<RoamingKeeper>(); }},
};

}  // namespace

Deviations passing_deviations() { return kPassingDeviations; }

Deviations kept_deviations() { return kKeptDeviations; }

}  // namespace plumbline::conformance
