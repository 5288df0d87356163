// Conversations holds what our own client says to the judge's catalogue: the oracles that read the
// log of every `check` read what went over each connection of a world, too.
//
// Of headers and streams it knows nothing, so rules of HTTP are not judged.

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/wire/wire_log.h"
#include "core/events/trace_event.h"
#include "core/json/redactor.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

class Conversations final : public EventSink {
 public:
  // `redactor` must outlive it.
  explicit Conversations(const Redactor& redactor) : log_(redactor, Instant{}) {}

  // implements EventSink ---
  void on_event(const TraceEvent& event) override;

  // restarted tells that our client is another process from now on.
  void restarted() {
    current_.clear();
    exited_.clear();
  }

  // failures judges what was said, and returns each rule that our client broke, as
  // invariant.keeps-the-specification.
  std::vector<RunFailure> failures() const;

 private:
  using Entries = std::vector<conformance::LogEntry>;

  void on_connection(const std::string& server, std::string_view state);
  void judge(Entries entries, std::vector<RunFailure>& failures) const;

  conformance::WireLog log_;
  std::vector<Entries> spoken_;                              // One a connection.
  std::map<std::string, std::size_t, std::less<>> current_;  // By server; a place in spoken_.
  std::set<std::string> exited_;                             // Servers whose process has ended.
};

}  // namespace plumbline::scenarios
