#include "scenarios/clients/scripted_client.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

#include "core/mcp/protocol/revision.h"
#include "core/net/http_answer.h"
#include "core/wire/sse.h"
#include "fakes/peers/placeholders.h"
#include "scenarios/judge/properties.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kShownBytesMax = 400;
constexpr std::size_t kBodyBytesMax = std::size_t{1} << 20U;

std::string shown(const Json& value) {
  std::string text = value.is_null() ? "nothing" : dump_json(value);
  return text.size() <= kShownBytesMax ? text
                                       : std::string(beginning(text, kShownBytesMax)) + "...";
}

// missing_in returns the first {{client.name}} in `value` that nobody has kept yet.
std::string missing_in(const Json& value, const ClientBoard& board) {
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    for (std::size_t at = text->find("{{"); at != text->npos; at = text->find("{{", at + 2)) {
      const std::size_t end = text->find("}}", at);
      if (end == text->npos) break;
      std::string name = text->substr(at + 2, end - at - 2);
      if (name.find('.') != name.npos && board.find(name) == nullptr) return name;
    }
  } else if (value.is_structured()) {
    for (const Json& member : value) {
      std::string name = missing_in(member, board);
      if (!name.empty()) return name;
    }
  }
  return {};
}

// body_of returns the JSON that an answer of HTTP carries: its body, or its last event.
Json body_of(const wire::HttpResponse& response) {
  std::string text = response.body;
  const std::string_view type = response.headers.get("Content-Type").value_or("");
  if (net::is_media_type(type, "text/event-stream")) {
    wire::SseReader reader;
    reader.feed(response.body);
    for (auto event = reader.next(); event; event = reader.next()) {
      if (!event->data.empty()) text = event->data;
    }
  }
  Result<Json> parsed = parse_json(text);
  return parsed.ok() ? std::move(parsed).value() : Json(text);
}

wire::HttpRequest request_of(const Json& what, const wire::Url& to) {
  wire::HttpRequest request;
  request.method = string_or(what, "method", "POST");
  request.target = to.target;
  request.headers.set("Accept", "application/json, text/event-stream");
  if (const Json* const body = find(what, "body")) {
    const auto* const text = body->get_ptr<const std::string*>();
    request.body = text != nullptr ? *text : dump_json(*body);
    request.headers.set("Content-Type", "application/json");
  }
  static const Json kNone = Json::object();
  const Json* const headers = find(what, "headers");
  for (const auto& [name, value] : (headers != nullptr ? *headers : kNone).items()) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) {
      request.headers.erase(name);
    } else {
      request.headers.set(name, *text);
    }
  }
  return request;
}

}  // namespace

void ClientBoard::keep(const std::string& name, Json value) {
  kept_[name] = std::move(value);
  for (Event* const event : std::exchange(waiting_, {})) event->set();
}

Task<bool> ClientBoard::wait_for(Loop& loop, std::string name, Instant deadline) {
  while (find(name) == nullptr) {
    Event event;
    waiting_.push_back(&event);
    const bool in_time = co_await event.wait(loop, deadline);
    std::erase(waiting_, &event);
    if (!in_time) co_return false;
  }
  co_return true;
}

void ScriptedClient::Ear::on_message(Json message) {
  client_.tell(EventKind::kMessageReceived, message);
  heard.push_back(std::move(message));
  news.set();
}

void ScriptedClient::Ear::on_garbage(std::string_view bytes, const Error& error) {
  client_.tell(EventKind::kGarbage, {{"bytes", bytes}, {"error", error.message}});
}

// What is lost is answered by whoever carried it: the script can expect that.
void ScriptedClient::Ear::on_lost(const rpc::RpcId& id, const Error& error) {
  on_message({{"id", rpc::to_json(id)}, {"lost", error.message}});
}

void ScriptedClient::Ear::on_closed(const Error* error) {
  closed = true;
  client_.tell(EventKind::kConnection,
               {{"state", "closed"}, {"why", error == nullptr ? "" : error->message}});
  news.set();
}

Task<void> ScriptedClient::run() {
  const Instant begins = after(loop_.now(), script_.begins);
  if (begins > loop_.now()) co_await Sleep(loop_, begins);
  for (std::size_t i = 0; i < script_.does.size(); ++i) {
    const ClientStep& step = script_.does[i];
    for (std::int64_t time = 0; time < step.times && !failure_; ++time) {
      Task<void> taking = take(&step, i + 1);
      co_await std::move(taking);
    }
    if (failure_) co_return;
  }
}

