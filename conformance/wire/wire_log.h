// WireLog keeps everything that crossed the wire in a run of the judge, in the order it did: what
// verdicts rest on, what oracles read, what reports show. Secrets are redacted where they enter.
//
// It is bounded: when it is full, connections end instead of bringing more, and their last entries
// say why. Of what nobody asked for it keeps less, and no more once that is too much: oracles are
// then told what was said before.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/budget/budget.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/events/report.h"
#include "core/json/json.h"
#include "core/json/redactor.h"

namespace plumbline::conformance {

inline constexpr std::size_t kLogBytesMax = 256U << 20U;        // Of a run, as they lie in memory.
inline constexpr std::size_t kUnaskedBytesMax = 16U << 20U;     // Likewise, that nobody asked for.
inline constexpr std::size_t kConnectionBytesMax = 64U << 20U;  // Likewise, of one connection.
inline constexpr std::size_t kConnectionFramesMax = 20'000;
// Likewise, that nobody asked for: a talkative server logs some thousand messages in it.
inline constexpr std::size_t kConnectionUnaskedBytesMax = 4U << 20U;
// What judging a run may take: steps of schemas that are validated and sampled, about a second of
// work, and the bytes of the samples.
inline constexpr std::uint64_t kRunStepsMax = 200'000'000;
inline constexpr std::size_t kRunSampleBytesMax = 32U << 20U;
inline constexpr std::size_t kEvidenceValuesMax = 1'000;      // Of one row.
inline constexpr std::size_t kEvidenceBytesMax = 32U << 10U;  // Likewise, of its strings and names.

// KeptJson is a message that the log and the one who waits for it hold together. Never null.
using KeptJson = std::shared_ptr<const Json>;
inline KeptJson kept(Json value) { return std::make_shared<const Json>(std::move(value)); }

// memory_of returns about how many bytes `value` takes up.
std::size_t memory_of(const Json& value);

// excerpt returns `value`, or what of it evidence shows: strings are clipped, and behind the bounds
// lists and objects end with "...".
Json excerpt(const Json& value);

// Sender says who wrote an entry. kNobody: a note of ours about the connection.
enum class Sender { kHarness, kSubject, kNobody };

struct LogEntry {
  Instant at;
  std::uint32_t connection = 0;  // Of this run, counted from 1.
  std::uint32_t exchange = 0;    // HTTP: the request of the connection it belongs to. Else 0.
  std::uint32_t check = 0;       // Whose doing it was, 0: nobody's in particular.
  Sender sender = Sender::kNobody;
  // The message; for what is no JSON {"garbage": its beginning}; for a note an object that says it.
  KeptJson message = kept(nullptr);
  bool garbage = false;
  bool not_utf8 = false;  // Some bytes were not: U+FFFD stands in `message` for each.
  bool unasked = false;   // Nobody has asked the subject for it, or it answers such a thing.
  std::optional<std::string>
      event_id;  // Of the SSE event that brought it, or that a note tells of.
};

// Losses are connections that could not be made, or that ended before the answer: what is seen of a
// server that dies.
struct Losses {
  std::optional<Instant> first;         // Nothing: there were none.
  std::vector<std::string> unanswered;  // The requests that were on their way, their beginnings.
};
inline constexpr std::size_t kLossesMax = 8;  // Requests that are told of.

// LogBounds say how much is kept of what a subject says, and then the connection ends, and what
// judging it may take. These are those of a judge; who asks for more by itself, as one who replays
// a recording, takes others.
struct LogBounds {
  std::size_t bytes = kLogBytesMax;
  std::size_t unasked_bytes = kUnaskedBytesMax;
  std::size_t connection_bytes = kConnectionBytesMax;
  std::size_t connection_frames = kConnectionFramesMax;
  std::size_t connection_unasked_bytes = kConnectionUnaskedBytesMax;
  std::uint64_t steps = kRunStepsMax;
  std::size_t sample_bytes = kRunSampleBytesMax;
};

class WireLog {
 public:
  // `redactor` must outlive the log. Evidence counts its time from `begin`.
  WireLog(const Redactor& redactor, Instant begin, LogBounds bounds = {})
      : redactor_(redactor), begin_(begin), room_(std::make_shared<Room>(bounds)) {}

  // fresh returns an empty log of the same run. What may be kept is for both of them together, and
  // so is what is known of a flood.
  WireLog fresh() const { return WireLog(*this, room_); }

  // new_connection returns the number of one more connection.
  std::uint32_t new_connection() { return ++connections_; }

  // add appends an entry and returns its place; kNotLogged: there is no room for what nobody asked.
  std::size_t add(LogEntry entry);
  static constexpr std::size_t kNotLogged = static_cast<std::size_t>(-1);

