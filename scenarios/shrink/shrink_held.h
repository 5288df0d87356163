// HeldCheck is the failure that a search holds on to, and runs candidates against it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/json/json.h"
#include "scenarios/sweep/trials.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

class HeldCheck {
 public:
  // A failure of `scenario`. All must outlive the HeldCheck.
  HeldCheck(Trials& trials, const Scenario& scenario, const RunFailure& failure);

  // place points to what of the scenario's file is held: the expectation or invariant that failed.
  // Empty: the file does not say it.
  const std::string& place() const { return place_; }

  // fails runs `document` under `seed`, as its file would be, and returns how the held check
  // failed; nothing when it did not, when the document is refused, or when something of the file is
  // held that the document does not meet in calm weather either, though the whole scenario did.
  std::optional<std::string> fails(const Json& document, std::uint64_t seed);

  std::int64_t runs() const { return runs_; }

 private:
  std::optional<std::string> message_of(const Json& document, std::uint64_t seed);

  Trials& trials_;
  const RunFailure& failure_;
  std::string place_;
  bool holds_words_ = false;     // Of the message, too.
  bool passes_in_calm_ = false;  // The whole scenario meets it when nothing goes wrong.
  std::int64_t runs_ = 0;
};

// calm returns `document` without what goes wrong in it.
Json calm(Json document);

}  // namespace plumbline::scenarios
