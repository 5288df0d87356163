#include "conformance/checks/server/input/scripted.h"

#include <utility>

#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {

Json result_answer(Json result) {
  Json response = Json::object();
  response["result"] = std::move(result);
  return response;
}

Json error_answer(std::int64_t code, const std::string& message) {
  Json response = Json::object();
  response["error"]["code"] = code;
  response["error"]["message"] = message;
  return response;
}

Task<Reply> call_by_script(Client& client, Call call, Answerer script, int rounds_max) {
  const bool stateless = is_stateless(client.session().revision());
  if (!stateless) {
    for (const char* const method :
         {"sampling/createMessage", "elicitation/create", "roots/list"}) {
      client.session().answer_with(method, script);
    }
  }
  Reply reply = co_await client.request(call.method, call.params);
  for (int round = 0; stateless && round < rounds_max && asks_for_input(reply); ++round) {
    Json params = call.params;
    params["inputResponses"] = Json::object();
    const Json* const asked = find(*reply.result(), "inputRequests");
    if (asked != nullptr && asked->is_object()) {
      for (const auto& [key, request] : asked->items()) {
        const Json answer = script(request);
        const Json* const result = find(answer, "result");
        if (result != nullptr) params["inputResponses"][key] = *result;
      }
    }
    const Json* const state = find(*reply.result(), "requestState");
    if (state != nullptr) params["requestState"] = *state;
    reply = co_await client.request(call.method, std::move(params));
  }
  co_return std::move(reply);
}

bool asks_for_input(const Reply& reply) {
  const Json* const result = reply.result();
  return result != nullptr && string_or(*result, "resultType", "") == "input_required";
}

bool succeeded(const Reply& reply) {
  const Json* const result = reply.result();
  return result != nullptr && !bool_or(*result, "isError", false) &&
         string_or(*result, "resultType", "complete") == "complete";
}

}  // namespace plumbline::conformance
