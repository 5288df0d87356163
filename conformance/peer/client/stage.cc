#include "conformance/peer/client/stage.h"

#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/peer/client/scenario.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kStageHost = "127.0.0.1";
constexpr std::size_t kHeardGarbageMax = 256;
constexpr std::size_t kTrappedMax = 100;
constexpr std::size_t kLoggedBytesMax = 4'096;
constexpr std::size_t kLoggedEntriesMax = 4 * kHeardMax;  // A client that floods is not all kept.

// shown_json returns what the log keeps of a frame.
Json shown_json(std::string_view bytes, bool& garbage) {
  Result<Json> read = parse_json(bytes);
  garbage = !read.ok();
  if (read.ok() && bytes.size() <= kLoggedBytesMax) return std::move(read).value();
  Json shown(Json::value_t::object);
  shown[garbage ? "garbage" : "long"] = std::string(bytes.substr(0, kHeardGarbageMax));
  garbage = true;
  return shown;
}

}  // namespace

Trap::Trap(Loop& loop, transport::Network& network, Record& record, WireLog& log)
    : loop_(loop), record_(record), log_(log), server_(loop, *this) {
  Result<std::unique_ptr<transport::Listener>> listener = network.listen(
      {kStageHost, 0}, std::nullopt,
      [this](std::unique_ptr<transport::Pipe> pipe) { server_.accept(std::move(pipe)); });
  if (!listener.ok()) {
    trouble_ = "no place to serve: " + listener.error().message;
    return;
  }
  listener_ = std::move(listener).value();
}

std::string Trap::url(std::string_view path) const {
  const int port = listener_ == nullptr ? 0 : listener_->port();
  return "http://" + std::string(kStageHost) + ":" + std::to_string(port) + std::string(path);
}

void Trap::on_request(wire::HttpRequest request, transport::HttpReply reply) {
  wire::HttpResponse response;
  response.status = 404;
  if (record_.trapped.size() == kTrappedMax) return reply.respond(response);
  LogEntry entry;
  entry.at = loop_.now();
  Json what(Json::value_t::object);
  what["trap"] = request.method + " " + request.target;
  entry.message = kept(std::move(what));
  HttpHeard heard;
  heard.at = loop_.now();
  heard.request = std::move(request);
  heard.place = log_.add(std::move(entry));
  record_.trapped.push_back(std::move(heard));
  reply.respond(response);
}

Stage::Stage(Loop& loop, transport::Network& network, WireLog& log, Record& record, Play& play)
    : loop_(loop),
      log_(log),
      record_(record),
      play_(play),
      trap_(loop, network, record, log),
      trouble_(trap_.trouble()),
      activity_(loop.now()) {
  offer.capabilities["tools"] = Json::object();
  offer.tools.push_back(plain_tool("add_numbers"));
}

Stage::~Stage() = default;

void Stage::result(const Asked& asked, Json result) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = asked.id();
  response["result"] = completed(std::move(result), revision(), asked.method(), offer.ttl_ms);
  text(asked, dump_json(response), true);
}

void Stage::error(const Asked& asked, std::int64_t code, std::string message, Json data) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = asked.id();
  response["error"]["code"] = code;
  response["error"]["message"] = std::move(message);
  if (!data.is_null()) response["error"]["data"] = std::move(data);
  text(asked, dump_json(response), true);
}

void Stage::usual(const Asked& asked) {
  Answer answer = usual_answer(offer, revision(), asked.message);
  if (!answer.result.is_null()) return result(asked, std::move(answer.result));
  error(asked, answer.code, std::move(answer.message), std::move(answer.data));
}

Json Stage::ask(const Asked& asked, std::string method, Json params) {
  const Json id = "judge-" + std::to_string(++last_id_);
  return ask_with(asked, id, std::move(method), std::move(params));
}

Json Stage::ask_with(const Asked& asked, Json id, std::string method, Json params) {
  Json request(Json::value_t::object);
  request["jsonrpc"] = "2.0";
  request["id"] = id;
  request["method"] = std::move(method);
  if (!params.is_null()) request["params"] = std::move(params);
  along(asked, request);
  return id;
}

