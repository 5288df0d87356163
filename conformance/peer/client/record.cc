#include "conformance/peer/client/record.h"

#include <algorithm>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/wire/header_names.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kStderrShownMax = 500;

}  // namespace

Posted posted_in(std::string_view body) {
  Posted posted;
  const Result<Json> read = parse_json(body);
  posted.json = read.ok();
  if (!read.ok()) return posted;
  const auto asks = [](const Json& one) { return find(one, "method") && find(one, "id"); };
  const Json& message = read.value();
  posted.array = message.is_array();
  if (!posted.array) {
    posted.speaks = find(message, "jsonrpc") != nullptr;
    posted.asks = asks(message);
    posted.method = string_or(message, "method", "");
    return posted;
  }
  const auto responses = std::ranges::count_if(
      message, [](const Json& one) { return find(one, "method") == nullptr; });
  posted.asks = std::ranges::any_of(message, asks);
  posted.mixed = responses != 0 && static_cast<std::size_t>(responses) != message.size();
  return posted;
}

const std::string& Heard::method() const {
  static const std::string kNone;
  const Json* const named = find(message, "method");
  const auto* const text = named ? named->get_ptr<const Json::string_t*>() : nullptr;
  return text ? *text : kNone;
}

const Json* Heard::meta(std::string_view key) const {
  const Json* const given = params();
  const Json* const all = given ? find(*given, "_meta") : nullptr;
  return all ? find(*all, key) : nullptr;
}

std::string Heard::param(std::string_view key) const {
  const Json* const given = params();
  return given ? string_or(*given, key, "") : "";
}

bool Record::stateless() const { return is_stateless(revision); }

std::vector<const Heard*> Record::all(const Which& which) const {
  std::vector<const Heard*> found;
  for (const Heard& message : heard) {
    if (which(message)) found.push_back(&message);
  }
  return found;
}

const Heard* Record::first_after(std::size_t place, const Which& which) const {
  for (const Heard& message : heard) {
    if ((place == 0 || message.place > place) && which(message)) return &message;
  }
  return nullptr;
}

std::vector<const Heard*> Record::requests(std::string_view method) const {
  return all([&](const Heard& message) {
    return message.is_request() && (method.empty() || message.method() == method);
  });
}

std::vector<const Heard*> Record::notifications(std::string_view method) const {
  return all([&](const Heard& message) {
    return message.is_notification() && (method.empty() || message.method() == method);
  });
}

std::vector<const Heard*> Record::responses() const {
  return all([](const Heard& message) { return message.is_response(); });
}

const Heard* Record::response_to(const Json& id) const {
  return first([&](const Heard& message) { return message.is_response() && *message.id() == id; });
}

const Heard* Record::called(std::string_view tool) const {
  return first([&](const Heard& message) {
    return message.is_request() && message.method() == "tools/call" &&
           message.param("name") == tool;
  });
}

const Heard* Record::opening_of(const Heard* message) const {
  if (message != nullptr && message->method() == "initialize") return message;
  const Heard* last = nullptr;  // That came before, on the same stream.
  const std::optional<std::string_view> session =
      message != nullptr && over_http ? headers(*message).get(kSessionHeader) : std::nullopt;
  for (const Heard* const opening : requests("initialize")) {
    if (session && http[opening->exchange].session == *session) return opening;
    if (message != nullptr && opening->place > message->place) break;
    if (message == nullptr || opening->connection == message->connection) last = opening;
  }
  return last;
}

const Json& Record::capabilities(const Heard* with) const {
  static const Json kNone = Json::object();
  const Json* declared = nullptr;
  if (stateless()) {
    if (with == nullptr) with = first([](const Heard& message) { return message.is_request(); });
    declared = with ? with->meta(kMetaCapabilities) : nullptr;
  } else {
    const Heard* const opening = opening_of(with);
    const Json* const given = opening ? opening->params() : nullptr;
    declared = given ? find(*given, "capabilities") : nullptr;
  }
  return declared ? *declared : kNone;
}

SessionsHeard::SessionsHeard(const Record& record) : record_(record) {
  for (const Heard* const opening : record.requests("initialize")) {
    by_id_.try_emplace(record.http[opening->exchange].session, opening);
    by_stream_.try_emplace(opening->connection, opening);
  }
}

const Heard* SessionsHeard::opening_of(const Heard& message) const {
  if (!record_.over_http) {
    const auto found = by_stream_.find(message.connection);
    return found == by_stream_.end() ? nullptr : found->second;
  }
  const std::optional<std::string_view> session = record_.headers(message).get(kSessionHeader);
  const auto found = session ? by_id_.find(*session) : by_id_.end();
  return found == by_id_.end() ? nullptr : found->second;
}

bool Record::falls_short() const {
  const bool ended_well = exit && exit->code == 0 && exit->signal == 0;
  if (!usual && ended_well) return false;
  if (lists_tools && requests("tools/list").empty()) return true;
  return calls_tools && !ended_well && requests("tools/call").empty();  // It may refuse a tool.
}

std::string Record::how_it_ended() const {
  std::string text = exit ? "the program ended with " + describe(*exit)
                          : "the program was ended by the judge: " + why_ended;
  if (stderr_tail.empty()) return text;
  const std::size_t from = stderr_tail.size() - std::min(stderr_tail.size(), kStderrShownMax);
  return text + ", its stderr: " + (from == 0 ? "" : "...") + stderr_tail.substr(from);
}

namespace {

constexpr std::size_t kShownBefore = 6;  // Entries of the log.

// led_to shows what led to a place, and what was sent in the same breath.
Finding led_to(const Record& record, std::size_t place, Finding finding) {
  for (Evidence& line : record.log.evidence_until(place, kShownBefore)) {
    finding.evidence.push_back(std::move(line));
  }
  finding.evidence.back().judged = true;
  return finding;
}

}  // namespace

Finding at(const Record& record, const Heard& message, Finding finding) {
  finding.evidence.push_back(record.log.evidence(record.log.entries()[message.place]));
  finding.evidence.back().judged = true;
  return finding;
}

Finding at(const Record& record, const HttpHeard& request, Finding finding) {
  return led_to(record, request.place, std::move(finding));
}

Finding at(const Record& record, const AuthHeard& request, Finding finding) {
  return led_to(record, request.place, std::move(finding));
}

}  // namespace plumbline::conformance