Task<void> ScriptedClient::take(const ClientStep* step, std::size_t number) {
  using Kind = ClientStep::Kind;
  here_ = "step " + std::to_string(number) + " (" + std::string(name_of(step->kind)) + ")";
  Json what = step->what;
  const Instant deadline = after(loop_.now(), step->within);
  Task<bool> filling = fill(&what, deadline);
  const bool filled = co_await std::move(filling);
  if (!filled) co_return;
  const bool speaks = step->kind == Kind::kRequest || step->kind == Kind::kSend ||
                      step->kind == Kind::kHear || step->kind == Kind::kRaw;
  if (speaks && ears_.empty()) {
    Task<void> opening = open(step);
    co_await std::move(opening);
    if (failure_) co_return;
  }
  Task<void> doing;
  if (step->kind == Kind::kOpen) doing = open(step);
  if (step->kind == Kind::kRequest) doing = request(step, std::move(what));
  if (step->kind == Kind::kHear) doing = hear(step, std::move(what));
  if (step->kind == Kind::kHttp) doing = exchange(step, std::move(what));
  if (step->kind == Kind::kSend) send(std::move(what));
  if (step->kind == Kind::kRaw) ears_.back().line().port->send_raw(what.get<std::string>());
  if (step->kind == Kind::kClose && !ears_.empty()) ears_.back().line().port->close_send();
  if (step->kind == Kind::kHangUp) hang_up();
  if (step->kind == Kind::kWait) co_await Sleep(loop_, after(loop_.now(), step->wait));
  if (!doing.done()) co_await std::move(doing);
}

// fill puts what was kept in the place of its name, and waits for what others keep.
Task<bool> ScriptedClient::fill(Json* what, Instant deadline) {
  for (std::string name = missing_in(*what, board_); !name.empty();
       name = missing_in(*what, board_)) {
    Task<bool> waiting = board_.wait_for(loop_, name, deadline);
    const bool kept = co_await std::move(waiting);
    if (kept) continue;
    fail("nobody has kept {{" + name + "}}", "it within the time of the step");
    co_return false;
  }
  Json values = board_.all();
  const std::string own = script_.name + '.';
  for (const auto& [name, value] : board_.all().items()) {
    if (name.starts_with(own)) values[name.substr(own.size())] = value;
  }
  fakes::fill_placeholders_in(*what, values);
  co_return true;
}

Task<void> ScriptedClient::open(const ClientStep* step) {
  Task<Result<ClientLine>> connecting = place_.connect();
  Result<ClientLine> line = co_await std::move(connecting);
  if (!line.ok()) {
    fail(line.error().message, "a connection");
    co_return;
  }
  ears_.emplace_back(*this, std::move(line).value());
  if (script_.stateless) co_return;
  Json params = {{"protocolVersion", "2025-11-25"}, {"capabilities", script_.capabilities}};
  params["clientInfo"] = {{"name", script_.name}, {"version", "1"}};
  Json initialize = {{"method", "initialize"}, {"params", std::move(params)}};
  ClientStep as_usual;
  as_usual.within = step->within;
  as_usual.answer = Json::object({{"result", Json::object()}});
  if (step->kind == ClientStep::Kind::kOpen && step->answer) as_usual.answer = step->answer;
  Task<void> asking = request(&as_usual, std::move(initialize));
  co_await std::move(asking);
  if (failure_) co_return;
  send(Json::object({{"method", "notifications/initialized"}}));
}

Task<void> ScriptedClient::request(const ClientStep* step, Json message) {
  if (!message.contains("id")) message["id"] = ++last_id_;
  Json id = message["id"];
  send(with_meta(std::move(message)));
  const Instant deadline = after(loop_.now(), step->within);
  Task<Json> waiting = answer_to(std::move(id), deadline);
  const Json answer = co_await std::move(waiting);
  if (judge(*step, answer)) keep(*step, answer, nullptr);
}

