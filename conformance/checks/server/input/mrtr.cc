// Results that ask for input: spec 2026-07-28, basic/patterns/mrtr.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/input/states.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/answers.h"
#include "core/base/task_group.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNeverAsks = "nothing asks for input";
constexpr const char* kNoState = "nothing gives a requestState";
constexpr int kGivenUp = 12;
constexpr std::size_t kWaysThatSayMore = 2;  // Of those in tampered(), from here on.

std::string called(const Call& call) {
  const std::string name = string_or(call.params, "name", string_or(call.params, "uri", ""));
  return call.method + " of \"" + shortened(name) + "\"";
}

// asking_rounds returns every reply that asks for input.
std::vector<const Call*> asking_rounds(const Exercise& exercise) {
  std::vector<const Call*> found;
  for (const Call& call : exercise.calls) {
    if (asks_for_input(call.reply)) found.push_back(&call);
  }
  return found;
}

// openers returns the first rounds that ask for input, with `member` in the reply.
std::vector<const Call*> openers(const Exercise& exercise, std::string_view member) {
  std::vector<const Call*> found;
  for (const Call* const call : asking_rounds(exercise)) {
    if (call->first && find(*call->reply.result(), member) != nullptr) found.push_back(call);
  }
  return found;
}

Task<Finding> asks_inside_results(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  Tally tally;
  for (const ServerAsked& asked : all.asked) {
    tally.saw();
    if (!asked.own) continue;
    tally.wrong("the server sent the request " + asked.method() +
                    ", expected it inside an input_required result",
                asked.evidence);
  }
  co_return tally.finding(kNeverAsks);
}

Task<Finding> has_unique_keys(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : asking_rounds(all)) {
    tally.saw();
    if (!call->repeats_keys) continue;
    tally.wrong(called(*call) + " asks twice under one key", call->evidence);
  }
  co_return tally.finding(kNeverAsks);
}

std::string question_problem(const Json& request) {
  if (!request.is_object()) return "is " + std::string(type_name(request));
  const std::string method = string_or(request, "method", "");
  const Json* const params = find(request, "params");
  if (method == "roots/list") {
    return params == nullptr || params->is_object() ? "" : "has params that are no object";
  }
  if (method != "elicitation/create" && method != "sampling/createMessage") {
    return "has the method \"" + shortened(method) + "\"";
  }
  return params != nullptr && params->is_object() ? "" : "has no params";
}

Task<Finding> asks_what_is_known(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : asking_rounds(all)) {
    const Json* const asked = find(*call->reply.result(), "inputRequests");
    if (asked == nullptr) continue;
    tally.saw();
    if (!asked->is_object()) {
      tally.wrong(called(*call) + " has inputRequests that are no object", call->evidence);
      continue;
    }
    for (const auto& [key, request] : asked->items()) {
      const std::string wrong = question_problem(request);
      if (!wrong.empty()) {
        tally.wrong(called(*call) + " has an input request \"" + key + "\" that " + wrong,
                    call->evidence);
      }
    }
  }
  co_return tally.finding(kNeverAsks);
}

Task<Finding> asks_for_something(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : asking_rounds(all)) {
    tally.saw();
    const Json& result = *call->reply.result();
    const Json* const asked = find(result, "inputRequests");
    const Json* const state = find(result, "requestState");
    if (asked == nullptr && state == nullptr) {
      tally.wrong(called(*call) + " asks for input without inputRequests and requestState",
                  call->evidence);
    }
    if (state != nullptr && !state->is_string()) {
      tally.wrong(called(*call) + " has a requestState that is no string", call->evidence);
    }
  }
  co_return tally.finding(kNeverAsks);
}

std::string capability_of(std::string_view method) {
  if (method == "elicitation/create") return "elicitation";
  if (method == "sampling/createMessage") return "sampling";
  return "roots";
}

Task<Finding> asks_only_what_is_declared(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  if (asking_rounds(all).empty()) co_return not_for_it(kNeverAsks);
  Tally tally;
  tally.saw();
  for (const Declared declared : {Declared::kNothing, Declared::kUrlOnly}) {
    const Json capabilities = capabilities_of(declared, probe.revision());
    const Exercise& some = *co_await probe.exercise(declared);
    for (const ServerAsked& asked : some.asked) {
      const std::string needed = capability_of(asked.method());
      if (find(capabilities, needed) != nullptr) continue;
      tally.wrong(asked.method() + " was asked of a client that has not declared " + needed,
                  asked.evidence);
    }
  }
  co_return tally.finding(kNeverAsks);
}

// fresh_retry calls again from the start and returns the params of a right retry; null when the
// call no longer asks.
Task<Json> fresh_retry(Client& client, Call call) {
  const Reply reply = co_await client.request(call.method, call.params);
  if (!asks_for_input(reply)) co_return Json();
  Json params = retry_of(call.params, *reply.result());
  co_return std::move(params);
}

