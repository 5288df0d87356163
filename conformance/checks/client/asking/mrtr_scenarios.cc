// Requests that come back for input: spec 2026-07-28, basic/patterns/mrtr, and what it asks for.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "conformance/checks/client/asking/many_rounds.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kState = " {\"not\": \"yours\",  \"n\":1.0} \xC3\xA9 a%20b ";

constexpr const char* kStateOnly = "test_mrtr_state_only";

// Rounds asks for input in two tools, once with a state and once without, and in a third gives back
// a state alone: there is nothing to be asked, the call is to be made again with it. Last of all it
// has a tool that asks several times.
class Rounds final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("test_mrtr_echo_state"),
                        bare_tool("test_mrtr_no_state"),
                        bare_tool("test_mrtr_unrelated"),
                        bare_tool("test_mrtr_no_result_type"),
                        bare_tool(kStateOnly),
                        bare_tool(ManyRounds::kTool)};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call") return false;
    const std::string tool = asked.param("name");
    const Json* const params = find(asked.message, "params");
    const bool again = params && find(*params, "inputResponses") != nullptr;
    if (tool == "test_mrtr_echo_state" && !again) {
      peer.result(asked, input_required(confirm_request("confirm"), kState));
    } else if (tool == "test_mrtr_no_state" && !again) {
      peer.result(asked, input_required(confirm_request("confirm"), nullptr));
    } else if (tool == kStateOnly && !state_given_) {
      state_given_ = true;
      peer.result(asked, input_required(nullptr, kState));
    } else if (tool == ManyRounds::kTool) {
      many_rounds_.answer(peer, asked);
    } else if (tool == "test_mrtr_no_result_type") {
      Json response(Json::value_t::object);
      response["jsonrpc"] = "2.0";
      response["id"] = asked.id();
      response["result"] = text_result("done");
      peer.text(asked, dump_json(response), true);
    } else {
      peer.usual(asked);
    }
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Pair with = pair_of(record, "test_mrtr_echo_state");
    const Pair without = pair_of(record, "test_mrtr_no_state");
    verdicts.say("mrtr.request-state-echo", echo(record, with));
    verdicts.say("mrtr.request-state-echo", state_only(record, with));
    verdicts.say("mrtr.request-state-opaque", echo(record, with));
    verdicts.say("mrtr.request-state-not-invented", no_state(record, without));
    for (const Pair& pair : {with, without}) {
      verdicts.say("mrtr.retry-new-id", new_id(record, pair));
      verdicts.say("mrtr.inputs-built-before-retry", inputs(record, pair));
      verdicts.say("mrtr.retry-repeats-original-params", same_params(record, pair));
    }
    if (const Pair pair = pair_of(record, kStateOnly); pair.retry != nullptr) {
      verdicts.say("mrtr.retry-new-id", new_id(record, pair));
      verdicts.say("mrtr.retry-repeats-original-params", same_params(record, pair));
    }
    verdicts.say("mrtr.inputs-scoped-to-retry", scoped(record));
    ManyRounds::judge(record, pair_of(record, kStateOnly).retry != nullptr, verdicts);
  }

 private:
  struct Pair {
    const Heard* first = nullptr;
    const Heard* retry = nullptr;
  };

  static Pair pair_of(const Record& record, std::string_view tool) {
    Pair pair;
    for (const Heard* const call : record.requests("tools/call")) {
      if (call->param("name") != tool) continue;
      if (pair.first == nullptr) {
        pair.first = call;
      } else if (pair.retry == nullptr) {
        pair.retry = call;
      }
    }
    return pair;
  }

  static Finding no_retry(const Record& record) {
    const std::string what = "it did not come back with the input: " + record.how_it_ended();
    const bool declares = find(record.capabilities(), "elicitation") != nullptr;
    if (!declares || record.requests("tools/call").empty()) return not_for_it(what);
    return undecided("it declares elicitation, and was asked for a form, but " + what);
  }

  static Finding echo(const Record& record, const Pair& pair) {
    if (pair.retry == nullptr) return no_retry(record);
    const Json* const state = given(*pair.retry, "requestState");
    if (state != nullptr && *state == kState) return passes();
    return at(record, *pair.retry,
              broken("the retry has the requestState " + shown(state) + ", the server gave \"" +
                     kState + "\""));
  }

  // state_only holds a client that comes back with input to the state that comes without a request.
  static Finding state_only(const Record& record, const Pair& with) {
    const Pair pair = pair_of(record, kStateOnly);
    if (pair.first == nullptr) return not_for_it("it did not call " + std::string(kStateOnly));
    if (pair.retry != nullptr) return echo(record, pair);
    if (with.retry == nullptr) return no_retry(record);
    return at(
        record, *pair.first,
        broken("the answer to this call was input_required with a requestState alone, and the "
               "call was not made again with it"));
  }

  static Finding no_state(const Record& record, const Pair& pair) {
    if (pair.retry == nullptr) return no_retry(record);
    const Json* const state = given(*pair.retry, "requestState");
    if (state == nullptr) return passes();
    return at(record, *pair.retry,
              broken("the retry has the requestState " + shown(state) + ", the server gave none"));
  }

  static Finding new_id(const Record& record, const Pair& pair) {
    if (pair.retry == nullptr) return no_retry(record);
    if (*pair.retry->id() != *pair.first->id()) return passes();
    return at(record, *pair.retry, broken("the retry has the id of the first request"));
  }

  static Finding inputs(const Record& record, const Pair& pair) {
    if (pair.retry == nullptr) return no_retry(record);
    const Json* const responses = given(*pair.retry, "inputResponses");
    if (responses && responses->is_object() && responses->size() == 1 &&
        find(*responses, "confirm") != nullptr) {
      return passes();
    }
    return at(record, *pair.retry,
              broken("the retry has the inputResponses " + shown(responses) +
                     ", expected one for the key confirm"));
  }

  static Finding same_params(const Record& record, const Pair& pair) {
    if (pair.retry == nullptr) return no_retry(record);
    const Json* const before = given(*pair.first, "arguments");
    const Json* const now = given(*pair.retry, "arguments");
    const bool same = before == nullptr ? now == nullptr : now != nullptr && *before == *now;
    if (same) return passes();
    return at(record, *pair.retry,
              broken("the retry has the arguments " + shown(now) + ", the first request had " +
                     shown(before)));
  }

  static Finding scoped(const Record& record) {
    if (pair_of(record, "test_mrtr_echo_state").retry == nullptr) return no_retry(record);
    bool other_seen = false;
    for (const Heard* const request : record.requests()) {
      const std::string tool = request->param("name");
      const bool own = tool == "test_mrtr_echo_state" || tool == "test_mrtr_no_state" ||
                       tool == kStateOnly || tool == ManyRounds::kTool;
      if (own) continue;
      other_seen = true;
      if (given(*request, "requestState") || given(*request, "inputResponses")) {
        return at(record, *request,
                  broken(request->method() + " carries input that was asked for elsewhere"));
      }
    }
    return other_seen ? passes() : not_for_it("it asked for nothing else");
  }

  bool state_given_ = false;
  ManyRounds many_rounds_;
};

