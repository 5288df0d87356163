// What a comparison found, as rows of a report.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/events/check_result.h"
#include "scenarios/compare/conversation.h"
#include "scenarios/compare/differences.h"

namespace plumbline::scenarios {

// difference_rows returns a row for each difference, of the id "diff.tool-lost:echo": what breaks
// clients fails, what they may see is a warning, the rest passes. And a row for each thing that was
// asked and is answered as before: "diff.same:tools/call/echo".
std::vector<CheckResult> difference_rows(const std::vector<Difference>& differences,
                                         const Conversation& then, const Conversation& now);

// answer_rows returns a row for each thing that was asked, of the id
// "replay.answer:tools/call/echo", whose message has all differences.
std::vector<CheckResult> answer_rows(const std::vector<Difference>& differences,
                                     const Conversation& then, const Conversation& now);

}  // namespace plumbline::scenarios
