#include "fakes/peers/server_answers.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "fakes/peers/placeholders.h"
#include "fakes/peers/stateless.h"

namespace plumbline::fakes {

namespace {

constexpr int kMethodNotFound = -32601;
constexpr int kResourceNotFound = -32002;
constexpr int kUnauthorized = -32001;

constexpr std::string_view kLevels[] = {"debug", "info",     "notice", "warning",
                                        "error", "critical", "alert",  "emergency"};

Answer result(Json body) { return {false, std::move(body)}; }

const Json& arguments_of(const Json& params) {
  static const Json kNone = Json::object();
  const Json* const arguments = find(params, "arguments");
  return arguments == nullptr ? kNone : *arguments;
}

template <typename Items, typename Field>
auto find_named(const Items& items, Field field, const Json& params, std::string_view key)
    -> decltype(items.data()) {
  const Json* const member = find(params, key);
  const auto* const name = member ? member->get_ptr<const std::string*>() : nullptr;
  if (name == nullptr) return nullptr;
  const auto found = std::ranges::find(items, *name, field);
  return found == items.end() ? nullptr : &*found;
}

// missing_argument returns the first required argument that the call lacks.
std::optional<std::string> missing_argument(const ToolScript& tool, const Json& params) {
  const Json* const schema = find(tool.listed, "inputSchema");
  const Json* const required = schema ? find(*schema, "required") : nullptr;
  if (required == nullptr || !required->is_array()) return std::nullopt;
  for (const Json& name : *required) {
    const auto* const key = name.get_ptr<const std::string*>();
    if (key != nullptr && find(arguments_of(params), *key) == nullptr) return *key;
  }
  return std::nullopt;
}

std::optional<std::string> missing_argument(const PromptScript& prompt, const Json& params) {
  const Json* const declared = find(prompt.listed, "arguments");
  if (declared == nullptr) return std::nullopt;
  for (const Json& argument : *declared) {
    const std::string name = string_or(argument, "name", "");
    if (bool_or(argument, "required", false) && !find(arguments_of(params), name)) return name;
  }
  return std::nullopt;
}

// page_of_cursor returns the page that a cursor of ours names. Ours are "page:1", "page:2" ...
std::optional<std::size_t> page_of_cursor(const Json& cursor) {
  const auto* const text = cursor.get_ptr<const std::string*>();
  if (text == nullptr || !text->starts_with("page:")) return std::nullopt;
  std::size_t page = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data() + 5, end, page);
  if (error != std::errc() || rest != end || page == 0) return std::nullopt;
  return page;
}

Answer list_page(const DeviationSet& wrong, const std::vector<Json>& pages, const Json& params) {
  const bool loops = wrong.has(Deviation::kEndlessCursor) || wrong.has(Deviation::kRepeatedCursor);
  std::size_t page = 0;
  if (const Json* const cursor = find(params, "cursor")) {
    const std::optional<std::size_t> named = page_of_cursor(*cursor);
    const bool known = named && (*named < pages.size() || loops);
    if (!known && !wrong.has(Deviation::kUnknownCursorAccepted)) {
      return make_error(kInvalidParams, "Invalid cursor");
    }
    page = known ? *named : 0;
  }
  Json body = pages[page % pages.size()];
  if (wrong.has(Deviation::kPageRepeated)) {
    for (const auto& [key, items] : pages[0].items()) {
      if (key != "nextCursor") body[key] = items;
    }
  }
  if (wrong.has(Deviation::kEndlessCursor)) body["nextCursor"] = "page:" + std::to_string(page + 1);
  if (wrong.has(Deviation::kRepeatedCursor)) body["nextCursor"] = "page:1";
  return result(std::move(body));
}

Json text_result(std::string text) {
  Json item = {{"type", "text"}, {"text", std::move(text)}};
  return {{"content", Json::array({std::move(item)})}};
}

Answer call_tool(const ServerScript& script, const Json& params) {
  const ToolScript* const tool = find_tool(script, params);
  if (tool == nullptr) {
    if (script.deviations.has(Deviation::kUnknownToolAsSuccess)) return result(text_result("ok"));
    return make_error(kInvalidParams, "Unknown tool: " + string_or(params, "name", ""));
  }
  if (!tool->authorized) return make_error(kUnauthorized, "Unauthorized", {{"status", 401}});
  const std::optional<std::string> missing = missing_argument(*tool, params);
  if (missing && !script.deviations.has(Deviation::kMissingArgumentsAccepted)) {
    return make_error(kInvalidParams, "Missing required argument: " + *missing);
  }
  return result(text_result(tool->name + " is done"));
}

Answer read_resource(const ServerScript& script, const Json& params) {
  const auto* const resource = find_named(script.resources, &ResourceScript::uri, params, "uri");
  if (resource != nullptr) {
    return result({{"contents", Json::array({resource->contents})}});
  }
  if (script.deviations.has(Deviation::kUnknownResourceAsSuccess)) {
    return result({{"contents", Json::array()}});
  }
  return make_error(script.is_stateless() ? kInvalidParams : kResourceNotFound,
                    "Resource not found", {{"uri", string_or(params, "uri", "")}});
}

Answer get_prompt(const ServerScript& script, const Json& params) {
  const auto* const prompt = find_named(script.prompts, &PromptScript::name, params, "name");
  if (prompt == nullptr) {
    return make_error(kInvalidParams, "Unknown prompt: " + string_or(params, "name", ""));
  }
  const std::optional<std::string> missing = missing_argument(*prompt, params);
  if (missing && !script.deviations.has(Deviation::kPromptArgumentsIgnored)) {
    return make_error(kInvalidParams, "Missing required argument: " + *missing);
  }
  Json messages = prompt->messages;
  fill_placeholders_in(messages, arguments_of(params));
  Json body = {{"messages", std::move(messages)}};
  if (const Json* const text = find(prompt->listed, "description")) body["description"] = *text;
  return result(std::move(body));
}

Answer set_level(const ServerScript& script, const Json& params) {
  const std::string level = string_or(params, "level", "");
  if (std::ranges::find(kLevels, level) == std::end(kLevels) &&
      !script.deviations.has(Deviation::kLogLevelUnknownAccepted)) {
    return make_error(kInvalidParams, "Invalid log level: " + level);
  }
  return result(Json::object());
}

Answer complete() {
  return result({{"completion", {{"values", Json::array()}, {"total", 0}, {"hasMore", false}}}});
}

Answer initialize(const ServerScript& script, const Json& params) {
  const std::string asked = string_or(params, "protocolVersion", "");
  const std::optional<mcp::Revision> known = mcp::parse_revision(asked);
  Json body = script.initialize_result;
  body["protocolVersion"] = name_of(known && *known <= script.revision ? *known : script.revision);
  return result(std::move(body));
}

}  // namespace

