#include "conformance/peer/answers.h"

#include <utility>

#include "core/schema/sample_value.h"

namespace plumbline::conformance {

namespace {

Json sampled() {
  Json result(Json::value_t::object);
  result["role"] = "assistant";
  result["model"] = "plumbline";
  result["stopReason"] = "endTurn";
  result["content"]["type"] = "text";
  result["content"]["text"] = "sampled";
  return result;
}

Json elicited(const Json& request) {
  Json result(Json::value_t::object);
  result["action"] = "accept";
  const Json* const params = find(request, "params");
  const Json* const schema = params == nullptr ? nullptr : find(*params, "requestedSchema");
  if (schema != nullptr) result["content"] = schema::accepted_defaults(*schema);
  return result;
}

Json whole(Json result) {
  Json response(Json::value_t::object);
  response["result"] = std::move(result);
  return response;
}

}  // namespace

Json granted(const Json& request) {
  const std::string method = string_or(request, "method", "");
  if (method == "sampling/createMessage") return sampled();
  if (method == "elicitation/create") return elicited(request);
  Json result(Json::value_t::object);
  if (method == "roots/list") result["roots"] = Json::array();
  return result;
}

std::map<std::string, Answerer, std::less<>> usual_answers() {
  std::map<std::string, Answerer, std::less<>> answers;
  for (const char* const method :
       {"ping", "roots/list", "sampling/createMessage", "elicitation/create"}) {
    answers[method] = [](const Json& request) { return whole(granted(request)); };
  }
  return answers;
}

Json method_not_found() {
  Json response(Json::value_t::object);
  response["error"]["code"] = -32601;
  response["error"]["message"] = "Method not found";
  return response;
}

Json retry_of(Json params, const Json& result) {
  params.erase("inputResponses");
  params.erase("requestState");
  Json& answers = params["inputResponses"] = Json::object();
  if (const Json* const asked = find(result, "inputRequests"); asked && asked->is_object()) {
    for (const auto& [name, request] : asked->items()) answers[name] = granted(request);
  }
  if (const Json* const state = find(result, "requestState")) params["requestState"] = *state;
  return params;
}

}  // namespace plumbline::conformance
