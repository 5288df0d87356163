// What a report tells beside its target. It is kept in Report::target, and stands in the JSON
// report on the level above.

#pragma once

#include <array>

#include "reports/answers/judged.h"
#include "reports/baseline.h"
#include "reports/effort.h"
#include "reports/explanation.h"
#include "reports/report_text.h"

namespace plumbline::reports {

inline constexpr std::array kBeside = {kJudged, kBuiltWith, kWhy,    kEffort,
                                       kStale,  kUnreached, kShownAt};

}  // namespace plumbline::reports