const ToolScript* find_tool(const ServerScript& script, const Json& params) {
  return find_named(script.tools, &ToolScript::name, params, "name");
}

Answer default_answer(const ServerScript& script, std::string_view method, const Json& params) {
  const DeviationSet& wrong = script.deviations;
  if (script.is_stateless() && method == "server/discover") return discover(script);
  if (script.is_stateless() && is_stateful_method(method)) {
    return make_error(kMethodNotFound, "Method not found: " + std::string(method));
  }
  if (method == "tools/call") return call_tool(script, params);
  if (method == "tools/list") return list_page(wrong, script.tool_pages, params);
  if (method == "initialize") return initialize(script, params);
  if (method == "ping") return result(Json::object());
  if (method == "resources/list") return list_page(wrong, script.resource_pages, params);
  if (method == "resources/templates/list") return list_page(wrong, script.template_pages, params);
  if (method == "resources/read") return read_resource(script, params);
  if (method == "resources/subscribe" || method == "resources/unsubscribe") {
    return result(Json::object());
  }
  if (method == "prompts/list") return list_page(wrong, script.prompt_pages, params);
  if (method == "prompts/get") return get_prompt(script, params);
  if (method == "completion/complete") return complete();
  if (method == "logging/setLevel") return set_level(script, params);
  if (wrong.has(Deviation::kUnknownMethodAsSuccess)) return result(Json::object());
  return make_error(kMethodNotFound, "Method not found: " + std::string(method));
}

const Behaviour* scripted_behaviour(const ServerScript& script, std::string_view method,
                                    const Json& params) {
  const Behaviour* does = nullptr;
  if (method == "tools/call") {
    const ToolScript* const tool = find_tool(script, params);
    if (tool == nullptr || !tool->authorized) return nullptr;
    if (missing_argument(*tool, params) &&
        !script.deviations.has(Deviation::kMissingArgumentsAccepted)) {
      return nullptr;
    }
    does = &tool->does;
  } else if (method == "resources/read") {
    const auto* const resource = find_named(script.resources, &ResourceScript::uri, params, "uri");
    if (resource != nullptr) does = &resource->does;
  } else if (method == "prompts/get") {
    const auto* const prompt = find_named(script.prompts, &PromptScript::name, params, "name");
    if (prompt != nullptr) does = &prompt->does;
  }
  return does == nullptr || does->empty() ? nullptr : does;
}

}  // namespace plumbline::fakes
