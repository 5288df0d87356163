// Whether tools refuse what their own inputSchema rules out: spec, server/tools, Security
// Considerations.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/outcomes.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/bad_calls.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/words/beyond_bounds.h"

namespace plumbline::conformance {

namespace {

// judge_silence_to tells a tool that never answers bad arguments from a server that has fallen
// silent: twice it does not, and good arguments are answered before and behind.
Task<Finding> judge_silence_to(Probe& probe, Reply silence, Json bad, std::string why) {
  const std::string name = string_or(bad, "name", "");
  const Json* const tool = probe.survey().tool(name);
  Finding nothing = undecided("got " + silence.describe());
  const Exercise& exercise = *co_await probe.exercise();
  const bool asks = std::ranges::any_of(exercise.asking(), [&](const Call* call) {
    return string_or(call->params, "name", "") == name;
  });
  if (silence.how != Reply::How::kSilent || tool == nullptr || asks) co_return std::move(nothing);
  Client client = co_await probe.open(probe.usual());
  const Reply good = co_await client.request("tools/call", probe.call_params(*tool));
  const Reply again = co_await client.request("tools/call", bad);
  const Reply behind = co_await client.request("tools/call", probe.call_params(*tool));
  const bool swift = good.answered() && behind.answered() && good.took < again.took / 4;
  if (again.how != Reply::How::kSilent || !swift) co_return std::move(nothing);
  co_return about(broken("the tool \"" + name + "\" was called " + why +
                         ", twice, and never answered, though it answers good arguments; "
                         "expected an error"),
                  again);
}

Task<Finding> validates_arguments(Probe& probe) {
  Client client = probe.client();
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  Finding tolerated;
  std::string elsewhere = kNoneToRefuse;
  std::vector<BadCall> bad = co_await calls_to_refuse(probe);
  for (BadCall& call : bad) {
    const std::string name = string_or(call.params, "name", "");
    const Json bad_params = std::move(call.params);
    const Reply reply = co_await client.request("tools/call", bad_params);
    if (reply.how == Reply::How::kClosed) {
      co_return broken("it ended when the tool \"" + name + "\" was called " + call.why);
    }
    if (!reply.answered() && reply.status == 0) {
      co_return co_await judge_silence_to(probe, reply, bad_params, call.why);
    }
    if (std::string reason = other_reason(reply, name, exercise.calls); !reason.empty()) {
      elsewhere = about_something_else(name, reason);
      continue;
    }
    tally.saw();
    if (!has_gone_well(reply)) continue;
    const std::string what = "the tool \"" + name + "\" was called " + call.why +
                             ", and answered as if nothing were wrong; expected an error";
    if (call.only_extra) {
      tolerated = about(risky(what), reply);
      tolerated.reason = outcome::kResult;
    } else {
      tally.wrong(what, reply);
    }
  }
  if (tally.clean()) {
    Finding beyond = co_await refuses_beyond_bounds(probe, client);
    if (beyond.verdict == Verdict::kFail) co_return std::move(beyond);
  }
  if (tally.clean() && tolerated.verdict != Verdict::kPass) co_return std::move(tolerated);
  co_return tally.finding(elsewhere);
}

constexpr ServerCheck kInputsValidatedChecks[] = {
    {"tools.inputs-validated", Eras::kBoth, SessionUse::kAlone, validates_arguments},
};

}  // namespace

ServerChecks inputs_validated_checks() { return kInputsValidatedChecks; }

}  // namespace plumbline::conformance
