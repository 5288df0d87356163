// Wrong gateways whose fault shows the second time, with the second client, or beside what was
// asked for.

#include <map>
#include <set>
#include <string>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kAgainEra = kNewestStateful;
constexpr int kStormGets = 5;

std::string session_named(const wire::HttpRequest& request) {
  return std::string(request.headers.get("Mcp-Session-Id").value_or(""));
}

bool asks_for(const wire::HttpRequest& request, std::string_view method) {
  return request.body.find("\"" + std::string(method) + "\"") != std::string::npos;
}

// keep_first answers questions of the server by what its client answered first: the member `at`.
void keep_first(Interceptor& interceptor, Json message, const char* at) {
  if (at_pointer(message, at) != nullptr) {
    Json& kept = interceptor.memory["first"];
    if (kept.is_null()) kept = message["result"];
    message["result"] = kept;
  }
  interceptor.pass(message);
}

// SecondStreamKeeper has one stream for each session, for as long as that lives.
class SecondStreamKeeper final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const bool opens = request.method == "GET" && request.headers.count("Last-Event-ID") == 0;
    if (!opens || had_.insert(session_named(request)).second) return std::nullopt;
    return wire::HttpResponse{409, {}, ""};
  }

 private:
  std::set<std::string> had_;
};

// The session that the server knew no longer when it was called last.
std::string dead_session;

void note_dead_session(const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
  if (status == 404 && asks_for(request, "tools/call")) dead_session = session_named(request);
}

// DeadStreamKeeper asks for the stream of a session that is dead again and again.
class DeadStreamKeeper final : public Keeper {
 public:
  explicit DeadStreamKeeper(Behind behind) : behind_(std::move(behind)) { dead_session.clear(); }

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const bool dead = !dead_session.empty() && session_named(request) == dead_session;
    if (request.method != "GET" || !dead) return std::nullopt;
    for (int time = 0; time < kStormGets; ++time) {
      wire::HttpRequest again;
      again.method = "GET";
      again.target = request.target;
      again.headers.set("Mcp-Session-Id", dead_session);
      behind_.ask(std::move(again));
    }
    return std::nullopt;
  }

 private:
  Behind behind_;
};

// ProbingKeeper opens a second session for each client, and never ends it.
class ProbingKeeper final : public Keeper {
 public:
  explicit ProbingKeeper(Behind behind) : behind_(std::move(behind)) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    if (asks_for(request, "initialize")) {
      wire::HttpRequest again = request;
      again.headers.erase("Host");
      again.headers.erase("Content-Length");
      behind_.ask(std::move(again));
    }
    return std::nullopt;
  }

 private:
  Behind behind_;
};

// ToolsAloneKeeper takes cancellations of what is no call.
class ToolsAloneKeeper final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const Json message = edit::read(request.body);
    const std::string method = string_or(message, "method", "");
    const Json* const id = find(message, "id");
    if (id != nullptr && (method == "prompts/get" || method == "resources/read")) {
      others_.insert(session_named(request) + dump_json(*id));
    }
    const Json* const named = at_pointer(message, "/params/requestId");
    if (method != "notifications/cancelled" || named == nullptr) return std::nullopt;
    if (!others_.contains(session_named(request) + dump_json(*named))) return std::nullopt;
    return wire::HttpResponse{202, {}, ""};
  }

 private:
  std::set<std::string> others_;
};

// free_token forgets a token when the first call that named it has ended.
void free_token(Interceptor& interceptor, Json message) {
  const Json asked = interceptor.asked(message);
  const Json* const token = at_pointer(asked, "/params/_meta/progressToken");
  if (token != nullptr) interceptor.memory.erase(dump_json(*token));
  const Json* const told = at_pointer(message, "/params/progressToken");
  if (told != nullptr && !interceptor.memory.contains(dump_json(*told))) return;
  interceptor.say(message);
}

void know_token(Interceptor& interceptor, Json message) {
  const Json* const token = at_pointer(message, "/params/_meta/progressToken");
  if (token != nullptr) interceptor.memory[dump_json(*token)] = true;
  interceptor.pass(message);
}

// empty_lists makes an empty list of one that the server refuses.
void empty_lists(Interceptor& interceptor, Json message) {
  const std::string method = interceptor.method_asked(message);
  if (method == "tools/list" && find(message, "error") != nullptr) {
    message.erase("error");
    message["result"]["tools"] = Json::array();
  }
  interceptor.say(message);
}

bool is_of(const wire::HttpRequest& request, std::string_view method) {
  return request.body.find("\"" + std::string(method) + "\"") != std::string::npos;
}

// remember keeps what was asked last.
void remember(Interceptor& interceptor, Json message) {
  if (find(message, "method") != nullptr) interceptor.memory = message;
  interceptor.pass(message);
}

