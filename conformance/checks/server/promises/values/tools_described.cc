// Whether values have the form that the tool's description says. No clause says so much.

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/values/forms.h"

namespace plumbline::conformance {

namespace {

Task<Finding> writes_as_described(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  look_at_answers(probe, exercise, "answers that ", form_problem, tally);
  co_return tally.finding("no tool has answered");
}

constexpr ServerCheck kToolsDescribedChecks[] = {
    {"tools.values-as-described", Eras::kBoth, SessionUse::kShared, writes_as_described},
};

}  // namespace

ServerChecks tools_described_checks() { return kToolsDescribedChecks; }

}  // namespace plumbline::conformance
