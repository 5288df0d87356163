// Text helpers of the writers: what is safe to print, how wide it is, how numbers look.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/report.h"

namespace plumbline::reports {

// printable returns `text` as UTF-8 that no terminal and no XML reader trips over. Control
// characters become their pictures (U+0007 is ␇), the newline stays, a tab becomes a space; bytes
// that are not UTF-8, C1 controls, bidirectional overrides and noncharacters become U+FFFD.
std::string printable(std::string_view text);

// one_line returns printable text with every newline as a space.
std::string one_line(std::string_view text);

// safe_json returns JSON that means the same and steers no terminal: what is DEL, a C1 control or
// changes the direction of text is written as \u escapes, and so is what a log of GitHub Actions
// would obey ("##[").
std::string safe_json(std::string_view json);

// without_commands returns printable text of which the runner of GitHub Actions obeys nothing: no
// line begins with "::", none has "##[".
std::string without_commands(std::string_view text);

// width_of returns how many terminal columns printable text takes: 2 for East Asian wide
// characters and emoji, 0 for combining marks.
std::size_t width_of(std::string_view text);

// clip returns printable text cut to at most `columns` (at least 1), with … where something is
// missing.
std::string clip(std::string_view text, std::size_t columns);

// pad returns clip(text, columns), filled with spaces to exactly `columns`.
std::string pad(std::string_view text, std::size_t columns);

// wrap breaks printable text into lines of at most `columns`, between words only: a URL, or any
// other word that is longer, stays whole, and so does a line that shows a command of ours. Newlines
// of the text stay line ends.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

// decimal returns `value` with at most `places` digits after the point and no trailing zeros. What
// is not finite is 0: no format has a spelling for it.
std::string decimal(double value, int places);

// hex_text returns 16 hexadecimal digits.
std::string hex_text(std::uint64_t value);

// duration_text returns a span for people: "0.3 ms", "12 ms", "1.2 s", "2 min 5 s".
std::string duration_text(double milliseconds);

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

// overall_verdict returns the verdict of a whole report: fail, else inconclusive, else pass. Where
// nothing ran it is inconclusive, where nothing applied skip: neither is a pass.
Verdict overall_verdict(const Summary& summary);

// applicable returns how many results there are but for those that were skipped.
std::int64_t applicable(const Summary& summary);

// headline_of returns the outcome as one sentence: "2 of 41 applicable checks fail".
std::string headline_of(const Report& report);

// summary_text returns the counts for people: "41 pass, 1 fail, 2 skip". pass and fail are always
// named, the others when there are any.
std::string summary_text(const Summary& summary);

}  // namespace plumbline::reports
