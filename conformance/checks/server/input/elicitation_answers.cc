// How servers take what users answer: spec, client/elicitation, Response Actions and Error
// Handling.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/answers.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kElicit = "elicitation/create";
constexpr const char* kNobodyAsked = "no call asks the user";
constexpr int kLeftOpen = 12;

Json action_of(const char* action) {
  Json result = Json::object();
  result["action"] = action;
  return result;
}

// A Judge says more of what a call comes to that was answered so.
using Judge = Finding (*)(const Reply& reply, const std::string& what);

// comes_to_an_end answers every elicitation of one call with `answer`.
Task<Finding> comes_to_an_end(Probe& probe, Json answer, std::string what, Judge judge = nullptr) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = all.asking(kElicit);
  if (calls.empty()) co_return not_for_it(kNobodyAsked);
  Client client = probe.client();
  const Answerer script = [answer](const Json& request) {
    const bool elicits = string_or(request, "method", "") == kElicit;
    return elicits ? answer : result_answer(granted(request));
  };
  const Reply reply = co_await call_by_script(client, *calls.front(), script);
  if (reply.answered()) co_return judge == nullptr ? passes() : judge(reply, what);
  co_return broken("got " + reply.describe() + " when the user " + what +
                   ", expected a result or an error");
}

// opens_a_page returns whether a call asks for a page to be opened: it may wait for that.
bool opens_a_page(const Reply& reply) {
  const Json* const asked = find(*reply.result(), "inputRequests");
  return asked != nullptr && std::ranges::any_of(*asked, [](const Json& request) {
           const Json* const params = find(request, "params");
           return params != nullptr && string_or(*params, "mode", "form") == "url";
         });
}

// no_is_an_answer warns where a call asks on and on, or fails by a code that says so of its answer:
// others may be meant for a user who has declined.
Finding no_is_an_answer(const Reply& reply, const std::string& what) {
  if (asks_for_input(reply) && !opens_a_page(reply)) {
    return about(risky("the user " + what + ", and was asked again each time: expected a result " +
                       "that says so, or something else to choose"),
                 reply);
  }
  if (reply.code() != -32602 && reply.code() != -32603) return passes();
  return about(risky("got " + reply.describe() + " when the user " + what +
                     ", expected a result that says so: that they did is no fault"),
               reply);
}

// What a user may answer, and what they did then.
constexpr std::pair<const char*, const char*> kActions[] = {
    {"accept", "accepted"}, {"decline", "declined"}, {"cancel", "cancelled"}};