Task<Finding> distrusts_states(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "requestState");
  if (calls.empty()) co_return not_for_it(kNoState);
  Client client = probe.client();
  const std::vector<Json> states = {Json("plumbline"),
                                    Json("' OR 1=1 --"),
                                    Json("../../../etc/passwd"),
                                    Json(std::string(50'000, 'a')),
                                    Json(4711),
                                    Json::object(),
                                    Json("")};
  for (const Json& state : states) {
    Json params = co_await fresh_retry(client, *calls.front());
    if (params.is_null()) co_return undecided("the call no longer asks for input");
    params["requestState"] = state;
    const Reply reply = co_await client.request(calls.front()->method, std::move(params));
    const std::string shown = shortened(dump_json(state));
    if (!reply.answered() && reply.status < 400) {
      co_return broken("got " + reply.describe() + " to the requestState " + shown +
                       ", expected an error or another question");
    }
    if (mentions(dump_json(*reply.message), "root:x:0:0")) {
      co_return broken("the requestState " + shown + " opened a file of the system");
    }
  }
  const bool alive = co_await client.alive();
  co_return alive ? passes() : broken("it no longer answers after odd requestStates");
}

// takes_any_state returns whether a call succeeds with a state that no server has given.
Task<bool> takes_any_state(Client& client, Call call) {
  Json params = co_await fresh_retry(client, call);
  if (params.is_null()) co_return true;
  params["requestState"] = "plumbline";
  const Reply reply = co_await client.request(call.method, std::move(params));
  co_return succeeded(reply);
}

// ForgedTries is what one call did with states that no server has given.
struct ForgedTries {
  int seen = 0;
  std::vector<std::pair<std::string, Reply>> wrong;
  Finding harmless;  // That one was taken; passes: none was.
};

Task<void> try_forged_states(Client client, Call call, bool proof, ForgedTries& forged) {
  for (std::size_t way = 0; way < 4; ++way) {
    Json params = co_await fresh_retry(client, call);
    const auto state = find_string(params, "requestState");
    if (!state || way >= tampered(*state).size()) continue;
    params["requestState"] = tampered(*state)[way];
    const Reply reply = co_await client.request(call.method, std::move(params));
    ++forged.seen;
    if (!succeeded(reply)) continue;
    const std::string what = called(call) + " succeeded with a requestState that was changed";
    // Where a changed state can do no harm it need not be protected. Where any other one is
    // refused, what it says matters; a byte more at its end may say nothing.
    const bool says_more = way >= kWaysThatSayMore;
    const bool matters = proof || (says_more && !co_await takes_any_state(client, call));
    if (matters) forged.wrong.emplace_back(what, reply);
    forged.harmless = about(risky(what + ": harmless only if nothing depends on it"), reply);
  }
}

Task<Finding> refuses_forged_states(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "requestState");
  std::vector<ForgedTries> each(calls.size());
  TaskGroup tries;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string name = string_or(calls[i]->params, "name", "");
    const bool proof = probe.surely_shows(name, Shows::kGuardedState);
    tries.spawn(try_forged_states(probe.client(), *calls[i], proof, each[i]));
  }
  co_await tries.join(probe.loop());
  Tally tally;
  Finding harmless;
  for (const ForgedTries& forged : each) {
    for (int i = 0; i < forged.seen; ++i) tally.saw();
    for (const auto& [what, reply] : forged.wrong) tally.wrong(what, reply);
    if (forged.harmless.verdict != Verdict::kPass) harmless = forged.harmless;
  }
  if (tally.clean() && harmless.verdict != Verdict::kPass) co_return std::move(harmless);
  co_return tally.finding(kNoState);
}

Task<Finding> binds_states_to_requests(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "requestState");
  Client client = probe.client();
  Finding bound = co_await binds_states_to_arguments(client, calls);
  if (calls.size() < 2 || bound.verdict == Verdict::kFail) co_return std::move(bound);
  const Json first = co_await fresh_retry(client, *calls[0]);
  Json second = co_await fresh_retry(client, *calls[1]);
  const auto state = find_string(first, "requestState");
  if (!state || second.is_null()) co_return undecided("a call no longer asks for input");
  second["requestState"] = *state;
  const Reply reply = co_await client.request(calls[1]->method, std::move(second));
  if (!succeeded(reply)) co_return passes();
  co_return broken(called(*calls[1]) + " succeeded with the requestState of " + called(*calls[0]));
}

Task<Finding> counts_on_nobody(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "resultType");
  if (calls.empty()) co_return not_for_it(kNeverAsks);
  Client client = probe.client();
  const Call& call = *calls.front();
  for (int i = 0; i < kGivenUp; ++i) {
    const Reply reply = co_await client.request(call.method, call.params);
    if (asks_for_input(reply)) continue;
    co_return broken("got " + reply.describe() + " to call " + std::to_string(i + 1) +
                     " of those that are never made again, expected the question again");
  }
  const Reply reply = co_await client.call(call.method, call.params);
  const bool alive = co_await client.alive();
  if (alive && reply.answered()) co_return passes();
  co_return broken("got " + reply.describe() + " after calls that were never made again");
}

