// Finding is what one check found out about its subject.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/events/report.h"

namespace plumbline::conformance {

struct Finding {
  Verdict verdict = Verdict::kPass;
  std::string message;
  std::vector<Evidence> evidence;  // Instead of all that the check sent and got.
  std::int64_t observed = 1;       // How often the rule was put to the test.
  std::string reason{};            // Which of several, for who decides by it: outcomes.h. Or none.
  // Places in the log of what it is about; none: of what the check has waited for last.
  std::vector<std::size_t> about = {};
  std::vector<std::string> kinds{};  // Of mistakes, where the message tells of several.
  std::string member = {};           // Of a message, that is wrong; empty: no single one.
};

// passes: the rule was put to the test and held. Never said of what was not seen at least once.
inline Finding passes() { return {}; }

// broken: the rule does not hold. The level of the rule makes it a failure or a warning. `message`
// says what was seen and what was expected.
inline Finding broken(std::string message) { return {Verdict::kFail, std::move(message), {}, 1}; }

// risky: no rule is broken, but others may stumble: always a warning.
inline Finding risky(std::string message) { return {Verdict::kWarn, std::move(message), {}, 1}; }

// not_for_it: the rule does not apply to this subject; `why` says what it lacks.
inline Finding not_for_it(std::string why) { return {Verdict::kSkip, std::move(why), {}, 0}; }

// undecided: the subject fell silent or ended before it could be told.
inline Finding undecided(std::string why) {
  return {Verdict::kInconclusive, std::move(why), {}, 0};
}

}  // namespace plumbline::conformance