Task<Finding> takes_every_action(Probe& probe) {
  for (const auto& [action, did] : kActions) {
    Json answer = action_of(action);
    const bool accepts = std::string_view(action) == "accept";
    if (accepts) answer["content"] = Json::object();
    const Json response = result_answer(std::move(answer));
    const Judge judge = accepts ? nullptr : no_is_an_answer;
    Finding finding = co_await comes_to_an_end(probe, response, did, judge);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  const Json failed = error_answer(-32603, "Internal error");
  co_return co_await comes_to_an_end(probe, failed, "could not be asked");
}

Task<Finding> takes_answers_without_content(Probe& probe) {
  for (const auto& [action, did] : kActions) {
    if (std::string_view(action) == "accept") continue;
    const Json response = result_answer(action_of(action));
    const std::string what = std::string(did) + " without content";
    Finding finding = co_await comes_to_an_end(probe, response, what);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  co_return passes();
}

constexpr int kFormsMax = 4;  // Each takes a call and its answer.

// bad_content makes content that the form of `request` refuses; null where everything would fit.
Json bad_content(const Json& request, Measured& measured) {
  const Json* const wanted = at_pointer(request, "/params/requestedSchema");
  if (wanted == nullptr) return nullptr;
  const Result<schema::Schema> schema = measured.compile(*wanted);
  if (!schema.ok()) return nullptr;
  const Json* const properties = find(*wanted, "properties");
  Json content = Json::object();
  if (properties != nullptr && properties->is_object()) {
    for (const auto& [name, property] : properties->items()) {
      const bool text = string_or(property, "type", "") == "string";
      content[name] = text ? Json(4711) : Json("plumbline");
    }
  }
  return measured.violation(schema.value(), content) ? content : Json();
}

Task<Finding> checks_what_is_filled_in(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  Client client = probe.client();
  Tally tally;
  int filled_in = 0;
  for (const Call* const call : all.asking(kElicit)) {
    bool bad = false;
    const Answerer script = [&](const Json& request) {
      const Json content = bad_content(request, probe.measured());
      if (string_or(request, "method", "") != kElicit || content.is_null()) {
        return result_answer(granted(request));
      }
      bad = true;
      Json answer = action_of("accept");
      answer["content"] = content;
      return result_answer(std::move(answer));
    };
    const Reply reply = co_await call_by_script(client, *call, script);
    client.session().forget_answers();
    if (!bad) continue;
    tally.saw();
    if (++filled_in > kFormsMax) break;
    if (!reply.answered()) {
      tally.wrong("got " + reply.describe() + " when a form was filled in with what it refuses",
                  reply);
    } else if (succeeded(reply)) {
      tally.wrong(call->method + " of \"" + string_or(call->params, "name", "") +
                      "\" succeeded, though its form was filled in with what it refuses",
                  reply);
    }
  }
  co_return tally.finding("no call asks for a form that could be filled in wrong");
}

Task<Finding> takes_no_answer_for_granted(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> calls = all.asking(kElicit);
  if (calls.empty()) co_return not_for_it(kNobodyAsked);
  Client client = probe.client();
  for (int i = 0; i < kLeftOpen; ++i) {
    const Reply reply = co_await client.request(calls.front()->method, calls.front()->params);
    if (asks_for_input(reply)) continue;
    co_return broken("got " + reply.describe() + " to call " + std::to_string(i + 1) +
                     " of those whose questions were left open, expected the question again");
  }
  const Reply reply = co_await client.call(calls.front()->method, calls.front()->params);
  if (reply.answered()) co_return passes();
  co_return broken("got " + reply.describe() + " after questions were left open");
}

Task<Finding> asks_for_secrets_by_url(Probe& probe) {
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kSecret);
  if (!use) co_return needs(Shows::kSecret);
  Client client = probe.client();
  Call call;
  call.method = "tools/call";
  call.params = use->params;
  std::vector<Json> asked;
  const Answerer script = [&asked](const Json& request) {
    if (string_or(request, "method", "") == kElicit) asked.push_back(request);
    return result_answer(action_of("decline"));
  };
  const Reply reply = co_await call_by_script(client, std::move(call), script);
  client.session().forget_answers();
  for (const Json& request : asked) {
    if (string_or(request["params"], "mode", "form") == "url") continue;
    co_return showing(
        broken("\"" + use->name +
               "\", which needs a secret of its user, asks for it by a form, expected a URL"),
        request);
  }
  const bool wants_url = reply.code() == -32042;
  co_return !asked.empty() || wants_url ? passes()
                                        : undecided("\"" + use->name + "\" asked for nothing");
}

Task<Finding> does_it_once(Probe& probe) {
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kOnce);
  if (!use) co_return needs(Shows::kOnce);
  Client client = probe.client();
  const Reply asked = co_await client.request("tools/call", use->params);
  if (!asks_for_input(asked)) co_return not_for_it("\"" + use->name + "\" asks for no input");
  const Json retry = retry_of(use->params, *asked.result());
  if (find(retry, "requestState") == nullptr) co_return not_for_it("it gives no requestState");
  const Reply first = co_await client.request("tools/call", retry);
  if (!succeeded(first)) co_return undecided("\"" + use->name + "\" got " + first.describe());
  const Reply second = co_await client.request("tools/call", retry);
  if (!succeeded(second)) co_return passes();
  co_return broken("\"" + use->name +
                   "\", whose effect may happen once, succeeded twice with one requestState");
}

