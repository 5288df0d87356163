// Finding is what one check found out about its subject.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/events/report.h"

namespace plumbline::conformance {

struct Finding {
  Verdict verdict = Verdict::kPass;
  std::string message;
  std::vector<Evidence> evidence;  // Instead of all that the check sent and got.
};

// passes: the rule was put to the test and held. Never said of what was not seen at least once.
inline Finding passes() { return {}; }

// broken: the rule does not hold. The level of the rule makes it a failure or a warning. `message`
// says what was seen and what was expected.
inline Finding broken(std::string message) { return {Verdict::kFail, std::move(message), {}}; }

// risky: no rule is broken, but others may stumble: always a warning.
inline Finding risky(std::string message) { return {Verdict::kWarn, std::move(message), {}}; }

// not_for_it: the rule does not apply to this subject; `why` says what it lacks.
inline Finding not_for_it(std::string why) { return {Verdict::kSkip, std::move(why), {}}; }

// undecided: the subject fell silent or ended before it could be told.
inline Finding undecided(std::string why) { return {Verdict::kInconclusive, std::move(why), {}}; }

}  // namespace plumbline::conformance