// OddTypes answers the list with a type of result that nobody knows, then without any.
class OddTypes final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {plain_tool("of_an_unknown_type")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    asked_ = true;
    Json result = usual_answer(peer.offer, peer.revision(), asked.message).result;
    result["resultType"] = "x-unknown";
    peer.result(asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = asked_ ? passes() : never_came(record, "asked for the tools");
    if (const Heard* const call = record.called("of_an_unknown_type")) {
      finding = at(record, *call,
                   broken("it used a list of tools whose resultType is \"x-unknown\", expected "
                          "that it is invalid"));
    }
    verdicts.say("base.result-type-unknown-invalid", std::move(finding));
  }

 private:
  bool asked_ = false;
};

class NoTypes final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {plain_tool("of_no_type")}; }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked.id();
    response["result"]["tools"] = Json::array();
    response["result"]["tools"].push_back(peer.offer.tools.front());
    peer.text(asked, dump_json(response), true);
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    // The schema asks this of results from servers of earlier revisions alone.
    verdicts.say("base.result-type-absent-is-complete",
                 at_most_risky(went_on(record, "of_no_type", "a result without resultType")));
  }
};

constexpr std::string_view kRoundsIds[] = {"mrtr.request-state-echo",
                                           "mrtr.request-state-opaque",
                                           "mrtr.request-state-not-invented",
                                           "mrtr.retry-new-id",
                                           "mrtr.inputs-built-before-retry",
                                           "mrtr.inputs-scoped-to-retry",
                                           "mrtr.retry-repeats-original-params",
                                           "mrtr.multiple-rounds"};
constexpr std::string_view kOddTypesIds[] = {"base.result-type-unknown-invalid"};
constexpr std::string_view kNoTypesIds[] = {"base.result-type-absent-is-complete"};

constexpr ClientScenario kMrtrScenarios[] = {
    {"sep-2322-client-request-state", "mrtr", Eras::kStateless, Over::kAny, "", kRoundsIds,
     make_script<Rounds>},
    {"tools_call", "unknown-result-type", Eras::kStateless, Over::kAny, "", kOddTypesIds,
     make_script<OddTypes>},
    {"tools_call", "no-result-type", Eras::kStateless, Over::kAny, "", kNoTypesIds,
     make_script<NoTypes>},
};

}  // namespace

ClientScenarios mrtr_scenarios() { return kMrtrScenarios; }

}  // namespace plumbline::conformance
