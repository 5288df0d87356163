// What a report says in words: for whom it is, what came of it, and what of each result a person
// has to read.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/report.h"

namespace plumbline::reports {

// scope_of returns the seeds that a report is of: "seed 7", "seeds 1..200, shard 2/7". Checks have
// none: nothing.
std::string scope_of(const Report& report);

// subject_of names what was judged in one line, as far as the target tells; else nothing.
std::string subject_of(const Report& report);

// variant_of returns server, revision and transport of a result, as far as it has them:
// "mail 2025-11-25 stdio".
// A revision equal to `known`, which the reader has been told once, is left out.
std::string variant_of(const CheckResult& result, std::string_view known = {});

// row_text returns what a table says about a result in one line: its title, and why it was skipped
// or may fail.
std::string row_text(const CheckResult& result);

// evidence_text returns one line of the wire log: "12 ms -> {...}".
std::string evidence_text(const Evidence& evidence);

// deserves_a_look returns whether a person has to read about this result: fail, warn, inconclusive.
bool deserves_a_look(const CheckResult& result);

// Area is the results of one area, in the order of the report. Borrows from the Report.
struct Area {
  std::string_view name;  // "general" for results without one.
  std::vector<const CheckResult*> results;
};

// by_area groups the results; areas come in the order in which they first appear.
std::vector<Area> by_area(const Report& report);

// Of Report::target: which subjects could not be judged, and why. In JSON it stands beside it.
inline constexpr const char* kUnreached = "unreached";

// Of Report::target: the file at which annotations and alerts are shown. In JSON it stands beside
// it.
inline constexpr const char* kShownAt = "shown_at";

// overall_verdict returns the verdict of results: fail, else inconclusive, else pass. Where nothing
// ran it is inconclusive, where nothing applied skip: neither is a pass.
Verdict overall_verdict(const Summary& summary);

// overall_verdict returns that of a whole report, as the exit status has it: a stale entry of the
// baseline is a failure, too, and a subject that was not reached keeps it from passing.
Verdict overall_verdict(const Report& report);

// applicable returns how many results there are but for those that were skipped.
std::int64_t applicable(const Summary& summary);

// headline_of returns the outcome as one sentence: of checks the two answers (answers.h), "2
// failures are yours to mend, 1 from Acme SDK; 150 of 154 MUSTs hold", of scenarios "2 of 41
// scenarios fail".
std::string headline_of(const Report& report);

// summary_text returns the counts for people: "41 pass, 1 fail, 2 skip". pass and fail are always
// named, the others when there are any.
std::string summary_text(const Summary& summary);

}  // namespace plumbline::reports
