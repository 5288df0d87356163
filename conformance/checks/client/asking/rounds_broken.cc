// Clients that mix up the rounds of a call that asks for input several times.

#include <string>
#include <utility>

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kManyRounds = "test_mrtr_many_rounds";
constexpr const char* kStatelessRounds = "2026-07-28";

// keeps_of_rounds sends a member of the params once more where the next retry has none.
void keeps_of_rounds(Interceptor& interceptor, Json message, const char* member) {
  if (tool_named_in(message) != kManyRounds) return interceptor.pass(message);
  Json& params = message["params"];
  if (params.contains(member)) {
    interceptor.memory = params[member];
  } else if (!interceptor.memory.is_null()) {
    params[member] = interceptor.memory;
  }
  interceptor.pass(message);
}

void keeps_the_state(Interceptor& interceptor, Json message) {
  keeps_of_rounds(interceptor, std::move(message), "requestState");
}

void keeps_the_answers(Interceptor& interceptor, Json message) {
  keeps_of_rounds(interceptor, std::move(message), "inputResponses");
}

// gathers_answers sends all that it has ever answered.
void gathers_answers(Interceptor& interceptor, Json message) {
  const Json* const now = at_pointer(message, "/params/inputResponses");
  if (tool_named_in(message) != kManyRounds || now == nullptr) return interceptor.pass(message);
  if (interceptor.memory.is_null()) interceptor.memory = Json::object();
  interceptor.memory.update(*now);
  message["params"]["inputResponses"] = interceptor.memory;
  interceptor.pass(message);
}

// keeps_the_first_state sends the state of the first round in each that has one.
void keeps_the_first_state(Interceptor& interceptor, Json message) {
  const Json* const now = at_pointer(message, "/params/requestState");
  if (tool_named_in(message) != kManyRounds || now == nullptr) return interceptor.pass(message);
  if (interceptor.memory.is_null()) interceptor.memory = *now;
  message["params"]["requestState"] = interceptor.memory;
  interceptor.pass(message);
}

// asks_its_user_once takes a second question for an error.
void asks_its_user_once(Interceptor& interceptor, Json message) {
  if (at_pointer(message, "/result/inputRequests/again") != nullptr) {
    message.erase("result");
    message["error"] = error_object(-32603);
  }
  interceptor.say(message);
}

const ClientDeviation kRoundsDeviations[] = {
    {.id = "mrtr.request-state-not-invented",
     .revision = kStatelessRounds,
     .what = "sends the state of the round before once more",
     .from_client = keeps_the_state},
    {.id = "mrtr.request-state-echo",
     .revision = kStatelessRounds,
     .what = "sends the state of the first round in each",
     .from_client = keeps_the_first_state},
    {.id = "mrtr.inputs-built-before-retry",
     .revision = kStatelessRounds,
     .what = "sends the answers of the round before once more",
     .from_client = keeps_the_answers},
    {.id = "mrtr.inputs-built-before-retry",
     .revision = kStatelessRounds,
     .what = "sends the answers of all rounds",
     .from_client = gathers_answers},
    {.id = "mrtr.multiple-rounds",
     .revision = kStatelessRounds,
     .what = "comes back in two rounds, and in no third",
     .from_server = asks_its_user_once},
};

}  // namespace

ClientDeviations client_rounds_deviations() { return kRoundsDeviations; }

}  // namespace plumbline::conformance
