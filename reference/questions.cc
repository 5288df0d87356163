#include "reference/questions.h"

#include <utility>

namespace plumbline::reference {

Json form(std::string message, std::string property, std::string type) {
  Json params(Json::value_t::object);
  params["message"] = std::move(message);
  Json& schema = params["requestedSchema"];
  schema["type"] = "object";
  schema["properties"][property]["type"] = std::move(type);
  schema["required"] = Json::array();
  schema["required"].push_back(std::move(property));
  return params;
}

Json sampling(std::string prompt, int tokens_max) {
  Json content(Json::value_t::object);
  content["type"] = "text";
  content["text"] = std::move(prompt);
  Json message(Json::value_t::object);
  message["role"] = "user";
  message["content"] = std::move(content);
  Json params(Json::value_t::object);
  params["messages"] = Json::array();
  params["messages"].push_back(std::move(message));
  params["maxTokens"] = tokens_max;
  return params;
}

std::string said(const Json& answer) {
  const Json* const content = find(answer, "content");
  const auto text = content ? find_string(*content, "text") : std::nullopt;
  return text ? *text : dump_json(answer);
}

std::string filled_in(const Json& answer, const std::string& name) {
  const std::string action = string_or(answer, "action", "");
  const Json* const content = find(answer, "content");
  const Json* const value = content ? find(*content, name) : nullptr;
  if (action != "accept" || value == nullptr) return action;
  return value->is_string() ? value->get_ref<const std::string&>() : dump_json(*value);
}

std::optional<std::string> form_problem(ArgumentCheck& check, const Json& asked,
                                        const Json& answer) {
  const std::string action = string_or(answer, "action", "");
  if (action == "decline" || action == "cancel") return std::nullopt;
  if (action != "accept") return "the answer to the form has no action";
  const Json* const schema = find(asked, "requestedSchema");
  const Json* const content = find(answer, "content");
  if (schema == nullptr) return std::nullopt;
  const Json none = Json::object();
  return check.judge(*schema, content ? *content : none);
}

namespace {

std::optional<std::string> answer_problem(ArgumentCheck& check, const mcp::Ask& asked,
                                          const Json& answer) {
  if (asked.method == "elicitation/create") return form_problem(check, asked.params, answer);
  if (asked.method == "sampling/createMessage" && !find_string(answer, "role")) {
    return "the answer of the model has no role";
  }
  if (asked.method == "roots/list" && find(answer, "roots") == nullptr) {
    return "the answer has no roots";
  }
  return std::nullopt;
}

}  // namespace

Task<mcp::Reply<Json>> ask_checked(mcp::ServerCall call, std::vector<mcp::Ask> asks,
                                   Instant deadline) {
  const std::vector<mcp::Ask> asked = asks;
  mcp::Reply<Json> answers = co_await call.ask_all(std::move(asks), deadline);
  if (!answers.ok()) co_return std::move(answers);
  ArgumentCheck check;
  for (const mcp::Ask& one : asked) {
    const Json* const answer = find(answers.value(), one.name);
    const auto wrong = answer ? answer_problem(check, one, *answer) : std::nullopt;
    if (wrong) co_return mcp::Failure(rpc::kInvalidParams, *wrong);
  }
  co_return std::move(answers);
}

Task<mcp::Reply<Json>> ask_checked(mcp::ServerCall call, std::string name, std::string method,
                                   Json question, Instant deadline) {
  const std::string key = name;
  std::vector<mcp::Ask> asks;
  asks.push_back({std::move(name), std::move(method), std::move(question)});
  mcp::Reply<Json> answers = co_await ask_checked(std::move(call), std::move(asks), deadline);
  if (!answers.ok()) co_return std::move(answers);
  co_return std::move(answers.value()[key]);
}

}  // namespace plumbline::reference