// with_bad_responses returns `params` with each kind of wrong inputResponses.
std::vector<Json> with_bad_responses(const Json& params) {
  std::vector<Json> all(4, params);
  all[0]["inputResponses"] = Json::array();
  all[1]["inputResponses"] = "plumbline";
  for (auto& [key, response] : all[2]["inputResponses"].items()) {
    response = Json::object();
    response["action"] = "maybe";
  }
  for (auto& [key, response] : all[3]["inputResponses"].items()) response = 4711;
  return all;
}

Task<Finding> checks_responses(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "inputRequests");
  if (calls.empty()) co_return not_for_it(kNeverAsks);
  Client client = probe.client();
  for (std::size_t way = 0; way < 4; ++way) {
    const Json right = co_await fresh_retry(client, *calls.front());
    if (right.is_null()) co_return undecided("the call no longer asks for input");
    Json params = with_bad_responses(right)[way];
    const std::string shown = shortened(dump_json(params["inputResponses"]));
    const Reply reply = co_await client.request(calls.front()->method, std::move(params));
    if (!reply.answered() && reply.status < 400) {
      co_return broken("got " + reply.describe() + " to the inputResponses " + shown);
    }
    if (succeeded(reply)) {
      co_return broken(called(*calls.front()) + " succeeded with the inputResponses " + shown +
                       ", expected an error or the question again");
    }
  }
  co_return passes();
}

Task<Finding> refuses_malformed_responses(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "inputRequests");
  if (calls.empty()) co_return not_for_it(kNeverAsks);
  Client client = probe.client();
  Json params = co_await fresh_retry(client, *calls.front());
  if (params.is_null()) co_return undecided("the call no longer asks for input");
  params["inputResponses"] = "plumbline";
  const Reply reply = co_await client.request(calls.front()->method, std::move(params));
  Finding finding = expect_error(reply, {});
  if (finding.verdict != Verdict::kPass) {
    finding.message = "a retry whose inputResponses are a string " + finding.message;
  }
  co_return std::move(finding);
}

Task<Finding> ignores_unknown_responses(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "inputRequests");
  if (calls.empty()) co_return not_for_it(kNeverAsks);
  Client client = probe.client();
  const Json right = co_await fresh_retry(client, *calls.front());
  Json more = co_await fresh_retry(client, *calls.front());
  if (right.is_null() || more.is_null()) co_return undecided("the call no longer asks for input");
  more["inputResponses"]["plumbline_unasked"] = Json::object();
  const Reply usual = co_await client.request(calls.front()->method, right);
  const Reply reply = co_await client.request(calls.front()->method, std::move(more));
  if (usual.result() == nullptr) co_return not_for_it("the call does not succeed by itself");
  if (reply.result() != nullptr) co_return passes();
  co_return broken("got " + reply.describe() + " when there was one answer too many, expected it " +
                   "to be ignored");
}

Task<Finding> asks_again_for_what_is_missing(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = openers(all, "inputRequests");
  if (calls.empty()) co_return not_for_it(kNeverAsks);
  Client client = probe.client();
  Json params = co_await fresh_retry(client, *calls.front());
  if (params.is_null()) co_return undecided("the call no longer asks for input");
  params["inputResponses"] = Json::object();
  const Reply reply = co_await client.request(calls.front()->method, std::move(params));
  if (asks_for_input(reply)) co_return passes();
  co_return broken("got " + reply.describe() +
                   " to a retry without an answer, expected the question again");
}

constexpr ServerCheck kMrtrChecks[] = {
    {"mrtr.input-via-input-required-result", Eras::kStateless, SessionUse::kOpens,
     asks_inside_results},
    {"mrtr.input-request-keys-unique", Eras::kStateless, SessionUse::kOpens, has_unique_keys},
    {"mrtr.input-request-types", Eras::kStateless, SessionUse::kOpens, asks_what_is_known},
    {"mrtr.input-required-has-content", Eras::kStateless, SessionUse::kOpens, asks_for_something},
    {"mrtr.no-undeclared-input-requests", Eras::kStateless, SessionUse::kOpens,
     asks_only_what_is_declared},
    {"mrtr.request-state-untrusted", Eras::kStateless, SessionUse::kAlone, distrusts_states},
    {"mrtr.request-state-invalid-rejected", Eras::kStateless, SessionUse::kAlone,
     refuses_forged_states},
    {"mrtr.request-state-bound-to-request", Eras::kStateless, SessionUse::kAlone,
     binds_states_to_requests},
    {"mrtr.no-fulfilment-assumed", Eras::kStateless, SessionUse::kAlone, counts_on_nobody},
    {"mrtr.input-responses-validated", Eras::kStateless, SessionUse::kAlone, checks_responses},
    {"mrtr.protocol-errors-as-jsonrpc", Eras::kStateless, SessionUse::kAlone,
     refuses_malformed_responses},
    {"mrtr.unknown-input-responses-ignored", Eras::kStateless, SessionUse::kAlone,
     ignores_unknown_responses},
    {"mrtr.missing-inputs-rerequested", Eras::kStateless, SessionUse::kAlone,
     asks_again_for_what_is_missing},
};

}  // namespace

ServerChecks mrtr_checks() { return kMrtrChecks; }

}  // namespace plumbline::conformance
