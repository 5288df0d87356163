// Whether a tool that asks its user to confirm goes on when they decline or cancel: spec,
// client/elicitation, Response Actions.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/answers.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kAsksItsUser = "elicitation/create";
constexpr const char* kNothingToDecline = "no call is known that asks its user to confirm";
constexpr std::size_t kDeclinedMax = 6;     // Calls in which the user says no.
constexpr std::size_t kProofsOfMax = 2;     // That went on all the same.
constexpr std::size_t kReadingsAround = 8;  // Before and after each.
constexpr std::array<std::string_view, 7> kConfirming = {
    "confirm", "are you sure", "really", "proceed", "approve", "go ahead", "cannot be undone"};

bool speaks_of_confirming(const std::string& text) {
  const std::string lower = lower_case(text);
  return std::ranges::any_of(kConfirming,
                             [&](std::string_view word) { return mentions(lower, word); });
}

// confirms returns whether an elicitation asks whether to go on at all, and not for details.
bool confirms(const Json& request) {
  const Json* const fields = at_pointer(request, "/params/requestedSchema/properties");
  if (fields == nullptr || !fields->is_object() || fields->size() != 1) return false;
  const bool box = string_or(*fields->begin(), "type", "") == "boolean";
  const std::string message = string_or(*find(request, "params"), "message", "");
  return box && speaks_of_confirming(message + dump_json(*fields));
}

// to_be_declined returns calls of tools that may ask for a confirmation: with what was learned, as
// what was called before with everything granted is done.
std::vector<Call> to_be_declined(Probe& probe, const Exercise& exercise) {
  LearnedValues values;
  values.learn(probe.survey(), exercise);
  const std::vector<const Call*> asking = exercise.asking(kAsksItsUser);
  std::vector<Call> calls;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const auto is_of_it = [&](const Call* call) {
      return string_or(call->params, "name", "") == name;
    };
    const bool asks = std::ranges::any_of(asking, is_of_it) ||
                      speaks_of_confirming(string_or(tool, "description", ""));
    if (!asks || !probe.may_call(tool) || probe.disturbs(name)) continue;
    Call call;
    call.method = "tools/call";
    call.params = probe.call_params(tool);
    for (Json& arguments : learned_arguments(values, tool, call.params["arguments"])) {
      if (calls.size() == kDeclinedMax) return calls;
      call.params["arguments"] = std::move(arguments);
      calls.push_back(call);
    }
  }
  return calls;
}

// Declined is a call whose user said no, and what else has shown before and after it.
struct Declined {
  bool asked = false;
  FirstDifference difference;  // Of something that stood still before and after.
  Reply reply;
};

Task<Declined> call_and_decline(Client client, std::vector<Json> readings, Call call,
                                std::string action) {
  Declined declined;
  const std::vector<Json> earlier = co_await answers_to(client, readings);
  const std::vector<Json> before = co_await answers_to(client, readings);
  const Answerer script = [&declined, &action](const Json& request) {
    const bool sure = string_or(request, "method", "") == kAsksItsUser && confirms(request);
    declined.asked = declined.asked || sure;
    return result_answer(sure ? Json({{"action", action}}) : granted(request));
  };
  declined.reply = co_await call_by_script(client, call, script);
  client.session().forget_answers();
  if (!declined.asked) co_return declined;
  const std::vector<Json> after_it = co_await answers_to(client, readings);
  const std::vector<Json> later = co_await answers_to(client, readings);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const bool still = before[i] == earlier[i] && after_it[i] == later[i];
    if (!still || before[i].is_null() || after_it[i].is_null()) continue;
    const FirstDifference difference = first_difference_of(before[i], after_it[i]);
    if (difference.any && !tells_of_time(difference)) declined.difference = difference;
  }
  co_return declined;
}

// takes_no_for_an_answer says no to those who ask whether to go on: a change alone may be another's
// doing, so it takes two.
Task<Finding> takes_no_for_an_answer(Probe& probe) {
  if (!probe.over_stdio()) co_return not_for_it("others may change the same over HTTP");
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Call> calls = to_be_declined(probe, exercise);
  std::vector<Json> readings = reading_calls(probe, exercise, kReadingsAround);
  std::erase_if(readings,
                [](const Json& params) { return keeps_a_record(string_or(params, "name", "")); });
  if (calls.empty() || readings.empty()) co_return not_for_it(kNothingToDecline);
  Client client = probe.client();
  bool asked = false;
  std::size_t proofs = 0;
  for (const Call& call : calls) {
    const std::string action = proofs == 0 ? "decline" : "cancel";
    const Declined declined = co_await call_and_decline(client, readings, call, action);
    asked = asked || declined.asked;
    if (!declined.difference.any || ++proofs < kProofsOfMax) continue;
    co_return about(risky(tool_in(call.params) +
                          " asks its user to confirm, and goes on when they decline or cancel: " +
                          shown(declined.difference) + "; expected it to change nothing"),
                    declined.reply);
  }
  co_return asked ? passes() : not_for_it(kNothingToDecline);
}

constexpr ServerCheck kToolsConfirmedChecks[] = {
    {"elicitation.declined-changes-nothing", Eras::kBoth, SessionUse::kAlone,
     takes_no_for_an_answer},
};

}  // namespace

ServerChecks tools_confirmed_checks() { return kToolsConfirmedChecks; }

}  // namespace plumbline::conformance
