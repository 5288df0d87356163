// WireLog keeps everything that crossed the wire in a run of the judge, in the order it did: what
// verdicts rest on, what oracles read, what reports show. Secrets are redacted where they enter.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/events/report.h"
#include "core/json/json.h"
#include "core/json/redactor.h"

namespace plumbline::conformance {

// Sender says who wrote an entry. kNobody: a note of ours about the connection.
enum class Sender { kHarness, kSubject, kNobody };

struct LogEntry {
  Instant at;
  std::uint32_t connection = 0;  // Of this run, counted from 1.
  std::uint32_t exchange = 0;    // HTTP: the request of the connection it belongs to. Else 0.
  std::uint32_t check = 0;       // Whose doing it was, 0: nobody's in particular.
  Sender sender = Sender::kNobody;
  // The message; for what is no JSON {"garbage": its beginning}; for a note an object that says it.
  Json message;
  bool garbage = false;
  std::optional<std::string>
      event_id;  // Of the SSE event that brought it, or that a note tells of.
};

class WireLog {
 public:
  // `redactor` must outlive the log. Evidence counts its time from `begin`.
  WireLog(const Redactor& redactor, Instant begin) : redactor_(redactor), begin_(begin) {}

  // fresh returns an empty log of the same run.
  WireLog fresh() const { return WireLog(redactor_, begin_); }

  // new_connection returns the number of one more connection.
  std::uint32_t new_connection() { return ++connections_; }

  // add appends an entry and returns its place.
  std::size_t add(LogEntry entry) {
    redactor_.redact(entry.message);
    entries_.push_back(std::move(entry));
    return entries_.size() - 1;
  }

  // claim says that the entry at `place` belongs to `check`.
  void claim(std::size_t place, std::uint32_t check) { entries_[place].check = check; }

  const std::vector<LogEntry>& entries() const { return entries_; }

  // evidence returns one entry as reports show it.
  Evidence evidence(const LogEntry& entry) const {
    const char* const direction = entry.sender == Sender::kHarness   ? "->"
                                  : entry.sender == Sender::kSubject ? "<-"
                                                                     : "--";
    return Evidence{milliseconds_of(entry.at - begin_), direction, entry.message};
  }

  // evidence_of returns the last `entries_max` entries that belong to `check`, in order.
  std::vector<Evidence> evidence_of(std::uint32_t check, std::size_t entries_max) const {
    std::vector<Evidence> found;
    for (const LogEntry& entry : entries_) {
      if (entry.check == check) found.push_back(evidence(entry));
    }
    if (found.size() > entries_max) {
      found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(entries_max));
    }
    return found;
  }

 private:
  const Redactor& redactor_;
  Instant begin_;
  std::vector<LogEntry> entries_;
  std::uint32_t connections_ = 0;
};

}  // namespace plumbline::conformance
