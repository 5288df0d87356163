// Whether values have the form that the tool's description says. No clause says so much.

#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/values/forms.h"

namespace plumbline::conformance {

namespace {

Task<Finding> writes_as_described(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const tool = probe.survey().tool(string_or(call->params, "name", ""));
    if (!has_gone_well(call->reply) || tool == nullptr) continue;
    tally.saw();
    const std::string found = form_problem(look_of(*tool, *call));
    if (found.empty()) continue;
    tally.wrong(tool_in(call->params) + ", called with " + given_in(call->params) +
                    ", answers that " + found,
                call->evidence);
  }
  co_return tally.finding("no tool has answered");
}

constexpr ServerCheck kToolsDescribedChecks[] = {
    {"tools.values-as-described", Eras::kBoth, SessionUse::kShared, writes_as_described},
};

}  // namespace

ServerChecks tools_described_checks() { return kToolsDescribedChecks; }

}  // namespace plumbline::conformance