// fits_question returns whether `answer` accepts the form that `request` shows, and is right.
bool fits_question(Probe& probe, const Json& request, const Json& answer) {
  if (string_or(request, "method", "") != kElicit) return true;
  const Json* const form = at_pointer(request, "/params/requestedSchema");
  const Json* const content = find(answer, "content");
  if (form == nullptr || content == nullptr || string_or(answer, "action", "") != "accept") {
    return false;
  }
  const Result<schema::Schema> schema = probe.measured().compile(*form);
  return schema.ok() && !probe.measured().violation(schema.value(), *content);
}

// asked_again returns the calls of an exercise that are like `call`, had answered what it was asked
// under `key`, and were asked the same again.
std::vector<const Call*> asked_again(Probe& probe, const Exercise& exercise, const Call& call,
                                     const std::string& key, const Json& request) {
  std::vector<const Call*> times;
  for (const Call& other : exercise.calls) {
    const Json* const answers = find(other.params, "inputResponses");
    const Json* const answer = answers == nullptr ? nullptr : find(*answers, key);
    const Json* const result = other.reply.result();
    const Json* const asked = result == nullptr ? nullptr : find(*result, "inputRequests");
    const Json* const again = asked == nullptr ? nullptr : find(*asked, key);
    const bool same = other.method == call.method &&
                      string_or(other.params, "name", "") == string_or(call.params, "name", "") &&
                      again != nullptr && *again == request;
    if (same && answer != nullptr && fits_question(probe, request, *answer))
      times.push_back(&other);
  }
  return times;
}

Task<Finding> takes_a_right_answer(Probe& probe) {
  constexpr std::size_t kAgainMax = 3;  // A question may be put twice; for ever is another matter.
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call& call : exercise.calls) {
    const Json* const result = call.reply.result();
    const Json* const asked = result == nullptr ? nullptr : find(*result, "inputRequests");
    if (!call.first || asked == nullptr || !asked->is_object()) continue;
    tally.saw();
    for (const auto& [key, request] : asked->items()) {
      const std::vector<const Call*> times = asked_again(probe, exercise, call, key, request);
      if (times.size() < kAgainMax) continue;
      tally.wrong("\"" + shortened(string_or(call.params, "name", "")) + "\" asked for \"" +
                      shortened(key) + "\" again after each of " + std::to_string(times.size()) +
                      " right answers: it does not read the content of the answer, or throws it "
                      "away",
                  times.back()->evidence);
      break;
    }
  }
  co_return tally.finding("no call asks for input");
}

constexpr ServerCheck kElicitationAnswersChecks[] = {
    {"mrtr.right-answer-taken", Eras::kStateless, SessionUse::kOpens, takes_a_right_answer},
    {"elicitation.sensitive-via-url", Eras::kBoth, SessionUse::kAlone, asks_for_secrets_by_url},
    {"mrtr.request-state-single-use", Eras::kStateless, SessionUse::kAlone, does_it_once},
    {"elicitation.server-handles-all-actions", Eras::kStateful, SessionUse::kAlone,
     takes_every_action},
    {"elicitation.decline-cancel-handled", Eras::kStateless, SessionUse::kAlone,
     takes_every_action},
    {"elicitation.content-omitted", Eras::kStateful, SessionUse::kAlone,
     takes_answers_without_content},
    {"elicitation.server-validates-response", Eras::kBoth, SessionUse::kAlone,
     checks_what_is_filled_in},
    {"elicitation.no-assumed-success", Eras::kStateless, SessionUse::kAlone,
     takes_no_answer_for_granted},
};

}  // namespace

ServerChecks elicitation_answers_checks() { return kElicitationAnswersChecks; }

}  // namespace plumbline::conformance
