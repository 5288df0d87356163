// What a scenario file expects of a run, judged from outside: by what its servers heard, did and
// met, and by what the command printed. What does not show there is named, and never passes.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/format/scenario.h"
#include "scenarios/judge/any_agent.h"
#include "scenarios/judge/invariants.h"
#include "scenarios/judge/properties.h"

namespace plumbline::scenarios {

// NotJudged is one expectation that a run has neither kept nor broken, as far as can be seen.
struct NotJudged {
  std::string what;  // "expect.route", "property.one-mail-only".
  std::string why;   // What would have to show, and does not.
};

struct OutsideFindings {
  std::vector<RunFailure> broken;
  std::vector<NotJudged> open;
};

// add_properties adds to `found` what came of each of `properties`. `failures` is what a watch saw
// of them; `hidden` says why one that was not seen broken may be so all the same, empty: it holds.
void add_properties(std::span<const Property> properties, const std::vector<RunFailure>& failures,
                    const std::function<std::string(const Property&)>& hidden,
                    OutsideFindings& found);

// judge_from_outside holds `run` against every key of "expect" and every one of "invariants".
OutsideFindings judge_from_outside(const Scenario& scenario, const AnyAgentRun& run);

// expected_of returns the names of all that a file expects: "expect.route", "property.NAME".
std::vector<std::string> expected_of(const Scenario& scenario);

// not_judged_text names `open` in one line, empty for none.
std::string not_judged_text(const std::vector<NotJudged>& open);

// spoke_to_nobody returns whether a command has come to no server though there is one: then there
// is nothing to hold against it. One that ends at its start, or whose door of HTTP lets nobody in,
// has been met.
bool spoke_to_nobody(const Scenario& scenario, const AnyAgentRun& run);

}  // namespace plumbline::scenarios
