// Whether the numbers that a tool answers agree with each other. No clause says so much.

#include <array>
#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/values/joined.h"
#include "conformance/checks/server/promises/values/numbers.h"

namespace plumbline::conformance {

namespace {

constexpr std::array kLooksAtNumbers = {bounds_apart,   sums_apart,  spans_apart,
                                        products_apart, ranks_apart, pairs_apart};

std::string numbers_apart_in(const Look& look) {
  for (const auto apart : kLooksAtNumbers) {
    if (std::string found = apart(look); !found.empty()) return found;
  }
  return {};
}

Look look_of(const Json& tool, const Call& call) {
  const Json* const given = find(call.params, "arguments");
  return {&tool, said_of_answers(tool),
          given != nullptr && given->is_object() ? *given : Json::object(), answer_in(call.reply)};
}

Task<Finding> gives_numbers_that_agree(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  look_at_answers(probe, exercise, "says that ", numbers_apart_in, tally);
  for (const Json& tool : probe.survey().tools.items) {
    const Contradicted found = formula_contradicted(tool, exercise);
    if (found.call == nullptr || !tally.clean()) continue;
    tally.wrong(tool_in(found.call->params) + ", called with " + given_in(found.call->params) +
                    ", says that " + found.what,
                found.call->evidence);
  }
  co_return tally.finding("no tool has answered");
}

constexpr ServerCheck kToolsNumbersChecks[] = {
    {"tools.numbers-agree", Eras::kBoth, SessionUse::kShared, gives_numbers_that_agree},
};

}  // namespace

void look_at_answers(Probe& probe, const Exercise& exercise, std::string_view says,
                     const std::function<std::string(const Look&)>& problem, Tally& tally) {
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const tool = probe.survey().tool(string_or(call->params, "name", ""));
    if (!has_gone_well(call->reply) || tool == nullptr) continue;
    tally.saw();
    const std::string found = problem(look_of(*tool, *call));
    if (found.empty()) continue;
    tally.wrong(tool_in(call->params) + ", called with " + given_in(call->params) + ", " +
                    std::string(says) + found,
                call->evidence);
  }
}

ServerChecks tools_numbers_checks() { return kToolsNumbersChecks; }

}  // namespace plumbline::conformance