// answer_refused answers what was asked last by itself, where the server wants a token.
void answer_refused(Interceptor& interceptor, Json message) {
  if (find(message, "detail") == nullptr) return interceptor.say(message);
  const Json& asked = interceptor.memory;
  Json answer(Json::value_t::object);
  answer["jsonrpc"] = "2.0";
  answer["id"] = asked.contains("id") ? asked["id"] : Json();
  Json& result = answer["result"] = Json::object();
  if (edit::is_method(asked, "initialize")) {
    result["protocolVersion"] = asked["params"]["protocolVersion"];
    result["capabilities"]["tools"] = Json::object();
    result["serverInfo"]["name"] = "gateway";
    result["serverInfo"]["version"] = "1";
  } else {
    result["tools"] = Json::array();
  }
  interceptor.say(answer);
}

void say_back(Interceptor& interceptor, Json message) {
  if (edit::is_method(message, "notifications/roots/list_changed")) {
    interceptor.say_on_stream(message);
  }
  interceptor.pass(message);
}

const Deviation kSecondTimeDeviations[] = {
    {.id = "gateway.answers-pings",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "answers the first ping alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool again = edit::is_method(message, "ping") && interceptor.count++ > 0;
           if (!again) interceptor.say(message);
         }},
    {.id = "gateway.asks-for-roots",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "keeps the roots that it was told first",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           keep_first(interceptor, std::move(message), "/result/roots");
         }},
    {.id = "gateway.asks-by-elicitation",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "keeps the form that was filled in first",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           keep_first(interceptor, std::move(message), "/result/content/word");
         }},
    {.id = "gateway.survives-second-stream",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "opens one stream for each session, ever",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<SecondStreamKeeper>();
     }},
    {.id = "gateway.passes-notifications",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "swallows that its client is initialized",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (!asks_for(request, "notifications/initialized")) return std::nullopt;
       return wire::HttpResponse{202, {}, ""};
     }},
    {.id = "gateway.passes-notifications",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "makes requests of notifications",
     .also = {"gateway.accepts-notifications"},
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const std::string method = string_or(message, "method", "");
           if (method == "notifications/initialized") message["id"] = "bridge";
           interceptor.pass(message);
         }},
    {.id = "gateway.passes-notifications",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "says notifications of its client back to it",
     .from_client_message = say_back},
    {.id = "gateway.outlives-servers-session",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "opens sessions in the name of one that is dead",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (asks_for(request, "initialize") && !dead_session.empty()) {
         request.headers.set("Mcp-Session-Id", std::exchange(dead_session, ""));
       }
       return std::nullopt;
     },
     .response = note_dead_session},
    {.id = "gateway.outlives-servers-session",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "asks for the stream of a dead session without end",
     .response = note_dead_session,
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<DeadStreamKeeper>(std::move(behind));
     }},
    {.id = "gateway.ends-sessions",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "opens a second session for each client",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<ProbingKeeper>(std::move(behind));
     }},
    {.id = "gateway.keeps-progress-apart",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "forgets a token with the first call that named it",
     .from_server = free_token,
     .from_client_message = know_token},
    {.id = "gateway.keeps-log-messages",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "has one log level for all its clients",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool log = edit::is_method(message, "notifications/message");
           if (!log || interceptor.memory != Json("emergency")) interceptor.say(message);
         },
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "logging/setLevel")) {
             interceptor.memory = message["params"]["level"];
           }
           interceptor.pass(message);
         }},
    {.id = "gateway.passes-cancellation",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "hands on cancellations of calls alone",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<ToolsAloneKeeper>();
     }},
    {.id = "gateway.passes-cancellation",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "works on for clients that have left",
     .also = {"gateway.lets-streams-go"},
     .works_on = true},
    {.id = "gateway.tells-of-refusals",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "makes an empty list of one that is refused",
     .from_server = empty_lists},
    {.id = "gateway.passes-challenges",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "takes a server that wants a token for one without tools",
     .from_server = answer_refused,
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           if (status == 401 && is_of(request, "tools/list")) status = 200;
         },
     .from_client_message = remember},
    {.id = "gateway.passes-challenges",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "opens by itself what the server refuses",
     .from_server = answer_refused,
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           if (status == 401 && is_of(request, "initialize")) status = 200;
         },
     .from_client_message = remember},
    {.id = "gateway.passes-input-requests",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "knows that calls ask for input, and nothing else",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const type = at_pointer(message, "/result/resultType");
           const bool asks = type != nullptr && *type == Json("input_required");
           if (asks && interceptor.method_asked(message) != "tools/call") {
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         }},
    {.id = "gateway.keeps-capabilities",
     .revision = kAgainEra,
     .transport = Transport::kHttp,
     .what = "declares prompts whatever the server declares",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/capabilities") != nullptr) {
             message["result"]["capabilities"]["prompts"]["listChanged"] = true;
           }
           interceptor.say(message);
         }},
};

}  // namespace

Deviations gateway_again_deviations() { return kSecondTimeDeviations; }

}  // namespace plumbline::conformance
