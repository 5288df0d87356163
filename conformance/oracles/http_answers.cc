// How everything that is posted over Streamable HTTP is answered.

#include <algorithm>
#include <array>
#include <string>

#include "conformance/catalogue/outcomes.h"
#include "conformance/oracles/http_exchanges.h"
#include "conformance/oracles/rules.h"
#include "conformance/wire/header_names.h"
#include "conformance/wire/http_wire.h"
#include "core/base/text.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

namespace {

bool is_success(int status) { return status >= 200 && status < 300; }

// is_request returns whether a whole request was posted; is_notification likewise.
bool is_posted_request(const ObservedExchange& exchange) {
  if (exchange.asked == nullptr || exchange.asked->garbage) return false;
  const Json& message = *exchange.asked->message;
  return find_string(message, "method") && find(message, "id") != nullptr &&
         find_string(message, "jsonrpc") == "2.0";
}

bool is_posted_notification(const ObservedExchange& exchange) {
  if (exchange.asked == nullptr || exchange.asked->garbage) return false;
  const Json& message = *exchange.asked->message;
  return find_string(message, "method") && find(message, "id") == nullptr &&
         find_string(message, "jsonrpc") == "2.0";
}

bool is_json_type(const std::string& type) {
  return wire::equals_ignoring_case(type.substr(0, type.find(';')), "application/json");
}

// refuses_a_right_one returns whether a server refused the notification that every client has to
// send after initialize, where no check made anything wrong with it.
bool refuses_a_right_one(const ObservedExchange& exchange, bool sessions) {
  constexpr std::array kRefusals = {400, 405, 406, 415, 422, 500, 501};
  const bool ordinary = exchange.opening != nullptr && exchange.asked->check == 0;
  if (!ordinary || std::ranges::count(kRefusals, exchange.status()) == 0) return false;
  if (find_string(*exchange.asked->message, "method") != "notifications/initialized") return false;
  return !sessions || !exchange.request_header(kSessionHeader).empty();
}

// gives_sessions returns whether a server has given anybody an id of a session.
bool gives_sessions(const HttpExchanges& exchanges) {
  return std::ranges::any_of(
      exchanges, [](const auto& one) { return !one.second.answer_header(kSessionHeader).empty(); });
}

const LogEntry* first_of(const ObservedExchange& exchange) {
  return exchange.said.empty() ? nullptr : exchange.said.front();
}

// is_told_apart returns whether other rules are about what no JSON can be read from.
bool is_told_apart(const LogEntry& entry) {
  if (!entry.garbage) return false;
  return !broken_message(entry).empty() || !half_character(entry).empty();
}

// unended says what becomes of an event that no empty line ends.
std::string unended(const Json& noted) {
  const char* const what = bool_or(noted, "answers", false) ? "the response" : "a message";
  if (!bool_or(noted, "open", false)) {
    return std::string(
               "a stream ends without an empty line behind its last event: "
               "readers of events discard it, and with it ") +
           what;
  }
  return std::string(
             "a stream stays open without an empty line behind its last event: "
             "readers of events wait for that line, and never get ") +
         what;
}

}  // namespace

Finding accepts_notifications_with_202(const Transcript& transcript) {
  bool seen = false;
  const HttpExchanges exchanges = http_exchanges_of(transcript);
  const bool sessions = gives_sessions(exchanges);
  for (const auto& [key, exchange] : exchanges) {
    if (!is_posted_notification(exchange)) continue;
    if (refuses_a_right_one(exchange, sessions)) {
      return blame(
          transcript, {exchange.opening, exchange.asked, exchange.head},
          "notifications/initialized" +
              std::string(find(*exchange.asked->message, "params") ? "" : " without params") +
              " was answered with status " + std::to_string(exchange.status()) +
              ", expected 202: clients cannot go on after initialize");
    }
    if (!is_success(exchange.status())) continue;
    seen = true;
    if (exchange.status() != 202) {
      return blame(transcript, {exchange.opening, exchange.asked, exchange.head},
                   "a notification was answered with status " + std::to_string(exchange.status()) +
                       ", expected 202");
    }
    if (const LogEntry* const body = first_of(exchange)) {
      return blame(transcript, {exchange.asked, exchange.head, body},
                   "the 202 to a notification has a body, expected none");
    }
  }
  return seen ? passes() : not_for_it("no notification was accepted over HTTP");
}

