// Tools whose results ask for input, and the state that goes with them. Their names and keys are
// those of the suite; before 2026-07-28 they ask by requests, and there is no state.
//
// Spec 2026-07-28, basic/patterns/mrtr.

#include <string>
#include <utility>
#include <vector>

#include "core/mcp/protocol/revision.h"
#include "reference/contents.h"
#include "reference/offer.h"
#include "reference/questions.h"

namespace plumbline::reference {

namespace {

using mcp::Ask;
using mcp::Failure;
using mcp::Reply;
using mcp::ServerCall;

Instant input_deadline(Loop& loop) { return after(loop.now(), limits::kRequestTimeout); }

Ask ask_form_for(std::string name, std::string message, std::string property, std::string type) {
  return {std::move(name), "elicitation/create",
          form(std::move(message), std::move(property), std::move(type))};
}

Ask ask_roots(std::string name) { return {std::move(name), "roots/list", Json::object()}; }

// begins returns whether the client has called without any answer, and can be given state.
bool begins(const ServerCall& call) {
  return mcp::is_stateless(call.client().revision) && !find(call.params, "inputResponses") &&
         !find(call.params, "requestState");
}

// input_required is the first round, with state of the tool's own.
Json input_required(std::vector<Ask> asks, std::string state) {
  Json result(Json::value_t::object);
  result["resultType"] = "input_required";
  for (Ask& ask : asks) {
    Json& request = result["inputRequests"][ask.name];
    request["method"] = std::move(ask.method);
    request["params"] = std::move(ask.params);
  }
  result["requestState"] = std::move(state);
  return result;
}

// ask_and_say answers with `lead` and what came back to one question.
Task<Reply<Json>> ask_and_say(ServerCall call, Loop& loop, Ask one, std::string lead) {
  std::string name = one.name;
  Reply<Json> answer = co_await ask_checked(call, std::move(name), std::move(one.method),
                                            std::move(one.params), input_deadline(loop));
  if (!answer.ok()) co_return std::move(answer);
  co_return text_result(lead + dump_json(answer.value()));
}

Task<Reply<Json>> greet_user(ServerCall call, Loop& loop, ArgumentCheck& check) {
  Json question = form("What is your name?", "name", "string");
  const Json asked = question;
  Reply<Json> answer = co_await call.ask("user_name", "elicitation/create", std::move(question),
                                         input_deadline(loop));
  if (!answer.ok()) co_return std::move(answer);
  if (const auto wrong = form_problem(check, asked, answer.value())) {
    co_return Failure(rpc::kInvalidParams, *wrong);
  }
  co_return text_result("Hello, " + filled_in(answer.value(), "name") + "!");
}

Task<Reply<Json>> ask_capital(ServerCall call, Loop& loop) {
  Json question = sampling("What is the capital of France?", 100);
  Reply<Json> answer = co_await ask_checked(call, "capital_question", "sampling/createMessage",
                                            std::move(question), input_deadline(loop));
  if (!answer.ok()) co_return std::move(answer);
  co_return text_result(said(answer.value()));
}

// confirm_by_state wants back the state that it has handed out.
Task<Reply<Json>> confirm_by_state(ServerCall call, Loop& loop) {
  const std::string state = "awaiting confirmation";
  std::vector<Ask> asks;
  asks.push_back(ask_form_for("confirm", "Please confirm", "ok", "boolean"));
  if (begins(call)) co_return input_required(std::move(asks), state);
  const bool stateless = mcp::is_stateless(call.client().revision);
  if (stateless && string_or(call.params, "requestState", "") != state) {
    co_return Failure(rpc::kInvalidParams, "requestState is missing");
  }
  Reply<Json> answers = co_await ask_checked(call, std::move(asks), input_deadline(loop));
  if (!answers.ok()) co_return std::move(answers);
  co_return text_result("state-ok, confirmed: " + filled_in(answers.value()["confirm"], "ok"));
}

Task<Reply<Json>> ask_three_things(ServerCall call, Loop& loop) {
  std::vector<Ask> asks;
  asks.push_back(ask_form_for("user_name", "What is your name?", "name", "string"));
  asks.push_back({"greeting", "sampling/createMessage", sampling("Generate a greeting", 50)});
  asks.push_back(ask_roots("client_roots"));
  if (begins(call)) co_return input_required(std::move(asks), "three questions");
  Reply<Json> answers = co_await ask_checked(call, std::move(asks), input_deadline(loop));
  if (!answers.ok()) co_return std::move(answers);
  const Json& all = answers.value();
  const Json* const roots = find(all["client_roots"], "roots");
  co_return text_result(said(all["greeting"]) + " " + filled_in(all["user_name"], "name") + ", " +
                        std::to_string(roots ? roots->size() : 0) + " roots");
}

Task<Reply<Json>> ask_in_rounds(ServerCall call, Loop& loop) {
  std::vector<Ask> first;
  first.push_back(ask_form_for("step1", "Step 1: What is your name?", "name", "string"));
  if (begins(call)) co_return input_required(std::move(first), "round 1");
  Reply<Json> name = co_await ask_checked(call, std::move(first), input_deadline(loop));
  if (!name.ok()) co_return std::move(name);
  std::vector<Ask> second;
  second.push_back(
      ask_form_for("step2", "Step 2: What is your favorite color?", "color", "string"));
  Reply<Json> color = co_await ask_checked(call, std::move(second), input_deadline(loop));
  if (!color.ok()) co_return std::move(color);
  co_return text_result(filled_in(name.value()["step1"], "name") + " likes " +
                        filled_in(color.value()["step2"], "color"));
}

// ask_what_is_declared asks only what this client can answer.
Task<Reply<Json>> ask_what_is_declared(ServerCall call, Loop& loop) {
  const Json declared = call.client().capabilities;
  std::vector<Ask> asks;
  if (find(declared, "sampling")) {
    asks.push_back({"greeting", "sampling/createMessage", sampling("Generate a greeting", 50)});
  }
  if (find(declared, "elicitation")) {
    asks.push_back(ask_form_for("user_name", "What is your name?", "name", "string"));
  }
  if (find(declared, "roots")) asks.push_back(ask_roots("client_roots"));
  if (asks.empty()) co_return text_result("The client can answer nothing");
  Reply<Json> answers = co_await ask_checked(call, std::move(asks), input_deadline(loop));
  if (!answers.ok()) co_return std::move(answers);
  co_return text_result("The client has answered " + std::to_string(answers.value().size()) +
                        " questions");
}

}  // namespace

void add_input_tools(Offer& offer) {
  Loop& loop = offer.loop();
  ArgumentCheck& check = offer.check();
  using Run = Task<Reply<Json>> (*)(ServerCall call, Loop & loop);
  const auto add = [&offer, &loop](const char* name, const char* what, Run run) {
    offer.tool(plain_tool(std::string("test_input_required_result_") + name, what),
               [&loop, run](ServerCall call) { return run(std::move(call), loop); });
  };
  offer.tool(plain_tool("test_input_required_result_elicitation", "Asks the user for a name"),
             [&loop, &check](ServerCall call) { return greet_user(std::move(call), loop, check); });
  add("sampling", "Asks the client's model", ask_capital);
  offer.tool(plain_tool("test_input_required_result_list_roots", "Asks for the roots"),
             [&loop](ServerCall call) {
               return ask_and_say(std::move(call), loop, ask_roots("client_roots"), "Roots: ");
             });
  add("request_state", "Asks with state", confirm_by_state);
  add("tampered_state", "Asks with state that cannot be forged", confirm_by_state);
  add("multiple_inputs", "Asks the user, the model and for roots", ask_three_things);
  add("multi_round", "Asks twice, one after the other", ask_in_rounds);
  add("capabilities", "Asks what the client can answer", ask_what_is_declared);
}

}  // namespace plumbline::reference
