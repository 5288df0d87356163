#include "conformance/peer/client.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/peer/answers.h"
#include "conformance/wire/http_status.h"
#include "core/base/text.h"
#include "core/base/wait.h"
#include "core/wire/retry_after.h"

namespace plumbline::conformance {

namespace {

constexpr int kInputRoundsMax = 5;
constexpr int kLimitTries = 3;
constexpr Duration kLimitAwaited = std::chrono::seconds(3);  // A longer one is not waited for.
constexpr int kStartsAwaited = 4;                            // Times the quickest.

Json meta_of(std::string_view revision) {
  Json meta(Json::value_t::object);
  meta[kMetaVersion] = revision;
  meta[kMetaCapabilities] = all_capabilities(revision);
  meta[kMetaClientInfo] = {{"name", "plumbline"}, {"version", "1"}};
  return meta;
}

// has_id returns whether `message`, or one of a batch, has this id.
bool has_id(const Json& message, const Json& id) {
  if (!message.is_array()) return find(message, "id") != nullptr && *find(message, "id") == id;
  return std::ranges::any_of(message, [&id](const Json& each) { return has_id(each, id); });
}

}  // namespace

Finding about_exchange(Finding finding, Client& client, std::size_t exchange) {
  const Wire& wire = client.session().wire();
  finding.about = client.session().wire().log().places_of(wire.number(), exchange);
  return finding;
}

Json Client::request_of(std::string method, Json params) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["id"] = session_->next_id();
  const std::string& revision = session_->revision();
  if (is_stateless(revision) && params.is_object() && !params.contains("_meta")) {
    params["_meta"] = meta_of(revision);
  }
  message["method"] = std::move(method);
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

Json Client::request_declaring(std::string method, Json params, Json capabilities) {
  Json message = request_of(std::move(method), std::move(params));
  message["params"]["_meta"][kMetaCapabilities] = std::move(capabilities);
  return message;
}

std::string_view Client::harmless_method() const {
  return is_stateless(session_->revision()) ? "server/discover" : "ping";
}

// is_first_of_process returns whether who answers has to start first, without initialize.
bool Client::is_first_of_process() const {
  const bool process = session_->subject().spec().transport == Transport::kStdio;
  return process && is_stateless(session_->revision()) && session_->wire().inbox().frames.empty();
}

Client::Begun Client::begin(Json message, wire::HttpHeaders headers) {
  Begun begun;
  if (const Json* const id = find(message, "id")) begun.id = *id;
  begun.frames_before = session_->wire().inbox().frames.size();
  begun.at = loop().now();
  const std::string method = string_or(message, "method", "");
  begun.works = method == "tools/call";
  begun.crowded = pace().crowded();
  begun.starts = method == "initialize" || is_first_of_process();
  wire::HttpHeaders all = session_->headers_for(message);
  for (const auto& [name, value] : headers.fields()) all.set(name, value);
  const std::size_t place = session_->wire().log().entries().size();
  begun.exchange = session_->wire().send(dump_json(message), std::move(all), check_);
  begun.places = sent_since(place);
  return begun;
}

// sent_since returns the places of what the check has sent from `place` on.
std::vector<std::size_t> Client::sent_since(std::size_t place) const {
  const std::vector<LogEntry>& entries = session_->wire().log().entries();
  std::vector<std::size_t> places;
  for (; place < entries.size(); ++place) {
    const bool ours = entries[place].connection == session_->wire().number();
    if (ours && entries[place].sender != Sender::kSubject) places.push_back(place);
  }
  return places;
}

// judges says that what the check finds from now on is about `places` of the log.
void Client::judges(const std::vector<std::size_t>& places) {
  session_->wire().log().judge(check_, places);
}

void Client::fill_http(const Begun& begun, Reply& reply) const {
  if (reply.how == Reply::How::kClosed) reply.why = session_->wire().inbox().why_closed;
  if (begun.exchange == 0) return;
  const Exchange& exchange = session_->wire().inbox().exchanges[begun.exchange];
  reply.exchange = begun.exchange;
  if (exchange.failed) reply.why = exchange.failed->message;
  if (exchange.failed) reply.why_id = exchange.failed->id;
  reply.status = exchange.status;
  reply.headers = exchange.headers;
  reply.body = exchange.body;
  reply.events = exchange.events;
}

// find_answer looks for the response among the frames that have come since the last time.
bool Client::find_answer(Begun& begun, Reply& reply) {
  Inbox& inbox = session_->wire().inbox();
  while (begun.frames_before < inbox.frames.size()) {
    const Frame& frame = inbox.frames[begun.frames_before++];
    const bool ours = begun.exchange == 0 || frame.exchange == begun.exchange;
    const Json* const id = find(*frame.message, "id");
    if (is_response(*frame.message) && id != nullptr && *id == begun.id) {
      reply.how = Reply::How::kAnswered;
      reply.message = frame.message;
      reply.took = frame.at - begun.at;  // We may have looked later.
      session_->wire().log().claim(frame.log_place, check_);
      reply.places.push_back(frame.log_place);
      return true;
    }
    if (!ours) continue;
    if (!frame.message->is_null()) reply.along.push_back(frame.message);
    if (frame.event_id) reply.resumable = true;
  }
  return false;
}

// spend counts the wait for `reply`.
void Client::spend(const Begun& begun, const Reply& reply) {
  Effort& effort = session_->subject().effort();
  Spent& spent = reply.how == Reply::How::kSilent ? effort.silences
                 : begun.starts                   ? effort.openings
                                                  : effort.answers;
  spent.add(reply.took);
  session_->subject().changes().tell();
}

Task<Reply> Client::finish(Begun begun, Duration patience) {
  Inbox& inbox = session_->wire().inbox();
  const Instant deadline = after(begun.at, patience);
  Reply reply;
  reply.places = begun.places;
  while (!find_answer(begun, reply)) {
    const Exchange& exchange = inbox.exchanges[begun.exchange];
    reply.how = inbox.closed ? Reply::How::kClosed : Reply::How::kEnded;
    if (inbox.closed || (begun.exchange != 0 && exchange.ended)) break;
    reply.how = Reply::How::kSilent;
    if (!co_await inbox.change(deadline)) break;
  }
  fill_http(begun, reply);
  if (!reply.answered()) reply.took = loop().now() - begun.at;
  spend(begun, reply);
  if (reply.answered() && begun.starts) {
    pace().started(reply.took);
    session_->note_start(reply.took);
    Duration& longest = session_->subject().starts().first_answer;
    longest = std::max({longest, reply.took, Duration(1)});
  }
  if (begun.works) pace().worked(reply.took);
  if (reply.answered() && !begun.works && !begun.starts) pace().saw(reply.took, begun.crowded);
  const bool refused = reply.how == Reply::How::kEnded && reply.status != 0 && !reply.events;
  if (refused && !begun.works) pace().lasted(reply.took);
  if (reply.how == Reply::How::kSilent && !begun.works) {
    session_->await_late(begun.id, begun.exchange, begun.at, begun.crowded);
    pace().missed(reply.took);
  }
  const bool mute = reply.how == Reply::How::kSilent && begun.starts;
  if (mute && session_->wire().inbox().frames.empty()) {
    session_->subject().silences().note_lost(check_);
  }
  judges(reply.places);
  co_return reply;
}

Task<Reply> Client::finish(Begun begun) {
  Duration patience = begun.works ? pace().work() : pace().answer();
  const Duration start = session_->subject().starts().cost;
  if (begun.starts) patience += start == Duration{} ? pace().opening() : kStartsAwaited * start;
  const bool works = begun.works;
  Reply reply = co_await finish(std::move(begun), patience);
  if (reply.how == Reply::How::kSilent && !works) {
    session_->subject().silences().note(check_, reply.took);
  }
  co_return reply;
}

Task<Reply> Client::exchange(Json message, wire::HttpHeaders headers) {
  for (int tries = 1;; ++tries) {
    Json copy = message;
    wire::HttpHeaders all = headers;
    Begun begun = begin(std::move(copy), std::move(all));
    const Reply reply = co_await finish(std::move(begun));
    const bool limited = reply.status == kTooManyRequests && tries < kLimitTries;
    const auto wait = limited ? wire::retry_after(reply.headers) : std::nullopt;
    if (!wait || *wait > kLimitAwaited) co_return reply;
    co_await Sleep(loop(), after(loop().now(), *wait));
    session_->wire().log().take_back_limit();
  }
}

Task<Reply> Client::request(std::string method, Json params) {
  Json message = request_of(std::move(method), std::move(params));
  Reply reply = co_await exchange(std::move(message));
  co_return reply;
}

Task<Reply> Client::call(std::string method, Json params) {
  Reply reply = co_await request(method, params);
  for (int round = 0; round < kInputRoundsMax; ++round) {
    const Json* const result = reply.result();
    if (result == nullptr || string_or(*result, "resultType", "") != "input_required") break;
    Json again = retry_of(params, *result);
    reply = co_await request(method, std::move(again));
  }
  co_return reply;
}

Task<Reaction> Client::notify(std::string method, Json params) {
  Json message = request_of(std::move(method), std::move(params));
  message.erase("id");
  Reaction reaction;
  Begun begun = begin(std::move(message));
  reaction.places = begun.places;
  judges(reaction.places);
  if (begun.exchange == 0) co_return reaction;
  const Reply reply = co_await finish(std::move(begun));
  reaction.status = reply.status;
  reaction.headers = reply.headers;
  reaction.body = reply.body;
  reaction.alive = reply.status != 0;
  for (const KeptJson& along : reply.along) reaction.messages.push_back(*along);
  co_return reaction;
}

// answers_an_earlier_one returns whether `message` answers a request of before `sent`, which had no
// answer when there were `frames_before`: one that was cancelled may get it at any time.
bool Client::answers_an_earlier_one(const Json& message, const Result<Json>& sent,
                                    std::size_t frames_before) const {
  const Json* const id = find(message, "id");
  if (id == nullptr || !is_response(message) || !session_->has_asked(*id)) return false;
  if (!sent.ok() || has_id(sent.value(), *id)) return false;
  const std::vector<Frame>& frames = session_->wire().inbox().frames;
  const auto answered = [id](const Frame& frame) {
    const Json* const its = find(*frame.message, "id");
    return its != nullptr && *its == *id && is_response(*frame.message);
  };
  const auto end = frames.begin() + static_cast<std::ptrdiff_t>(frames_before);
  return std::none_of(frames.begin(), end, answered);
}

Task<Reaction> Client::provoke(std::string text, wire::HttpHeaders headers) {
  Inbox& inbox = session_->wire().inbox();
  Reaction reaction;
  const Result<Json> sent = parse_json(text);
  Begun begun;
  begun.id = "plumbline: nobody answers this";
  begun.frames_before = inbox.frames.size();
  begun.at = loop().now();
  wire::HttpHeaders all = session_->headers_for(nullptr);
  for (const auto& [name, value] : headers.fields()) all.set(name, value);
  const std::size_t posted = inbox.exchanges.size();
  const std::size_t place = session_->wire().log().entries().size();
  begun.exchange = session_->wire().send(std::move(text), std::move(all), check_);
  begun.places = sent_since(place);
  reaction.places = begun.places;
  const std::size_t exchange = begun.exchange;
  const std::size_t first = begun.frames_before;
  Json fence_id;
  if (exchange != 0) {
    const Reply reply = co_await finish(std::move(begun));
    reaction.status = reply.status;
    reaction.headers = reply.headers;
    reaction.body = reply.body;
    reaction.alive = reply.status != 0;
    if (reply.how == Reply::How::kSilent && !reaction.alive) {
      reaction.alive = co_await alive();
      reaction.unanswered = reply.took;
    }
  } else {
    Json fence = request_of(std::string(harmless_method()), Json::object());
    fence_id = fence["id"];
    const Reply reply = co_await this->exchange(std::move(fence));
    reaction.alive = reply.answered();
    co_await hush();
    // HTTP+SSE: the status of what was posted may be all that comes of it.
    if (inbox.exchanges.size() > posted) reaction.status = inbox.exchanges[posted].status;
  }
  for (std::size_t at = first; at < inbox.frames.size(); ++at) {
    const Frame& frame = inbox.frames[at];
    if (exchange != 0 && frame.exchange != exchange) continue;
    const Json* const id = find(*frame.message, "id");
    if (id != nullptr && *id == fence_id && is_response(*frame.message)) continue;
    if (exchange == 0 && answers_an_earlier_one(*frame.message, sent, first)) continue;
    session_->wire().log().claim(frame.log_place, check_);
    reaction.places.push_back(frame.log_place);
    if (frame.garbage.empty()) reaction.messages.push_back(*frame.message);
    if (!frame.garbage.empty()) reaction.garbage.push_back(frame.garbage);
  }
  judges(reaction.places);
  co_return reaction;
}

Task<void> Client::hush() {
  const Instant begin = loop().now();
  const Instant end = after(begin, pace().quiet());
  const bool may_end_sooner = pace().crowded();
  Instant alone = begin;  // Since then no process is starting.
  while (loop().now() < end) {
    const bool waits = !may_end_sooner || pace().crowded();
    const Instant over = waits ? end : std::min(end, after(alone, pace().quiet_alone()));
    if (loop().now() >= over) break;
    co_await session_->subject().changes().next(over);
    if (waits) alone = loop().now();
  }
  session_->subject().effort().listening.add(loop().now() - begin);
}

Task<Reply> Client::http(wire::HttpRequest request) {
  Inbox& inbox = session_->wire().inbox();
  Begun begun;
  begun.id = "plumbline: nobody answers this";
  begun.frames_before = inbox.frames.size();
  begun.at = loop().now();
  const std::size_t place = session_->wire().log().entries().size();
  begun.exchange = session_->wire().request(std::move(request), check_);
  begun.places = sent_since(place);
  const std::size_t number = begun.exchange;
  const Instant deadline = after(begun.at, pace().answer());
  Reply reply;
  reply.places = begun.places;
  for (;;) {
    const Exchange& exchange = inbox.exchanges[number];
    reply.how = exchange.status != 0 ? Reply::How::kEnded : Reply::How::kSilent;
    if (exchange.ended || (exchange.events && exchange.status != 0)) break;
    if (!co_await inbox.change(deadline)) break;
  }
  find_answer(begun, reply);
  fill_http(begun, reply);
  reply.took = loop().now() - begun.at;
  spend(begun, reply);
  if (reply.status == 0 && reply.how == Reply::How::kSilent) {
    session_->subject().silences().note(check_, reply.took);
  }
  judges(reply.places);
  co_return reply;
}

// What a check finds is about what it asked before; where it asked nothing that counts, silence is
// about this question.
Task<bool> Client::alive() {
  WireLog& log = session_->wire().log();
  std::vector<std::size_t> judged = log.judged(check_);
  const Reply reply = co_await request(std::string(harmless_method()));
  const bool answered = reply.answered();
  if (answered || !judged.empty()) log.judge(check_, std::move(judged));
  co_return answered;
}

Task<bool> Client::can_hear() {
  Inbox& inbox = session_->wire().inbox();
  if (!session_->wire().http()) co_return true;
  const Instant deadline = after(loop().now(), pace().answer());
  for (;;) {
    bool waiting = false;
    for (const Exchange& exchange : inbox.exchanges) {
      if (exchange.method != "GET" || exchange.ended) continue;
      if (exchange.events) co_return true;
      waiting = waiting || exchange.status == 0;
    }
    if (!waiting || !co_await inbox.change(deadline)) co_return false;
  }
}

Task<void> Client::listen(Duration how_long) {
  session_->subject().effort().listening.add(how_long);
  co_await Sleep(loop(), after(loop().now(), how_long));
}

}  // namespace plumbline::conformance
