// What came of a whole report, in a word and in a sentence.

#pragma once

#include <string>

#include "core/events/report.h"

namespace plumbline::reports {

// overall_verdict returns that of a whole report, as the exit status has it: a stale entry of the
// baseline is a failure, too, and a subject that was not reached keeps it from passing.
Verdict overall_verdict(const Report& report);

// headline_of returns the outcome as one sentence: of checks the two answers (answers.h), "2
// failures are yours to mend, 1 from Acme SDK; 150 of 154 MUSTs hold", of scenarios "2 of 41
// scenarios fail".
std::string headline_of(const Report& report);

}  // namespace plumbline::reports