Task<void> ScriptedClient::hear(const ClientStep* step, Json pattern) {
  Ear& ear = ears_.back();
  const Instant deadline = after(loop_.now(), step->within);
  for (bool in_time = true; in_time;) {
    for (auto at = ear.heard.begin(); at != ear.heard.end(); ++at) {
      if (!has_part(*at, pattern)) continue;
      const Json message = *at;
      ear.heard.erase(at);
      if (step->silence) {
        fail("heard " + shown(message), "nothing of the kind");
      } else {
        keep(*step, message, nullptr);
      }
      co_return;
    }
    ear.news.reset();
    in_time = !ear.closed && co_await ear.news.wait(loop_, deadline);
  }
  if (!step->silence) fail("heard nothing of the kind", shown(pattern));
}

Task<void> ScriptedClient::exchange(const ClientStep* step, Json what) {
  wire::Url to = *place_.url();
  to.target = string_or(what, "path", to.target);
  wire::HttpRequest request = request_of(what, to);
  tell(EventKind::kExchange, what);
  const Instant deadline = after(loop_.now(), step->within);
  Task<Result<wire::HttpResponse>> fetching =
      net::fetch(place_.http(), std::move(to), std::move(request), deadline, kBodyBytesMax);
  const Result<wire::HttpResponse> response = co_await std::move(fetching);
  const std::int64_t status = response.ok() ? response.value().status : 0;
  if (step->status && status != *step->status) {
    const std::string why = response.ok() ? response.value().body : response.error().message;
    fail("status " + std::to_string(status) + ": " + why.substr(0, kShownBytesMax),
         std::to_string(*step->status));
    co_return;
  }
  const Json answer = response.ok() ? body_of(response.value()) : Json();
  if (!step->answer || judge(*step, answer)) {
    keep(*step, answer, response.ok() ? &response.value().headers : nullptr);
  }
}

Task<Json> ScriptedClient::answer_to(Json id, Instant deadline) {
  Ear& ear = ears_.back();
  for (bool in_time = true; in_time;) {
    const auto found = std::ranges::find_if(ear.heard, [&id](const Json& message) {
      const Json* const its = find(message, "id");
      return its != nullptr && *its == id && !message.contains("method");
    });
    if (found != ear.heard.end()) {
      Json answer = std::move(*found);
      ear.heard.erase(found);
      co_return answer;
    }
    ear.news.reset();
    in_time = !ear.closed && co_await ear.news.wait(loop_, deadline);
  }
  co_return Json();
}

void ScriptedClient::send(Json message) {
  if (!message.contains("jsonrpc")) message["jsonrpc"] = "2.0";
  tell(EventKind::kMessageSent, message);
  ears_.back().line().port->send(std::move(message));
}

Json ScriptedClient::with_meta(Json message) const {
  if (!script_.stateless) return message;
  Json& meta = message["params"]["_meta"];
  const std::string prefix = "io.modelcontextprotocol/";
  if (!meta.contains(prefix + "protocolVersion")) {
    meta[prefix + "protocolVersion"] = mcp::name_of(mcp::kLatest);
  }
  if (!meta.contains(prefix + "clientCapabilities")) {
    meta[prefix + "clientCapabilities"] = script_.capabilities;
  }
  return message;
}

bool ScriptedClient::judge(const ClientStep& step, const Json& answer) {
  if (step.silence) {
    if (!answer.is_null()) fail("answered " + shown(answer), "no answer");
    return answer.is_null();
  }
  const bool right = !answer.is_null() && (!step.answer || has_part(answer, *step.answer));
  if (!right) fail("answered " + shown(answer), step.answer ? shown(*step.answer) : "an answer");
  return right;
}

void ScriptedClient::keep(const ClientStep& step, const Json& answer,
                          const wire::HttpHeaders* headers) {
  for (const auto& [name, where] : step.keeps) {
    const Json* const value = where.starts_with('/') ? at_pointer(answer, where) : nullptr;
    const auto header = headers != nullptr ? headers->get(where) : std::nullopt;
    if (value == nullptr && !header) return fail(where + " is missing", "it, to keep");
    board_.keep(script_.name + '.' + name, value != nullptr ? *value : Json(std::string(*header)));
  }
}

void ScriptedClient::hang_up() {
  for (Ear& ear : ears_) {
    ear.closed = true;
    ear.line().port.reset();
    ear.line().connection.reset();
  }
}

void ScriptedClient::fail(const std::string& saw, const std::string& expected) {
  failure_ = script_.name + ", " + here_ + ": " + saw + ", expected " + expected;
}

void ScriptedClient::tell(EventKind kind, const Json& detail) {
  events_.on_event(TraceEvent{loop_.now(), kind, script_.name, detail});
}

}  // namespace plumbline::scenarios
