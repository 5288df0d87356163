#include "conformance/oracles/http_exchanges.h"

#include "core/wire/http.h"

namespace plumbline::conformance {

namespace {

std::string header_in(const LogEntry* note, std::string_view name) {
  const Json* const headers = note == nullptr ? nullptr : find(*note->message, "headers");
  if (headers == nullptr || !headers->is_object()) return {};
  for (const auto& [key, value] : headers->items()) {
    if (wire::equals_ignoring_case(key, name) && value.is_string()) return value;
  }
  return {};
}

}  // namespace

bool ObservedExchange::is(std::string_view method) const {
  const std::string line = opening == nullptr ? "" : string_or(*opening->message, "http", "");
  return line.starts_with(std::string(method) + " ");
}

int ObservedExchange::status() const {
  return head == nullptr ? 0 : static_cast<int>(int_or(*head->message, "status", 0));
}

bool ObservedExchange::events() const {
  const std::string type = answer_header("Content-Type");
  return wire::equals_ignoring_case(type.substr(0, type.find(';')), "text/event-stream");
}

std::string ObservedExchange::request_header(std::string_view name) const {
  return header_in(opening, name);
}

std::string ObservedExchange::answer_header(std::string_view name) const {
  return header_in(head, name);
}

bool ObservedExchange::fresh_stream() const {
  return is("GET") && status() == 200 && events() && request_header("Last-Event-ID").empty();
}

HttpExchanges http_exchanges_of(const Transcript& transcript) {
  HttpExchanges exchanges;
  if (!transcript.conversation().http) return exchanges;
  for (const LogEntry& entry : transcript.conversation().entries) {
    if (entry.exchange == 0) continue;
    ObservedExchange& exchange = exchanges[{entry.connection, entry.exchange}];
    if (entry.sender == Sender::kHarness) exchange.asked = &entry;
    if (entry.sender == Sender::kSubject) exchange.said.push_back(&entry);
    if (entry.sender != Sender::kNobody) continue;
    if (find(*entry.message, "http")) exchange.opening = &entry;
    if (find(*entry.message, "status")) exchange.head = &entry;
    if (find(*entry.message, "event")) exchange.said.push_back(&entry);
  }
  return exchanges;
}

Finding blame(const Transcript& transcript, std::vector<const LogEntry*> entries,
              std::string what) {
  Finding finding = broken(std::move(what));
  for (const LogEntry* const entry : entries) {
    if (entry != nullptr)
      finding.evidence.push_back(transcript.conversation().log.evidence(*entry));
  }
  if (!finding.evidence.empty()) finding.evidence.back().judged = true;
  return finding;
}

}  // namespace plumbline::conformance
