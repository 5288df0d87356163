#include "reference/reference_client.h"

#include <utility>

#include "core/schema/sample_value.h"
#include "reference/contents.h"

namespace plumbline::reference {

namespace {

using mcp::Failure;
using mcp::Reply;

Reply<Json> accept_form(const Json& params) {
  if (!find_string(params, "message")) return Failure(rpc::kInvalidParams, "no message");
  Json answer(Json::value_t::object);
  answer["action"] = "accept";
  if (const Json* const schema = find(params, "requestedSchema")) {
    answer["content"] = schema::accepted_defaults(*schema);
  }
  return answer;
}

Reply<Json> answer_as_model(const Json& params) {
  const Json* const messages = find(params, "messages");
  if (messages == nullptr || !messages->is_array()) {
    return Failure(rpc::kInvalidParams, "no messages");
  }
  Json answer(Json::value_t::object);
  answer["role"] = "assistant";
  answer["model"] = "reference";
  answer["stopReason"] = "endTurn";
  answer["content"] = text_block("This is a sampled response.");
  return answer;
}

Reply<Json> one_root(const Json&) {
  return document(R"json({"roots": [{"uri": "file:///workspace", "name": "workspace"}]})json");
}

// The properties of an inputSchema that ask for a schema get a real one, with all its keywords:
// that of the first tool in the list.
Json arguments_for(const Json& tool, const Json& first_tool) {
  const Json* const schema = find(tool, "inputSchema");
  if (schema == nullptr) return Json::object();
  Json arguments = schema::sample_arguments(*schema);
  const Json* const example = find(first_tool, "inputSchema");
  const auto wanted = arguments.find("schema");
  if (wanted != arguments.end() && wanted->is_object() && example) *wanted = *example;
  return arguments;
}

}  // namespace

mcp::ClientOptions obliging_client(mcp::Revision preferred) {
  mcp::ClientOptions options;
  options.client_name = "plumbline-reference-client";
  options.preferred = preferred;
  options.on_elicit = mcp::answer_at_once(accept_form);
  options.on_sample = mcp::answer_at_once(answer_as_model);
  options.on_list_roots = mcp::answer_at_once(one_root);
  options.ask_for_progress = true;
  return options;
}

ReferenceClient::ReferenceClient(Loop& loop, mcp::ClientSession& session, VisitOptions options,
                                 std::function<void(const std::string& line)> tell)
    : loop_(loop), session_(session), options_(std::move(options)), tell_(std::move(tell)) {}

Task<std::optional<Failure>> ReferenceClient::visit() {
  Reply<mcp::ServerInfo> server = co_await session_.initialize(deadline());
  if (!server.ok()) co_return std::move(server).error();
  const mcp::ServerInfo info = server.value();
  tell_("opened " + info.name + " " + info.version + ", " + std::string(name_of(info.revision)));
  // Listed even when nothing is declared: an empty server has an empty list of tools.
  co_await use_tools();
  if (info.has("resources")) co_await use_resources();
  if (info.has("prompts")) co_await use_prompts();
  if (session_.open()) co_return std::nullopt;
  co_return Failure(Failure::Kind::kDisconnected, session_.close_reason());
}

void ReferenceClient::note(const std::string& what, const Reply<Json>& reply) {
  if (!reply.ok()) return tell_(what + ": " + describe(reply.error()));
  tell_(what + (bool_or(reply.value(), "isError", false) ? ": an error result" : ": done"));
}

std::vector<Json> ReferenceClient::calls_for(const std::vector<Json>& tools) const {
  if (!options_.calls.empty()) return options_.calls;
  std::vector<Json> calls;
  for (const Json& tool : tools) {
    Json& call = calls.emplace_back(Json::value_t::object);
    call["name"] = string_or(tool, "name", "");
    call["arguments"] = arguments_for(tool, tools.front());
  }
  return calls;
}

Task<void> ReferenceClient::use_tools() {
  Reply<std::vector<Json>> listed = co_await session_.list_tools(deadline());
  if (!listed.ok()) {
    tell_("tools/list: " + describe(listed.error()));
    co_return;
  }
  const std::vector<Json> calls = calls_for(listed.value());
  for (const Json& call : calls) {
    std::string name = string_or(call, "name", "");
    const std::string what = "tools/call " + name;
    const Json* const given = find(call, "arguments");
    Json arguments = Json::object();
    if (given != nullptr) arguments = *given;
    Reply<Json> result =
        co_await session_.call_tool(std::move(name), std::move(arguments), deadline());
    note(what, result);
  }
}

Task<void> ReferenceClient::use_resources() {
  Reply<std::vector<Json>> listed = co_await session_.list_resources(deadline());
  if (!listed.ok()) {
    tell_("resources/list: " + describe(listed.error()));
    co_return;
  }
  for (const Json& resource : listed.value()) {
    std::string uri = string_or(resource, "uri", "");
    const std::string what = "resources/read " + uri;
    Reply<Json> result = co_await session_.read_resource(std::move(uri), deadline());
    note(what, result);
  }
  Reply<std::vector<Json>> templates = co_await session_.list_resource_templates(deadline());
  if (!templates.ok()) tell_("resources/templates/list: " + describe(templates.error()));
}

Task<void> ReferenceClient::use_prompts() {
  Reply<std::vector<Json>> listed = co_await session_.list_prompts(deadline());
  if (!listed.ok()) {
    tell_("prompts/list: " + describe(listed.error()));
    co_return;
  }
  for (const Json& prompt : listed.value()) {
    std::string name = string_or(prompt, "name", "");
    Json arguments(Json::value_t::object);
    const Json* const wanted = find(prompt, "arguments");
    const std::size_t count = wanted != nullptr && wanted->is_array() ? wanted->size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string argument = string_or((*wanted)[i], "name", "");
      if (session_.server().has("completions")) co_await complete(name, argument);
      arguments[argument] = "sample";
    }
    const std::string what = "prompts/get " + name;
    Reply<Json> result =
        co_await session_.get_prompt(std::move(name), std::move(arguments), deadline());
    note(what, result);
  }
}

Task<void> ReferenceClient::complete(std::string prompt, std::string argument) {
  Json ref(Json::value_t::object);
  ref["type"] = "ref/prompt";
  ref["name"] = prompt;
  Json typed(Json::value_t::object);
  typed["name"] = argument;
  typed["value"] = "s";
  Reply<Json> result = co_await session_.complete(std::move(ref), std::move(typed), deadline());
  note("completion/complete " + prompt + " " + argument, result);
}

}  // namespace plumbline::reference
