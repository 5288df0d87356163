// What belongs on which stream of Streamable HTTP.

#include <chrono>
#include <map>
#include <string>

#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/http_exchanges.h"
#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

bool is_answer(const Json& message) {
  return find(message, "method") == nullptr &&
         (find(message, "result") != nullptr || find(message, "error") != nullptr);
}

// token_asked returns the progress token of the request that was posted, null for none.
Json token_asked(const ObservedExchange& exchange) {
  const Json* const token = exchange.asked == nullptr ? nullptr
                                                      : at_pointer(*exchange.asked->message,
                                                                   "/params/_meta/progressToken");
  return token == nullptr ? Json() : *token;
}

// token_told returns that of a progress notification, null for any other message.
Json token_told(const Json& message) {
  const Json* const token = at_pointer(message, "/params/progressToken");
  const bool progress = string_or(message, "method", "") == "notifications/progress";
  return token == nullptr || !progress ? Json() : *token;
}

// concerns_a_list returns whether `message` is for a subscription alone.
bool concerns_a_list(const Json& message) {
  const std::string method = string_or(message, "method", "");
  return method.ends_with("/list_changed") || method == "notifications/resources/updated";
}

struct Before {
  const LogEntry* entry;
  bool on_stream;  // The GET stream.
};

// A message that comes again later may be another one.
constexpr Duration kAtOnce = std::chrono::milliseconds(10);

bool is_single_request(const ObservedExchange& exchange) {
  return exchange.is("POST") && exchange.asked != nullptr && exchange.asked->message->is_object() &&
         find(*exchange.asked->message, "id") != nullptr;
}

// asks_the_user returns whether `message` asks for what only a running request needs, and is not of
// a task, which outlives its request.
bool asks_the_user(const Json& message) {
  const std::string method = string_or(message, "method", "");
  const bool asks = method == "elicitation/create" || method == "sampling/createMessage";
  const Json* const meta = at_pointer(message, "/params/_meta");
  const bool of_task =
      meta != nullptr && find(*meta, "io.modelcontextprotocol/related-task") != nullptr;
  return asks && find(message, "id") != nullptr && !of_task;
}

// waiting_call returns the last request of `connection` that waited for its answer when `question`
// came; nullptr: none did.
const LogEntry* waiting_call(const HttpExchanges& exchanges, std::uint32_t connection,
                             const LogEntry& question) {
  const LogEntry* waiting = nullptr;
  for (const auto& [key, exchange] : exchanges) {
    if (key.first != connection || !is_single_request(exchange)) continue;
    if (exchange.asked > &question) continue;  // Entries lie in the order in which they came.
    const bool answered = !exchange.said.empty() && is_answer(*exchange.said.back()->message) &&
                          exchange.said.back() < &question;
    const std::string method = string_or(*exchange.asked->message, "method", "");
    const bool calls =
        method == "tools/call" || method == "prompts/get" || method == "resources/read";
    if (answered || !calls) continue;
    waiting = exchange.asked;
  }
  return waiting;
}

}  // namespace

Finding keeps_to_the_request(const Transcript& transcript) {
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    if (!is_single_request(exchange)) continue;
    const bool listens =
        string_or(*exchange.asked->message, "method", "") == "subscriptions/listen";
    const bool stateless = is_stateless(transcript.conversation().revision);
    const Json asked = token_asked(exchange);
    for (const LogEntry* const entry : exchange.said) {
      const Json told = token_told(*entry->message);
      const bool foreign = !told.is_null() && told != asked;
      const bool of_a_list = stateless && !listens && concerns_a_list(*entry->message);
      if (find(*entry->message, "method")) seen = true;
      if (!foreign && !of_a_list) continue;
      return blame(transcript, {exchange.asked, entry},
                   foreign ? "progress of another request came on the stream of this one"
                           : "a notification for subscribers came on the stream of a request");
    }
  }
  return seen ? passes() : not_for_it("nothing but answers came on the streams of requests");
}

Finding keeps_progress_off_the_stream(const Transcript& transcript) {
  bool listened = false;
  bool seen = false;
  const HttpExchanges exchanges = http_exchanges_of(transcript);
  for (const auto& [key, exchange] : exchanges) {
    const bool on_stream = exchange.fresh_stream();
    if (on_stream) listened = true;
    for (const LogEntry* const entry : exchange.said) {
      const bool tells = !token_told(*entry->message).is_null();
      if (!tells && !asks_the_user(*entry->message)) continue;
      seen = true;
      if (!on_stream) continue;
      const LogEntry* const call = tells ? nullptr : waiting_call(exchanges, key.first, *entry);
      if (!tells && call == nullptr) continue;
      if (tells) {
        return blame(transcript, {exchange.opening, entry},
                     "progress of a request came on the GET stream, expected on its own");
      }
      return blame(transcript, {call, exchange.opening, entry},
                   string_or(*entry->message, "method", "") + " came on the GET stream while " +
                       string_or(*call->message, "method", "") +
                       " waited for it, expected on the stream of that: who has no GET stream "
                       "open never gets it");
    }
  }
  return seen && listened
             ? passes()
             : not_for_it("there was no GET stream, or neither progress nor a question");
}

Finding keeps_answers_off_the_stream(const Transcript& transcript) {
  bool listened = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    if (!exchange.fresh_stream()) continue;
    listened = true;
    for (const LogEntry* const entry : exchange.said) {
      if (!is_answer(*entry->message)) continue;
      return blame(transcript, {exchange.opening, entry},
                   "a response came on a GET stream that resumes nothing");
    }
  }
  return listened ? passes() : not_for_it("there was no GET stream");
}

Finding says_nothing_twice(const Transcript& transcript) {
  std::map<std::pair<std::uint32_t, std::string>, Before> first;
  bool listened = false;
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    const bool on_stream = exchange.fresh_stream();
    if (on_stream) listened = true;
    if (exchange.is("GET") && !on_stream) continue;  // What was missed is said again.
    for (const LogEntry* const entry : exchange.said) {
      const bool asks = find(*entry->message, "method") && find(*entry->message, "id");
      if (!asks && token_told(*entry->message).is_null()) continue;
      seen = true;
      const auto [place, is_new] =
          first.try_emplace({key.first, dump_json(*entry->message)}, Before{entry, on_stream});
      const Before& before = place->second;
      if (is_new || before.entry->exchange == entry->exchange) continue;
      // Two requests may have one token, one after the other.
      if (before.on_stream == on_stream && !asks) continue;
      if (entry->at - before.entry->at > kAtOnce) continue;
      return blame(transcript, {before.entry, entry},
                   "one message came on two streams, expected on one");
    }
  }
  return seen && listened ? passes() : not_for_it("nothing came while several streams were open");
}

Finding gives_every_event_its_id(const Transcript& transcript) {
  std::map<std::pair<std::uint32_t, std::string>, const LogEntry*> first;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    for (const LogEntry* const entry : exchange.said) {
      if (!entry->event_id || entry->event_id->empty()) continue;
      const auto [place, is_new] = first.try_emplace({key.first, *entry->event_id}, entry);
      if (is_new) continue;
      const LogEntry& other = *place->second;
      const bool replayed = other.sender == entry->sender && *other.message == *entry->message &&
                            !exchange.request_header("Last-Event-ID").empty();
      if (replayed) continue;
      return blame(transcript, {&other, entry},
                   "two events of one session have the id \"" + *entry->event_id + "\"");
    }
  }
  return first.empty() ? not_for_it("no event had an id") : passes();
}

}  // namespace plumbline::conformance
