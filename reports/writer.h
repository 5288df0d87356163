// The writers turn a finished Report into the bytes of one format. They are pure: no clock, no
// file, no terminal. Equal reports give equal bytes, which golden/ holds them to.
//
// Whatever a peer put into a message is data here: every writer returns valid UTF-8 without
// control characters other than the newline, escaped as its format wants it.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/events/report.h"

namespace plumbline::reports {

struct ConsoleOptions {
  bool color = false;            // ANSI colours.
  bool quiet = false;            // No table: only what needs a look, and the summary.
  bool verbose = false;          // Of checks: what passed or was skipped as well, and the wire log.
  bool outcome = false;          // Of scenarios: what came of each.
  std::size_t columns = 100;     // Of the terminal; fewer than 60 count as 60.
  std::size_t evidence_max = 8;  // Lines of wire log a result, the last ones.
};

// write_console returns what a person reads: a table grouped by area, then every result that is
// neither pass, skip nor xfail with its message and the command that reproduces it, then one line
// of summary. Of checks, failures come first, each with what was sent, what came back, what was
// expected, why that matters and whose it is, then warnings, then a line an area; one failure of
// several variants is told once, and so are the warnings that every server on an SDK gets. Longer
// than `columns` are only the first line, the summary, a word such as a URL, and the reproducing
// command, which is there to be copied.
std::string write_console(const Report& report, const ConsoleOptions& options);

// write_json returns the document of `--report json`: its keys in the order of the manual, one
// result a line.
std::string write_json(const Report& report);

// write_junit returns JUnit XML as Jenkins, GitLab and GitHub's reporters read it: one testsuite an
// area. fail is a failure, inconclusive an error, skip and xfail are skipped, warn passes and says
// why in system-out.
std::string write_junit(const Report& report);

// write_markdown returns GitHub-flavoured Markdown: summary, table, details.
std::string write_markdown(const Report& report);

// write_sarif returns SARIF 2.1.0 as GitHub code scanning takes it: a rule for every id, an alert
// for every fail, warn and inconclusive, and a suppressed one for every xfail. What passed is left
// out: code scanning would make an alert of it.
std::string write_sarif(const Report& report);

// write_tap returns TAP version 14, with a YAML block below whatever is neither pass nor skip. warn
// is ok, xfail a failure that does not count.
std::string write_tap(const Report& report);

// write_github returns what a step of GitHub Actions prints to be seen: everything in a group that
// folds, then an annotation for each fail, inconclusive, warn and xfail, the worst first.
std::string write_github(const Report& report);

// write_badge returns the JSON that a shields.io endpoint badge reads.
std::string write_badge(const Report& report);

// write_prompt returns a prompt for a coding agent, for each failure that is the author's to mend,
// or else for each warning: what is broken, why, what was sent and got, and how to check that it is
// mended. What the subject said stands in indented lines alone.
std::string write_prompt(const Report& report);

// write_attestation returns what a vendor can publish with a release: an in-toto Statement of what
// was judged, by which program and rules, with what result. It has no times, so that judging the
// same again gives the same bytes.
//
// Source: in-toto attestation framework, Statement v1.
std::string write_attestation(const Report& report);

// write_html returns one page that needs nothing but itself: summary, filters, and for each result
// what it rests on. Its script is in html/; the report is in it as JSON, and is only ever shown as
// text. A policy in the page lets no other script run.
std::string write_html(const Report& report);

// write_compared_html returns that page of `after`, with what differs from `before` in front, and
// each result of `before` that is gone.
std::string write_compared_html(const Report& before, const Report& after);

// Format is one value of FORMAT in `--report FORMAT=PATH`.
struct Format {
  std::string_view name;
  std::string (*write)(const Report& report);
};

// formats returns every Format, in the order of the manual.
std::span<const Format> formats();

// find_format returns the Format called `name`, nullptr when there is none.
const Format* find_format(std::string_view name);

}  // namespace plumbline::reports
