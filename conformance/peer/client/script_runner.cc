#include "conformance/peer/client/script_runner.h"

#include <utility>

#include "conformance/catalogue/requirement.h"
#include "core/base/text.h"
#include "core/wire/utf8.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kHeardGarbageMax = 256;

// is_several returns whether `text` begins with a whole JSON object and goes on with another.
bool is_several(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') {
        ++at;
      } else {
        quoted = c != '"';
      }
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c != '}' && c != ']') continue;
    if (--depth > 0) continue;
    const std::size_t next = text.find_first_not_of(" \t\r,", at + 1);
    return text.front() == '{' && next != std::string_view::npos && text[next] == '{';
  }
  return false;
}

}  // namespace

ScriptRunner::ScriptRunner(Loop& loop, net::Network& network, WireLog& log, Record& record,
                           Script& script)
    : ScriptedPeer(loop, network, log, record),
      script_(script),
      trouble_(trap().trouble()),
      activity_(loop.now()) {
  trap().serve(
      [this](const wire::HttpRequest& request) { return document(trap().url(""), request); });
}

std::optional<wire::HttpResponse> ScriptRunner::document(const std::string& origin,
                                                         const wire::HttpRequest& request) {
  if (flooded_) return std::nullopt;
  std::optional<wire::HttpResponse> answer = script_.on_document(*this, origin, request);
  if (!answer) return answer;
  if (takes(request.body.size() + request.target.size())) active();
  return answer;
}

void ScriptRunner::active() {
  activity_ = loop_.now();
  if (told_) told_();
}

bool ScriptRunner::takes(std::size_t bytes) {
  heard_bytes_ += bytes;
  ++heard_count_;
  if (!flooded_ && (heard_bytes_ > kHeardBytesMax || heard_count_ > kHeardMax)) {
    flooded_ = true;
    active();
  }
  return !flooded_;
}

// agree_on takes over the revision that the client offers, where any will do.
void ScriptRunner::agree_on(const Json& opening) {
  const Json* const params = find(opening, "params");
  if (!any_revision || params == nullptr) return;
  const std::string offered = string_or(*params, "protocolVersion", "");
  for (const std::string_view known : kRevisions) {
    if (offered == known && !is_stateless(known)) record_.revision = offered;
  }
}

void ScriptRunner::hear_garbage(std::string_view bytes, Heard& frame, LogEntry& entry) const {
  const std::string whole = log_.redacted(std::string(bytes));
  frame.garbage = std::string(beginning(whole, kHeardGarbageMax));
  if (whole.size() > kHeardGarbageMax) frame.garbage += "...";
  Json what(Json::value_t::object);
  what["garbage"] = frame.garbage;
  if (!wire::is_utf8(bytes) || bytes.find('\0') != std::string_view::npos) what["utf8"] = false;
  frame.several = is_several(bytes);
  entry.message = kept(std::move(what));
}

void ScriptRunner::heard(std::string_view bytes, std::size_t exchange, std::uint32_t connection) {
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
    hear_garbage(bytes, frame, entry);
  }
  frame.place = log_.add(std::move(entry));
  if (!read.ok()) {
    record_.unreadable |= connection != 0;
    record_.heard.push_back(std::move(frame));
    return active();
  }
  Json message = std::move(read).value();
  if (!message.is_array()) {
    take(std::move(message), std::move(frame));
    return active();
  }
  frame.batched = true;
  if (message.empty()) {
    frame.message = message;
    record_.heard.push_back(frame);
  }
  for (Json& element : message) {
    if (!takes(0)) break;
    take(std::move(element), frame);
  }
  active();
}

void ScriptRunner::take(Json message, Heard frame) {
  frame.message = std::move(message);
  if (frame.method() == "initialize") ++openings_;
  record_.heard.push_back(frame);
  if (frame.is_response()) return script_.on_response(*this, frame);
  if (frame.is_notification()) return script_.on_notification(*this, frame);
  if (!frame.is_request()) return;
  if (frame.method() == "initialize") agree_on(frame.message);
  Asked asked;
  asked.message = frame.message;
  asked.heard = record_.heard.size() - 1;
  asked.exchange = frame.exchange;
  asked.connection = frame.connection;
  if (!script_.on_request(*this, asked)) usual(asked);
}

}  // namespace plumbline::conformance
