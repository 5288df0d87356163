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

// overall_verdict returns the verdict of results: fail, else inconclusive, else pass. Where nothing
// ran it is inconclusive, where nothing applied skip: neither is a pass.
Verdict overall_verdict(const Summary& summary);

// applicable returns how many results there are but for those that were skipped.
std::int64_t applicable(const Summary& summary);

// summary_text returns the counts for people: "41 pass, 1 fail, 2 skip". pass and fail are always
// named, the others when there are any.
std::string summary_text(const Summary& summary);

}  // namespace plumbline::reports
