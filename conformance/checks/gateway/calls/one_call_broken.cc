// Wrong gateways that mix up calls, and what is of one of them.

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kCallEra = kNewestStateful;

bool tells_progress(const Json& message) {
  return string_or(message, "method", "") == "notifications/progress";
}

std::string mark_asked(const Json& request) {
  const Json* const mark = at_pointer(request, "/params/arguments/mark");
  return mark != nullptr && mark->is_string() ? mark->get<std::string>() : "";
}

// note_owner keeps who asked last by an id; answer_the_owner has no answer for anybody else.
void note_owner(Interceptor& interceptor, Json message) {
  const std::string mark = mark_asked(message);
  if (!mark.empty()) interceptor.memory["owners"][dump_json(message["id"])] = mark;
  interceptor.pass(message);
}

void answer_the_owner(Interceptor& interceptor, Json message) {
  const std::string mark = mark_asked(interceptor.asked(message));
  if (!mark.empty() && interceptor.memory["owners"][dump_json(message["id"])] != Json(mark)) return;
  interceptor.say(message);
}

// goes_on_telling says more of the progress of a call with the next answer.
void goes_on_telling(Interceptor& interceptor, Json message) {
  if (tells_progress(message)) interceptor.memory["last"] = message;
  interceptor.say(message);
  if (interceptor.method_asked(message) != "ping") return;
  Json more = std::exchange(interceptor.memory["last"], Json());
  if (!more.is_object()) return;
  more["params"]["progress"] = 21;
  interceptor.say_on_stream(more);
}

// note_era keeps whether its clients open streams by GET; told_by_get tells of progress there
// alone.
void note_era(Interceptor& interceptor, Json message) {
  const char* const version = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
  interceptor.memory["stateless"] = at_pointer(message, version) != nullptr;
  interceptor.pass(message);
}

void told_by_get(Interceptor& interceptor, Json message) {
  const bool streams = !bool_or(interceptor.memory, "stateless", false);
  if (streams && tells_progress(message)) return interceptor.say_on_stream(message);
  interceptor.say(message);
}

// asked_by_get asks its clients there alone.
void asked_by_get(Interceptor& interceptor, Json message) {
  const bool asks = find(message, "method") != nullptr && find(message, "id") != nullptr;
  if (asks) return interceptor.say_on_stream(message);
  interceptor.say(message);
}

// asks_listeners asks those alone who have such a stream.
void asks_listeners(Interceptor& interceptor, Json message) {
  const bool asks = find(message, "method") != nullptr && find(message, "id") != nullptr;
  if (!asks || interceptor.streams() > 0) interceptor.say(message);
}

// numbered holds the ids of the server's questions of one kind that are numbers.
std::set<std::int64_t> numbered;

// note_numbered keeps those of pings, or of everything else.
void note_numbered(Interceptor& interceptor, const Json& message, bool pings) {
  const Json* const id = find(message, "id");
  const std::string method = string_or(message, "method", "");
  const bool asks = id != nullptr && id->is_number() && !method.empty();
  if (asks && (method == "ping") == pings) numbered.insert(id->get<std::int64_t>());
  if (asks && (method == "ping") != pings) numbered.erase(id->get<std::int64_t>());
  interceptor.say(message);
}

std::optional<wire::HttpResponse> refuses_numbered(wire::HttpRequest& request) {
  const Result<Json> message = parse_json(request.body);
  if (!message.ok() || find(message.value(), "method") != nullptr) return std::nullopt;
  const Json* const id = find(message.value(), "id");
  if (id == nullptr || !id->is_number()) return std::nullopt;
  if (!numbered.contains(id->get<std::int64_t>())) return std::nullopt;
  return wire::HttpResponse{400, {}, "invalid response id"};
}

// LoudKeeper tells all clients what one of them is answered: echo, as it will be.
class LoudKeeper final : public Keeper {
 public:
  explicit LoudKeeper(Behind behind) : behind_(std::move(behind)) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const Result<Json> message = parse_json(request.body);
    const Json* const arguments =
        message.ok() ? at_pointer(message.value(), "/params/arguments") : nullptr;
    const bool calls = message.ok() && edit::is_method(message.value(), "tools/call");
    if (!calls || arguments == nullptr || message.value()["params"]["name"] != "echo") {
      return std::nullopt;
    }
    Json said(Json::value_t::object);
    said["jsonrpc"] = "2.0";
    said["id"] = "plumbline of another";
    said["result"]["content"] = Json::array();
    said["result"]["structuredContent"] = *arguments;
    behind_.tell("", said);
    return std::nullopt;
  }

 private:
  Behind behind_;
};

const Deviation kOneCallDeviations[] = {
    {.id = "gateway.keeps-clients-apart",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "tells all clients what one is answered",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<LoudKeeper>(std::move(behind));
     }},
    {.id = "gateway.keeps-clients-apart",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "knows whom an answer is for by the id alone",
     .from_server = answer_the_owner,
     .also = {"gateway.asks-the-right-client", "gateway.keeps-progress-apart",
              "gateway.cancels-ones-own"},
     .from_client_message = note_owner},
    {.id = "gateway.keeps-progress-on-its-stream",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "tells of progress on the stream of GET",
     .from_server = told_by_get,
     .from_client_message = note_era},
    {.id = "gateway.asks-on-its-stream",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "asks on the stream of GET",
     .from_server = asked_by_get},
    {.id = "gateway.asks-on-its-stream",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "asks none but clients with a stream of GET",
     .from_server = asks_listeners},
    {.id = "gateway.streams",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "keeps what comes in pieces until the response",
     .holds_pieces = true},
    {.id = "gateway.ends-progress",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "goes on telling of the progress of what is answered",
     .from_server = goes_on_telling},
    {.id = "gateway.answers-by-id",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "tells by an error without an id that the server broke off",
     .last_word = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"EOF"}})"},
    {.id = "gateway.answers-pings",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "refuses answers to pings whose ids are numbers",
     .from_server = [](Interceptor& interceptor,
                       Json message) { note_numbered(interceptor, message, true); },
     .request = refuses_numbered},
    {.id = "gateway.asks-by-elicitation",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "refuses answers to questions whose ids are numbers",
     .from_server = [](Interceptor& interceptor,
                       Json message) { note_numbered(interceptor, message, false); },
     .request = refuses_numbered,
     .also = {"gateway.asks-for-roots"}},
    {.id = "gateway.offers-a-revision",
     .revision = kCallEra,
     .transport = Transport::kHttp,
     .what = "answers each initialize with the newest revision",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (at_pointer(message, "/result/protocolVersion") != nullptr) {
             message["result"]["protocolVersion"] = kNewestStateless;
           }
           interceptor.say(message);
         }},
};

}  // namespace

Deviations one_call_deviations() { return kOneCallDeviations; }

}  // namespace plumbline::conformance
