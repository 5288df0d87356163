#include "conformance/peer/client/scripted_peer.h"

#include <utility>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSaidGarbageMax = 256;
constexpr std::size_t kLoggedBytesMax = 4'096;
constexpr std::size_t kLoggedEntriesMax = 16'000;  // A client that floods is not all kept.

// shown_json returns what the log keeps of a frame.
Json shown_json(std::string_view bytes, bool& garbage) {
  Result<Json> read = parse_json(bytes);
  garbage = !read.ok();
  if (read.ok() && bytes.size() <= kLoggedBytesMax) return std::move(read).value();
  Json shown(Json::value_t::object);
  shown[garbage ? "garbage" : "long"] = std::string(bytes.substr(0, kSaidGarbageMax));
  garbage = true;
  return shown;
}

}  // namespace

ScriptedPeer::ScriptedPeer(Loop& loop, net::Network& network, WireLog& log, Record& record)
    : loop_(loop), log_(log), record_(record), trap_(loop, network, record, log) {
  offer.capabilities["tools"] = Json::object();
  offer.tools.push_back(plain_tool("add_numbers"));
}

ScriptedPeer::~ScriptedPeer() = default;

void ScriptedPeer::result(const Asked& asked, Json result) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = asked.id();
  response["result"] = completed(std::move(result), revision(), asked.method(), offer.ttl_ms);
  text(asked, dump_json(response), true);
}

void ScriptedPeer::error(const Asked& asked, std::int64_t code, std::string message, Json data) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = asked.id();
  response["error"]["code"] = code;
  response["error"]["message"] = std::move(message);
  if (!data.is_null()) response["error"]["data"] = std::move(data);
  text(asked, dump_json(response), true);
}

void ScriptedPeer::usual(const Asked& asked) {
  Answer answer = usual_answer(offer, revision(), asked.message);
  if (!answer.result.is_null()) return result(asked, std::move(answer.result));
  error(asked, answer.code, std::move(answer.message), std::move(answer.data));
}

Json ScriptedPeer::ask(const Asked& asked, std::string method, Json params) {
  const Json id = "judge-" + std::to_string(++last_id_);
  return ask_with(asked, id, std::move(method), std::move(params));
}

Json ScriptedPeer::ask_with(const Asked& asked, Json id, std::string method, Json params) {
  Json request(Json::value_t::object);
  request["jsonrpc"] = "2.0";
  request["id"] = id;
  record_.asked.push_back(id);
  request["method"] = std::move(method);
  if (!params.is_null()) request["params"] = std::move(params);
  along(asked, request);
  return id;
}

void ScriptedPeer::later(Duration delay, std::function<void()> act) {
  alarms_.push_back(std::make_unique<Alarm>(std::move(act)));
  loop_.arm(*alarms_.back(), after(loop_.now(), delay));
}

void ScriptedPeer::answered(const Asked& asked) {
  if (asked.heard < record_.heard.size()) record_.heard[asked.heard].answered = loop_.now();
}

std::size_t ScriptedPeer::note(Json what, std::size_t exchange) {
  LogEntry entry;
  entry.at = loop_.now();
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.message = kept(std::move(what));
  return log_.add(std::move(entry));
}

void ScriptedPeer::said(std::string_view bytes, std::size_t exchange, std::uint32_t connection) {
  if (log_.entries().size() >= kLoggedEntriesMax) return;
  LogEntry entry;
  entry.at = loop_.now();
  entry.exchange = static_cast<std::uint32_t>(exchange);
  entry.connection = connection_of(connection, false);
  entry.sender = Sender::kHarness;
  entry.message = kept(shown_json(bytes, entry.garbage));
  log_.add(std::move(entry));
}

std::uint32_t ScriptedPeer::connection_of(std::uint32_t connection, bool opens) const {
  if (connection != 0 || record_.stateless()) return connection;
  return openings_ + (opens ? 1 : 0);
}

}  // namespace plumbline::conformance
