// Situations are what a good sweep meets now and then: the rare turns that faults exist for. A
// sweep that never meets one of them proves less than it seems to.

#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/trace_event.h"
#include "core/json/json.h"

namespace plumbline::scenarios {

enum class Situation {
  kCallTimedOut,
  kCallLostConnection,
  kCallCancelled,
  kCallRetried,
  kAnotherCandidate,
  kLateAnswer,
  kGarbage,
  kFaultMet,
  kServerRestarted,
  kAuthRefused,
  kApproved,
  kRefused,
  kEffect,
  kOutcomeUnknown,
  kOk,
  kAnsweredWithoutMcp,
  kNeedsReview,
  kFailed,
};
inline constexpr std::size_t kSituations = 18;

struct SituationInfo {
  std::string_view name;  // "call-timed-out".
  std::string_view what;  // One sentence.
};

// all_situations returns each Situation, in the order of the enumeration.
std::span<const SituationInfo> all_situations();

// find_situation returns the Situation of this name, nothing when there is none.
std::optional<Situation> find_situation(std::string_view name);

using SituationSet = std::bitset<kSituations>;

// SituationWatch notes which situations one run meets.
class SituationWatch final : public EventSink {
 public:
  // implements EventSink ---
  void on_event(const TraceEvent& event) override;

  // request_begins and request_ends stand around each request to the assistant; `final_output` is
  // what it came to.
  void request_begins();
  void request_ends(const Json& final_output);

  const SituationSet& met() const { return met_; }

 private:
  struct Open {
    std::string who;
    std::int64_t id = 0;
  };
  struct Server {
    std::string name;
    std::int64_t starts = 0;
  };

  void meet(Situation which) { met_.set(static_cast<std::size_t>(which)); }
  void on_request_started(const TraceEvent& event);
  void on_request_ended(const TraceEvent& event);
  void on_message(const TraceEvent& event);
  void on_connection(const TraceEvent& event);

  SituationSet met_;
  std::vector<Open> open_;
  std::vector<Server> servers_;
  std::string called_;  // The first server of this request that was called.
  std::int64_t calls_ = 0;
};

}  // namespace plumbline::scenarios