Finding answers_json_or_events(const Transcript& transcript) {
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    if (!is_posted_request(exchange) || exchange.status() != 200) continue;
    seen = true;
    const std::string type = exchange.answer_header("Content-Type");
    if (!is_json_type(type) && !exchange.events()) {
      return blame(transcript, {exchange.opening, exchange.asked, exchange.head},
                   "a request was answered " +
                       (type.empty() ? "without Content-Type" : "as \"" + type + "\"") +
                       ", expected application/json or text/event-stream");
    }
    const LogEntry* const body = first_of(exchange);
    if (body != nullptr && is_told_apart(*body)) continue;
    if (is_json_type(type) && body != nullptr && (body->garbage || !body->message->is_object())) {
      return blame(transcript, {exchange.asked, exchange.head, body},
                   body->garbage ? "a request was answered as application/json with what is no JSON"
                                 : "the answer to one request is JSON, but not one object");
    }
  }
  return seen ? passes() : not_for_it("no request was answered over HTTP");
}

Finding streams_whole_messages(const Transcript& transcript) {
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    if (!exchange.events()) continue;
    for (const LogEntry* const entry : exchange.said) {
      if (string_or(*entry->message, "event", "") == kJsonForEvents) {
        return blame(transcript, {exchange.asked, exchange.head, entry},
                     "an answer is called text/event-stream and is plain JSON: its lines are no "
                     "events, and clients read nothing");
      }
      if (string_or(*entry->message, "event", "") == kUnendedEvent) {
        return blame(transcript, {exchange.asked, exchange.head, entry}, unended(*entry->message));
      }
      if (entry->sender != Sender::kSubject) continue;
      seen = true;
      if (!entry->garbage && entry->message->is_structured()) continue;
      if (is_told_apart(*entry)) continue;
      return blame(transcript, {exchange.asked, exchange.head, entry},
                   "the data of an event is no JSON-RPC message");
    }
  }
  return seen ? passes() : not_for_it("no message came in a stream of events");
}

// RFC 9110, section 5.3: a field that is no list comes once.
Finding names_a_session_once(const Transcript& transcript) {
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    const std::string id = exchange.answer_header(kSessionHeader);
    if (id.empty()) continue;
    seen = true;
    const std::size_t half = id.find(", ");
    if (half == std::string::npos || id.substr(0, half) != id.substr(half + 2)) continue;
    return blame(transcript, {exchange.opening, exchange.asked, exchange.head},
                 "Mcp-Session-Id comes twice in one answer: clients that join repeated fields, as "
                 "Claude Code and the Python SDK do, send back both as one id");
  }
  return seen ? passes() : not_for_it("it names no session");
}

// A page of another origin sees of an answer what Access-Control-Expose-Headers names alone.
Finding shows_pages_the_session(const Transcript& transcript) {
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    const std::string origin = exchange.answer_header("Access-Control-Allow-Origin");
    if (origin.empty() || exchange.answer_header(kSessionHeader).empty()) continue;
    seen = true;
    const std::string shown = lower_case(exchange.answer_header("Access-Control-Expose-Headers"));
    if (shown.find("mcp-session-id") != std::string::npos || shown == "*") continue;
    return blame(
        transcript, {exchange.opening, exchange.asked, exchange.head},
        "it lets pages of other origins in (Access-Control-Allow-Origin: " + clipped(origin) +
            "), and Access-Control-Expose-Headers does not name Mcp-Session-Id: clients in a "
            "browser, such as MCP Inspector, cannot see the session");
  }
  return seen ? passes() : not_for_it("it lets no pages of other origins in, or has no sessions");
}

Finding begins_streams_with_an_id(const Transcript& transcript) {
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    const LogEntry* const first = first_of(exchange);
    // A server that gives no ids cannot be come back to: nothing is to be primed.
    if (!exchange.is("POST") || !exchange.events() || first == nullptr || !first->event_id)
      continue;
    seen = true;
    if (first->sender == Sender::kNobody) continue;
    Finding finding =
        blame(transcript, {exchange.asked, exchange.head, first},
              "a stream begins with a message, expected an event with an id and empty data first");
    finding.reason = outcome::kMessageFirst;
    return finding;
  }
  return seen ? passes() : not_for_it("no answer was a stream whose events have ids");
}

Finding asks_proxies_not_to_buffer(const Transcript& transcript) {
  bool seen = false;
  for (const auto& [key, exchange] : http_exchanges_of(transcript)) {
    if (!exchange.is("POST") || !exchange.events()) continue;
    seen = true;
    if (wire::equals_ignoring_case(exchange.answer_header("X-Accel-Buffering"), "no")) continue;
    return blame(transcript, {exchange.asked, exchange.head},
                 "an answer that is a stream of events has no X-Accel-Buffering: no");
  }
  return seen ? passes() : not_for_it("no answer was a stream of events");
}

}  // namespace plumbline::conformance
