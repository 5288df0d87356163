// Expectations hold what came of a run against what the scenario says of it.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "fakes/world/effect_ledger.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

// Tally counts what expectations ask for.
class Tally final : public EventSink {
 public:
  // implements EventSink ---
  void on_event(const TraceEvent& event) override;

  // requests returns how many requests of that method our side sent, each round of one for itself.
  std::int64_t requests(std::string_view method) const;
  const std::map<std::string, std::int64_t, std::less<>>& requests() const { return requests_; }
  // faults returns how many have struck, by their name in the trace.
  const std::map<std::string, std::int64_t>& faults() const { return faults_; }
  std::int64_t approvals_asked() const { return approvals_asked_; }

 private:
  std::map<std::string, std::int64_t, std::less<>> requests_;
  std::map<std::string, std::int64_t> faults_;
  std::int64_t approvals_asked_ = 0;
};

// Observed is what came of a run. References live as long as the check.
struct Observed {
  const Json& state;  // Of the last request, as agents::Outcome has it.
  const std::vector<std::string>& route;
  const fakes::EffectLedger& ledger;
  const Tally& tally;
  std::map<std::string, std::int64_t> starts{};
  std::map<std::string, std::int64_t> exchanges{};
  std::optional<Duration>
      answered_after{};  // Nothing: not in virtual time, and nothing is held to it.
  std::int64_t commands_run = 0;
  std::optional<std::int64_t> approvals_asked{};  // Of one user of several; else as `tally` has it.
};

// check_expectations returns what is not as expected, one failure a key: "expect.status" ...
std::vector<RunFailure> check_expectations(const Expect& expect, const Observed& observed);

// check_answer does so for the answer to one of the requests, counted from 0, as "each" has it.
std::vector<RunFailure> check_answer(const Expect& expect, std::size_t request,
                                     const Observed& observed);

}  // namespace plumbline::scenarios
