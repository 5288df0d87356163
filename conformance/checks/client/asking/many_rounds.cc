#include "conformance/checks/client/asking/many_rounds.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace plumbline::conformance {

namespace {

// AskedRound is one result that asks: under which key, and with which state; nullptr: without.
struct AskedRound {
  const char* key;
  const char* state;
};

constexpr AskedRound kAskedRounds[] = {
    {"confirm", "round-1"}, {nullptr, "round-2"}, {"again", nullptr}};

Finding right_state(const Record& record, std::size_t round, const Heard& retry) {
  const char* const last = kAskedRounds[round].state;
  const Json* const state = given(retry, "requestState");
  if (last == nullptr ? state == nullptr : state != nullptr && *state == last) return passes();
  const bool older = std::any_of(kAskedRounds, kAskedRounds + round, [&](const AskedRound& one) {
    return state != nullptr && one.state != nullptr && *state == one.state;
  });
  const std::string gave = last == nullptr ? "none" : "\"" + std::string(last) + "\"";
  return at(
      record, retry,
      broken("the retry has the requestState " + shown(state) + ", the result before it gave " +
             gave + (older ? ": it is that of a round before" : "")));
}

// right_inputs warns of answers too many: servers are to ignore them.
Finding right_inputs(const Record& record, std::size_t round, const Heard& retry) {
  const char* const key = kAskedRounds[round].key;
  const Json* const responses = given(retry, "inputResponses");
  const std::string has = "the retry has the inputResponses " + shown(responses) + ", ";
  const bool answers = responses != nullptr && responses->is_object();
  if (key != nullptr && (!answers || find(*responses, key) == nullptr)) {
    return at(record, retry, broken(has + "expected one for the key " + key));
  }
  const std::size_t wanted = key == nullptr ? 0 : 1;
  if (!answers || responses->size() == wanted) return passes();
  return at(record, retry,
            risky(has + "and the result before it asked for " +
                  (key == nullptr ? "nothing" : "\"" + std::string(key) + "\" alone") +
                  ": servers take what was answered in a round before for the answer to this one"));
}

Finding other_id(const Record& record, const Heard& before, const Heard& retry) {
  if (*retry.id() != *before.id()) return passes();
  return at(record, retry, broken("the retry has the id of the request before it"));
}

// comes_back_again warns of a client that comes back once, and not again.
Finding comes_back_again(const Record& record, const Heard& last) {
  const std::string what =
      "the answer to this retry asked for input once more, and the call was "
      "not made again: a server may ask in several rounds";
  return record.exit ? at(record, last, risky(what)) : undecided(what);
}

}  // namespace

Json input_required(Json requests, const char* state) {
  Json result(Json::value_t::object);
  result["resultType"] = "input_required";
  if (!requests.is_null()) result["inputRequests"] = std::move(requests);
  if (state != nullptr) result["requestState"] = state;
  return result;
}

Json confirm_request(const char* key) {
  Json requests(Json::value_t::object);
  requests[key]["method"] = "elicitation/create";
  requests[key]["params"] = json_of(R"json({"message": "Go on?", "requestedSchema":
      {"type": "object", "properties": {"confirmed": {"type": "boolean", "default": true}}}})json");
  return requests;
}

const Json* given(const Heard& message, std::string_view member) {
  return message.params() ? find(*message.params(), member) : nullptr;
}

void ManyRounds::answer(ScriptedPeer& peer, const Asked& asked) {
  const std::size_t round = calls_++;
  if (round >= std::size(kAskedRounds)) return peer.usual(asked);
  const AskedRound& one = kAskedRounds[round];
  peer.result(asked,
              input_required(one.key == nullptr ? Json() : confirm_request(one.key), one.state));
}

void ManyRounds::judge(const Record& record, bool takes_states, Verdicts& verdicts) {
  std::vector<const Heard*> calls = record.requests("tools/call");
  std::erase_if(calls, [](const Heard* one) { return one->param("name") != kTool; });
  const auto bare = [](const Heard* one) {
    return given(*one, "requestState") == nullptr && given(*one, "inputResponses") == nullptr;
  };
  // Who does not come back is judged by other tools.
  if (calls.size() < 2 || bare(calls[1])) return;
  const std::size_t retries = std::min(calls.size() - 1, std::size(kAskedRounds));
  for (std::size_t round = 0; round < retries; ++round) {
    const Heard& retry = *calls[round + 1];
    verdicts.say(kAskedRounds[round].state == nullptr ? "mrtr.request-state-not-invented"
                                                      : "mrtr.request-state-echo",
                 right_state(record, round, retry));
    verdicts.say("mrtr.inputs-built-before-retry", right_inputs(record, round, retry));
    verdicts.say("mrtr.retry-new-id", other_id(record, *calls[round], retry));
  }
  if (retries == std::size(kAskedRounds)) return verdicts.say("mrtr.multiple-rounds", passes());
  // Of a retry with an old id the answer may be lost.
  const bool answered = *calls.back()->id() != *calls[calls.size() - 2]->id();
  if (takes_states && answered) {
    verdicts.say("mrtr.multiple-rounds", comes_back_again(record, *calls.back()));
  }
}

}  // namespace plumbline::conformance