  const LogBounds& bounds() const { return room_->bounds; }

  // budget is what judging the run takes from: one for all logs of it.
  Budget& budget() const { return room_->budget; }

  // full returns whether nothing more should be added, but for a last word of each connection.
  bool full() const { return room_->bytes_left == 0; }

  // note_flood says in plain words that the subject was not heard to its end; flood returns what
  // was said first, empty: it was.
  void note_flood(std::string what);
  const std::string& flood() const { return room_->flood; }

  // note_loss takes in a lost connection, with the request that was on its way; empty: none was.
  void note_loss(Instant at, std::string_view request);
  const Losses& losses() const { return room_->losses; }
  void forget_losses() { room_->losses = {}; }

  // note_limit counts an answer that we have asked too much; limits returns how many there were.
  // What the server would have answered is not known.
  void note_limit() { ++room_->limits; }
  void take_back_limit() { --room_->limits; }  // It was asked again, later.
  std::size_t limits() const { return room_->limits; }

  // begin is what evidence counts its time from.
  Instant begin() const { return begin_; }

  // told returns text as a row may show it: without secrets, and clipped.
  std::string told(std::string text) const { return clipped(redactor_.redact(std::move(text))); }

  // redacted returns text without secrets.
  std::string redacted(std::string text) const { return redactor_.redact(std::move(text)); }

  // judge says that what `check` finds is about the entries at `places`, until the next time.
  void judge(std::uint32_t check, std::vector<std::size_t> places) {
    judged_[check] = std::move(places);
  }

  // judged returns what it said last; empty: nothing yet.
  std::vector<std::size_t> judged(std::uint32_t check) const {
    const auto found = judged_.find(check);
    return found == judged_.end() ? std::vector<std::size_t>() : found->second;
  }

  // claim says that the entry at `place` belongs to `check`.
  void claim(std::size_t place, std::uint32_t check) {
    if (place != kNotLogged) entries_[place].check = check;
  }

  const Redactor& redactor() const { return redactor_; }

  const std::vector<LogEntry>& entries() const { return entries_; }

  // whole returns whether nothing was left out; before_gap returns the entries up to there.
  bool whole() const { return gap_ == kNotLogged; }
  std::span<const LogEntry> before_gap() const {
    return std::span(entries_).first(std::min(gap_, entries_.size()));
  }

  // evidence returns one entry as reports show it.
  Evidence evidence(const LogEntry& entry) const {
    const char* const direction = entry.sender == Sender::kHarness   ? "->"
                                  : entry.sender == Sender::kSubject ? "<-"
                                                                     : "--";
    return Evidence{milliseconds_of(entry.at - begin_), direction, excerpt(*entry.message)};
  }

  // note returns what we have to say beside what was said, from the beginning of the run on.
  static Evidence note(Json what) { return Evidence{0, "--", std::move(what)}; }

  // evidence_until returns the entry at `place` and up to `entries_before` before it, in order.
  std::vector<Evidence> evidence_until(std::size_t place, std::size_t entries_before) const;

  // places_of returns those of the first entries of one HTTP request and its answer.
  std::vector<std::size_t> places_of(std::uint32_t connection, std::size_t exchange) const;

  // evidence_of returns the last `entries_max` entries that belong to `check`, in order, and those
  // that its finding is about, marked: those at `about`, or what the check has judged last.
  std::vector<Evidence> evidence_of(std::uint32_t check, std::size_t entries_max,
                                    std::vector<std::size_t> about = {}) const;

 private:
  // Room is what may still be kept, and what was said when it was not enough.
  struct Room {
    explicit Room(const LogBounds& most)
        : bounds(most),
          bytes_left(most.bytes),
          unasked_left(most.unasked_bytes),
          budget(Amounts()
                     .set(Resource::kSteps, most.steps)
                     .set(Resource::kValueBytes, most.sample_bytes)) {}

    LogBounds bounds;
    std::size_t bytes_left;
    std::size_t unasked_left;
    Budget budget;
    std::string flood;
    Losses losses;
    std::size_t limits = 0;
  };

  WireLog(const WireLog& like, std::shared_ptr<Room> room)
      : redactor_(like.redactor_), begin_(like.begin_), room_(std::move(room)) {}

  const Redactor& redactor_;
  Instant begin_;
  std::shared_ptr<Room> room_;
  std::vector<LogEntry> entries_;
  std::map<std::uint32_t, std::vector<std::size_t>> judged_;  // Places, by check.
  std::size_t gap_ = kNotLogged;                              // Where the first entry was left out.
  std::uint32_t connections_ = 0;
};

}  // namespace plumbline::conformance
