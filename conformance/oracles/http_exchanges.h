// What was said over Streamable HTTP, exchange by exchange: a request with everything that came
// back on its answer.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/oracles/transcript.h"

namespace plumbline::conformance {

struct ObservedExchange {
  const LogEntry* opening = nullptr;  // The note of the request line.
  const LogEntry* asked = nullptr;    // What was posted; null: nothing was.
  const LogEntry* head = nullptr;     // The note of the answer's status; null: none came.
  std::vector<const LogEntry*> said;  // Messages, and notes of events without data, in order.

  bool is(std::string_view method) const;  // "POST", "GET".
  int status() const;
  bool events() const;  // The answer is a stream of events.

  // header returns a field of the request, or of the answer; empty: it has none.
  std::string request_header(std::string_view name) const;
  std::string answer_header(std::string_view name) const;

  // fresh_stream returns whether this is a GET stream that resumes nothing.
  bool fresh_stream() const;
};

// HttpExchanges are keyed by connection and exchange.
using HttpExchanges = std::map<std::pair<std::uint32_t, std::uint32_t>, ObservedExchange>;

// http_exchanges_of sorts a conversation. Without HTTP there are none.
HttpExchanges http_exchanges_of(const Transcript& transcript);

// blame is broken() with the entries that show it, of which the last is wrong.
Finding blame(const Transcript& transcript, std::vector<const LogEntry*> entries, std::string what);

}  // namespace plumbline::conformance
