// What a report tells beside its target. It is kept in Report::target, and stands in the JSON
// report on the level above.

#pragma once

#include <array>

#include "reports/baseline.h"
#include "reports/effort.h"
#include "reports/faults.h"

namespace plumbline::reports {

// Why the rules matter that are broken, by their ids: answers/explanation.h.
inline constexpr const char* kWhy = "why";

// How to mend what is broken or warned of, by the ids of the rules.
inline constexpr const char* kMend = "mend";

// Which subjects could not be judged, and why.
inline constexpr const char* kUnreached = "unreached";

// The file at which annotations and alerts are shown.
inline constexpr const char* kShownAt = "shown_at";

// Who was judged: answers/judged.h.
inline constexpr const char* kJudged = "judged";

// By which program and rules was judged, and the digests of what was: of a report that is attested.
inline constexpr const char* kAttested = "attested";

inline constexpr std::array kBeside = {kJudged, kBuiltWith, kWhy,     kMend,    kEffort,
                                       kStale,  kUnreached, kShownAt, kAttested};

}  // namespace plumbline::reports