void Stage::later(Duration delay, std::function<void()> act) {
  alarms_.push_back(std::make_unique<Alarm>(std::move(act)));
  loop_.arm(*alarms_.back(), after(loop_.now(), delay));
}

void Stage::active() {
  activity_ = loop_.now();
  if (told_) told_();
}

void Stage::answered(const Asked& asked) {
  if (asked.heard < record_.heard.size()) record_.heard[asked.heard].answered = loop_.now();
}

std::size_t Stage::note(Json what, std::size_t exchange) {
  LogEntry entry;
  entry.at = loop_.now();
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.message = kept(std::move(what));
  return log_.add(std::move(entry));
}

void Stage::said(std::string_view bytes, std::size_t exchange, std::uint32_t connection) {
  if (log_.entries().size() >= kLoggedEntriesMax) return;
  LogEntry entry;
  entry.at = loop_.now();
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.connection = connection_of(connection, false);
  entry.sender = Sender::kHarness;
  entry.message = kept(shown_json(bytes, entry.garbage));
  log_.add(std::move(entry));
}

// connection_of returns the number under which the log keeps what was said: on HTTP each session
// counts as one.
std::uint32_t Stage::connection_of(std::uint32_t connection, bool opens) const {
  if (connection != 0 || record_.stateless()) return connection;
  return openings_ + (opens ? 1 : 0);
}

bool Stage::takes(std::size_t bytes) {
  heard_bytes_ += bytes;
  ++heard_count_;
  if (!flooded_ && (heard_bytes_ > kHeardBytesMax || heard_count_ > kHeardMax)) {
    flooded_ = true;
    active();
  }
  return !flooded_;
}

// agree_on takes over the revision that the client offers, where any will do.
void Stage::agree_on(const Json& opening) {
  const Json* const params = find(opening, "params");
  if (!any_revision || params == nullptr) return;
  const std::string offered = string_or(*params, "protocolVersion", "");
  for (const std::string_view known : kRevisions) {
    if (offered == known && !is_stateless(known)) record_.revision = offered;
  }
}

void Stage::heard(std::string_view bytes, std::size_t exchange, std::uint32_t connection) {
  if (flooded_) return;
  Result<Json> read = parse_json(bytes);
  if (!takes(read.ok() ? 2 * memory_of(read.value()) : kHeardGarbageMax)) return;
  Heard frame;
  frame.at = loop_.now();
  frame.exchange = exchange;
  frame.connection = connection;
  LogEntry entry;
  entry.at = frame.at;
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.sender = Sender::kSubject;
  const bool opens = read.ok() && string_or(read.value(), "method", "") == "initialize";
  entry.connection = connection_of(connection, opens);
  entry.garbage = !read.ok();
  if (read.ok()) {
    entry.message = kept(read.value());
  } else {
    const std::string whole = log_.redacted(std::string(bytes));
    frame.garbage = std::string(beginning(whole, kHeardGarbageMax));
    if (whole.size() > kHeardGarbageMax) frame.garbage += "...";
    Json what(Json::value_t::object);
    what["garbage"] = frame.garbage;
    entry.message = kept(std::move(what));
  }
  frame.place = log_.add(std::move(entry));
  if (!read.ok()) {
    record_.heard.push_back(std::move(frame));
    return active();
  }
  Json message = std::move(read).value();
  if (!message.is_array()) {
    take(std::move(message), std::move(frame));
    return active();
  }
  frame.batched = true;
  for (Json& element : message) {
    if (!takes(0)) break;
    take(std::move(element), frame);
  }
  active();
}

void Stage::take(Json message, Heard frame) {
  frame.message = std::move(message);
  if (frame.method() == "initialize") ++openings_;
  record_.heard.push_back(frame);
  if (frame.is_response()) return play_.on_response(*this, frame);
  if (frame.is_notification()) return play_.on_notification(*this, frame);
  if (!frame.is_request()) return;
  if (frame.method() == "initialize") agree_on(frame.message);
  Asked asked;
  asked.message = frame.message;
  asked.heard = record_.heard.size() - 1;
  asked.exchange = frame.exchange;
  asked.connection = frame.connection;
  if (!play_.on_request(*this, asked)) usual(asked);
}

}  // namespace plumbline::conformance
