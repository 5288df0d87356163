#include "conformance/oracles/transcript.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/wire/http_status.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kEvidenceKept = 3;
constexpr std::size_t kKindsTold = 3;   // Of the mistakes against one rule.
constexpr std::size_t kKindsKept = 32;  // What is of another kind yet is counted alone.
const Json kNoMembers = Json::object();

bool is_known(const std::string& revision) {
  return std::ranges::find(kRevisions, revision) != kRevisions.end();
}

const Json* object_in(const Json& object, const char* key) {
  const Json* const found = find(object, key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

// named_version returns the version that a request names in its _meta.
std::optional<std::string> named_version(const ObservedMessage& said) {
  const Json* const meta = object_in(said.params(), "_meta");
  return meta == nullptr ? std::nullopt : find_string(*meta, kMetaVersion);
}

// is_no_message returns whether an HTTP body is something else than MCP: an error page, a document
// of another address, an answer to another verb.
bool is_no_message(const Dialogue& dialogue, const LogEntry& entry) {
  const auto found = dialogue.exchanges.find(entry.exchange);
  if (found == dialogue.exchanges.end() || found->second.line.empty()) return false;
  const HttpExchange& exchange = found->second;
  if (exchange.events) return false;
  if (!exchange.line.starts_with("POST ") || exchange.line != dialogue.post_line) return true;
  // What limits callers stands before the server, and may not have read whom it answers.
  const Json* const id = find(*entry.message, "id");
  if (exchange.status == kTooManyRequests && (id == nullptr || id->is_null())) return true;
  return exchange.status >= 400 && find(*entry.message, "jsonrpc") == nullptr;
}

// is_repeated returns whether a stream that was resumed says what another has said before.
bool is_repeated(const Dialogue& dialogue, const LogEntry& entry, const Json& message) {
  const auto found = dialogue.exchanges.find(entry.exchange);
  if (found == dialogue.exchanges.end() || !found->second.line.starts_with("GET ")) return false;
  const auto told = dialogue.told.find(&message);
  return told != dialogue.told.end() &&
         (told->second.first != entry.exchange || told->second.second != entry.exchange);
}

// is_no_id returns whether an id is none, such as 1.5: what a server makes of that may be the id of
// another request.
bool is_no_id(const Json* id) {
  return id != nullptr && !id->is_number_integer() && !id->is_string();
}

}  // namespace

const Json& ObservedMessage::member(const char* name) const {
  const Json* const found = find(*message, name);
  return found == nullptr ? kNoMembers : *found;
}

const ObservedMessage* Dialogue::opening(const ObservedMessage& about) const {
  const auto found = exchanges.find(about.entry->exchange);
  if (about.entry->exchange == 0 || found == exchanges.end() || found->second.sent.empty()) {
    return nullptr;
  }
  return &said[found->second.sent.front()];
}

Transcript::Transcript(Conversation conversation, Side judged)
    : conversation_(std::move(conversation)), judged_(judged) {
  sort_entries();
  learn_versions();
}

bool Transcript::stateless() const { return is_stateless(conversation_.revision); }

void Transcript::sort_entries() {
  std::map<std::uint32_t, std::size_t> places;
  for (const LogEntry& entry : conversation_.entries) {
    const auto [place, added] = places.try_emplace(entry.connection, dialogues_.size());
    if (added) {
      dialogues_.emplace_back();
      dialogues_.back().connection = entry.connection;
      dialogues_.back().client_capabilities = &kNoMembers;
      dialogues_.back().server_capabilities = &kNoMembers;
    }
    Dialogue& dialogue = dialogues_[place->second];
    dialogue.end = entry.at;
    if (entry.sender == Sender::kNobody) {
      note(dialogue, entry);
      continue;
    }
    const bool is_judged = entry.sender == conversation_.judged;
    const bool from_server = is_judged == (judged_ == Side::kServer);
    if (from_server && is_no_message(dialogue, entry)) continue;
    if (entry.garbage) {
      if (is_judged) dialogue.garbage.push_back(&entry);
    } else if (entry.message->is_array()) {
      for (const Json& message : *entry.message) hear(dialogue, entry, message, true);
    } else {
      hear(dialogue, entry, *entry.message, false);
    }
  }
}

void Transcript::note(Dialogue& dialogue, const LogEntry& entry) {
  if (entry.exchange == 0) return;
  HttpExchange& exchange = dialogue.exchanges[entry.exchange];
  if (const auto line = find_string(*entry.message, "http")) {
    exchange.line = *line;
    if (dialogue.post_line.empty() && line->starts_with("POST ")) dialogue.post_line = *line;
  }
  if (const auto status = find_int(*entry.message, "status")) {
    exchange.status = static_cast<int>(*status);
    exchange.answered = std::min(exchange.answered, dialogue.said.size());
    const Json* const headers = object_in(*entry.message, "headers");
    if (headers == nullptr) return;
    for (const auto& [name, value] : headers->items()) {
      if (!wire::equals_ignoring_case(name, "Content-Type") || !value.is_string()) continue;
      exchange.events = value.get_ref<const std::string&>().starts_with("text/event-stream");
    }
  }
}

void Transcript::hear(Dialogue& dialogue, const LogEntry& entry, const Json& message,
                      bool batched) {
  if (is_repeated(dialogue, entry, message)) return;
  const std::size_t place = dialogue.said.size();
  ObservedMessage said;
  said.entry = &entry;
  said.message = &message;
  said.batched = batched;
  const bool is_judged = entry.sender == conversation_.judged;
  said.by = is_judged == (judged_ == Side::kClient) ? Side::kClient : Side::kServer;
  said.method = string_or(message, "method", "");
  if (const Json* const id = find(message, "id"); id != nullptr && !id->is_null()) {
    const Side asker =
        said.is_response() ? (said.by == Side::kClient ? Side::kServer : Side::kClient) : said.by;
    auto& asked = dialogue.asked[asker == Side::kClient ? 0 : 1];
    const auto exchange = dialogue.exchanges.find(entry.exchange);
    const bool made_up = said.is_response() && exchange != dialogue.exchanges.end() &&
                         exchange->second.asked_without_id;
    if (const auto found = asked.find(id); found != asked.end() && !made_up) {
      ObservedMessage& before = dialogue.said[found->second];
      if (said.is_response()) {
        said.request = found->second;
        before.responses.push_back(place);
      } else {
        said.repeats_id = before.id_repeated = true;
      }
    }
    if (said.is_request()) asked[id] = place;
  }
  if (said.method == "notifications/cancelled") {
    const auto& asked = dialogue.asked[said.by == Side::kClient ? 0 : 1];
    const Json* const named = find(said.params(), "requestId");
    const auto found = named == nullptr ? asked.end() : asked.find(named);
    if (found != asked.end()) {
      said.cancels = found->second;
      std::size_t& cancelled = dialogue.said[found->second].cancelled;
      cancelled = std::min(cancelled, place);
    }
  }
  if (entry.exchange != 0) {
    const auto [told, is_new] = dialogue.told.try_emplace(&message, entry.exchange, entry.exchange);
    if (!is_new) told->second.second = entry.exchange;
  }
  if (said.by == Side::kClient && entry.exchange != 0) {
    HttpExchange& exchange = dialogue.exchanges[entry.exchange];
    exchange.sent.push_back(place);
    exchange.asked_without_id = exchange.asked_without_id || is_no_id(find(message, "id"));
  }
  dialogue.said.push_back(std::move(said));
}

// is_of_any_era returns whether we asked for something without a version: on a stream, a server
// that knows sessions as well may take that for a request of an older revision, and answer so.
bool Transcript::is_of_any_era(const Dialogue& dialogue, const ObservedMessage& request) const {
  return judged_ == Side::kServer && !conversation_.http && dialogue.stateless() &&
         is_stateless(dialogue.revision) && !named_version(request);
}

void Transcript::learn_versions() {
  const Json* discovered = nullptr;
  for (Dialogue& dialogue : dialogues_) {
    dialogue.revision = conversation_.revision;
    for (std::size_t place = 0; place < dialogue.said.size(); ++place) {
      const ObservedMessage& said = dialogue.said[place];
      if (said.method == "notifications/initialized" && dialogue.initialized == kNoPlace) {
        dialogue.initialized = place;
      }
      if (said.request == kNoPlace || !said.message->contains("result")) continue;
      const ObservedMessage& request = dialogue.said[said.request];
      if (request.method == "server/discover")
        discovered = object_in(said.result(), "capabilities");
      if (request.method != "initialize" || dialogue.initialize != kNoPlace) continue;
      dialogue.initialize = said.request;
      dialogue.revision = string_or(said.result(), "protocolVersion", "");
      if (const Json* const own = object_in(request.params(), "capabilities")) {
        dialogue.client_capabilities = own;
      }
      if (const Json* const own = object_in(said.result(), "capabilities")) {
        dialogue.server_capabilities = own;
        dialogue.tells_capabilities = true;
      }
    }
  }
  const bool has_sessions = !std::ranges::all_of(dialogues_, &Dialogue::stateless);
  for (Dialogue& dialogue : dialogues_) {
    if (dialogue.stateless() && discovered != nullptr) {
      dialogue.server_capabilities = discovered;
      dialogue.tells_capabilities = true;
    }
    for (ObservedMessage& said : dialogue.said) {
      said.revision = dialogue.revision;
      if (said.is_request()) said.revision = named_version(said).value_or(dialogue.revision);
      if (said.request != kNoPlace) {
        const ObservedMessage& request = dialogue.said[said.request];
        said.revision = request.revision;
        if (has_sessions && is_of_any_era(dialogue, request)) said.revision.clear();
      }
      if (!is_known(said.revision)) said.revision.clear();
    }
  }
}

void Ruling::breaks(const LogEntry& entry, const std::string& what) {
  count({}, entry, what);
  first_.reason = outcome::with_reason(std::move(first_.reason), outcome::kNoMessage);
}

void Ruling::breaks(const ObservedMessage& said, const std::string& what, std::string_view reason) {
  tell({}, said, what, reason);
}

void Ruling::breaks_as(std::string kind, std::string member, const ObservedMessage& said,
                       const std::string& what) {
  const bool first = broken_ == 0;
  tell(std::move(kind), said, what, {});
  if (first) first_.member = std::move(member);
}

void Ruling::tell(std::string kind, const ObservedMessage& said, const std::string& what,
                  std::string_view reason) {
  if (broken_ == 0 && said.request != kNoPlace) show_exchange(said);
  count(std::move(kind), *said.entry, what);
  std::string_view also = reason;
  if (also.empty()) also = said.request == kNoPlace ? said.method : request_of(said).method;
  if (also.empty()) also = said.is_response() ? outcome::kUnaskedResponse : outcome::kNoMessage;
  first_.reason = outcome::with_reason(std::move(first_.reason), also);
}

void Ruling::count(std::string kind, const LogEntry& entry, const std::string& what) {
  auto same = std::ranges::find(kinds_, kind, &Kind::name);
  const bool fresh = same == kinds_.end() && kinds_.size() < kKindsKept;
  if (fresh) same = kinds_.insert(same, {std::move(kind), what});
  if (same != kinds_.end()) ++same->count;
  if (++broken_ == 1) {
    first_ = broken(what);
    first_.reason.clear();
    first_.evidence = std::move(shown_);
  }
  const bool told = fresh && kinds_.size() <= kKindsTold;
  if (told || first_.evidence.size() < kEvidenceKept) {
    first_.evidence.push_back(transcript_.conversation().log.evidence(entry));
    first_.evidence.back().judged = broken_ == 1;
  }
}

const Dialogue& Ruling::dialogue_of(const ObservedMessage& said) const {
  const auto holds = [&](const Dialogue& dialogue) {
    return !dialogue.said.empty() && &said >= &dialogue.said.front() &&
           &said <= &dialogue.said.back();
  };
  return *std::ranges::find_if(transcript_.dialogues(), holds);
}

const ObservedMessage& Ruling::request_of(const ObservedMessage& response) const {
  return dialogue_of(response).said[response.request];
}

void Ruling::show_exchange(const ObservedMessage& response) {
  const Dialogue& dialogue = dialogue_of(response);
  const ObservedMessage& request = dialogue.said[response.request];
  shown_ = {transcript_.conversation().log.evidence(*request.entry)};
  const ObservedMessage& first = dialogue.said[request.responses.front()];
  if (&first != &response) shown_.push_back(transcript_.conversation().log.evidence(*first.entry));
}

Finding Ruling::finding(std::string nothing) const {
  if (std::string why = measured_.unsure(); !why.empty()) return undecided(std::move(why));
  if (seen_ == 0 && broken_ == 0) return not_for_it(std::move(nothing));
  Finding finding = broken_ == 0 ? passes() : first_;
  finding.observed = std::max(seen_, broken_);
  if (kinds_.size() > 1) {
    for (const auto& kind : kinds_) finding.kinds.push_back(kind.first);
  }
  for (std::size_t at = 0; at < std::min(kinds_.size(), kKindsTold); ++at) {
    if (at > 0) finding.message += "; otherwise: " + kinds_[at].first;
    const std::int64_t times = kinds_[at].count;
    if (times > 1) finding.message += " (" + std::to_string(times) + " times)";
  }
  if (kinds_.size() > kKindsTold) {
    finding.message += "; and in " + std::to_string(kinds_.size() - kKindsTold) + " more ways";
  }
  return finding;
}

}  // namespace plumbline::conformance
