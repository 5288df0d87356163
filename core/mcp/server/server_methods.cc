#include "core/mcp/server/server_methods.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/text.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/downgrade.h"
#include "core/mcp/protocol/log_level.h"
#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/uri_template.h"
#include "core/mcp/server/client_needs.h"

namespace plumbline::mcp {

namespace {

using Outcome = ServerMethods::Outcome;
using Target = ServerMethods::Target;

Failure invalid(std::string why) { return Failure(rpc::kInvalidParams, std::move(why)); }

Failure not_found(const std::string& uri, Revision revision) {
  Json data(Json::value_t::object);
  data["uri"] = uri;
  return Failure(resource_not_found_code(revision), "resource not found", std::move(data));
}

const Json* find_named(const std::vector<Json>& items, std::string_view key,
                       std::string_view value) {
  for (const Json& item : items) {
    const Json* const member = find(item, key);
    const auto* const text = member ? member->get_ptr<const std::string*>() : nullptr;
    if (text != nullptr && *text == value) return &item;
  }
  return nullptr;
}

// A cursor is the place of the next item, behind a letter that keeps clients from counting on it.
std::optional<std::size_t> read_cursor(const Json& cursor, std::size_t size) {
  const auto* const text = cursor.get_ptr<const std::string*>();
  if (text == nullptr || text->size() < 2 || text->front() != 'c') return std::nullopt;
  std::size_t place = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data() + 1, end, place);
  if (error != std::errc() || rest != end || place == 0 || place >= size) return std::nullopt;
  return place;
}

// prompt_problem checks the arguments of prompts/get: strings, and every required one there.
std::optional<std::string> prompt_problem(const Json& prompt, const Json* arguments) {
  if (arguments != nullptr) {
    const auto* const members = arguments->get_ptr<const Json::object_t*>();
    if (members == nullptr) return "arguments is no object";
    for (const auto& [name, value] : *members) {
      if (!value.is_string()) return "argument " + name + " is no string";
    }
  }
  const Json* const declared = find(prompt, "arguments");
  if (declared == nullptr || !declared->is_array()) return std::nullopt;
  for (const Json& argument : *declared) {
    const std::string name = string_or(argument, "name", "");
    if (!bool_or(argument, "required", false)) continue;
    if (arguments == nullptr || find(*arguments, name) == nullptr) {
      return "missing required argument " + name;
    }
  }
  return std::nullopt;
}

// dispatch_task knows the methods of tasks, the experimental ones and those of the extension.
Outcome dispatch_task(const rpc::Request& request, Revision revision, const ClientInfo* own) {
  const std::string name = request.method.substr(std::string_view("tasks/").size());
  const bool common = name == "get" || name == "cancel";
  const bool core = has_tasks(revision) && (common || name == "result" || name == "list");
  const bool extension = has_task_extension(revision) && (common || name == "update");
  if (!core && !extension) {
    return Reply<Json>(Failure(rpc::kMethodNotFound, "unknown method " + request.method));
  }
  if (extension) {
    if (std::optional<Failure> no = missing_extension(*own, kTaskExtension)) {
      return Reply<Json>(*std::move(no));
    }
  }
  if (name != "list" && !find_string(request.params, "taskId")) {
    return Reply<Json>(invalid(request.method + " without a taskId"));
  }
  return Target{string_or(request.params, "taskId", ""), std::nullopt};
}

// task_wish decides whether a call becomes a task.
//
// Spec 2025-11-25, basic/utilities/tasks, Tool-Level Negotiation (MUST, SHOULD -32601).
// Extension io.modelcontextprotocol/tasks: the server decides, for who has declared it.
Reply<std::optional<TaskWish>> task_wish(const ServerOptions& options, const Json& tool,
                                         const Json& params, Revision revision,
                                         const ClientInfo* own) {
  const std::optional<TaskWish> none;
  if (!options.tasks.offered) return none;
  const Json* const execution = find(tool, "execution");
  const std::string support = execution ? string_or(*execution, "taskSupport", "") : "";
  const bool possible = support == "optional" || support == "required";
  if (has_task_extension(revision)) {
    if (!possible) return none;
    std::optional<Failure> no = missing_extension(*own, kTaskExtension);
    if (no && support == "required") return *std::move(no);
    if (no) return none;
    return std::optional<TaskWish>(TaskWish{});
  }
  if (!has_tasks(revision)) return none;
  const Json* const wish = find(params, "task");
  if (wish == nullptr && support != "required") return none;
  if (wish == nullptr || !possible) {
    return Failure(rpc::kMethodNotFound, wish ? "this tool is not to be called as a task"
                                              : "this tool is only to be called as a task");
  }
  const std::optional<std::int64_t> ttl_ms = find_int(*wish, "ttl");
  if (!wish->is_object() || (find(*wish, "ttl") != nullptr && (!ttl_ms || *ttl_ms < 0))) {
    return invalid("task has no usable ttl");
  }
  TaskWish out;
  if (ttl_ms) {
    out.ttl = std::chrono::milliseconds(std::min(*ttl_ms, milliseconds_of(options.tasks.ttl_max)));
  }
  return std::optional<TaskWish>(out);
}

// Spec 2026-07-28, server/discover (MUST).
Reply<Json> discover(const ServerOptions& options, Revision revision) {
  Json result(Json::value_t::object);
  result["supportedVersions"] = spoken(options);
  result["capabilities"] = server_capabilities(options, revision);
  if (!options.instructions.empty()) result["instructions"] = options.instructions;
  return result;
}

// Spec 2025-11-25, server/utilities/pagination, Error Handling (SHOULD -32602).
Reply<Json> list(const ServerOptions& options, const rpc::Request& request,
                 const std::vector<Json>& items, std::string_view member, Revision revision) {
  std::size_t from = 0;
  if (const Json* const cursor = find(request.params, "cursor")) {
    const std::optional<std::size_t> place = read_cursor(*cursor, items.size());
    if (!place) return invalid("invalid cursor");
    from = *place;
  }
  const std::size_t to = from + std::min(options.page_items_max, items.size() - from);
  Json page = Json::array();
  for (std::size_t i = from; i < to; ++i) {
    page.push_back(items[i]);
    downgrade_item(page.back(), revision);
  }
  Json result(Json::value_t::object);
  result.emplace(member, std::move(page));
  if (to < items.size()) result["nextCursor"] = "c" + std::to_string(to);
  return result;
}

// Spec 2025-11-25, server/tools, Error Handling (unknown tools are protocol errors).
Outcome call_tool(const ServerOptions& options, const Json& params, Revision revision,
                  const ClientInfo* own) {
  const std::optional<std::string> name = find_string(params, "name");
  if (!name) return Reply<Json>(invalid("tools/call without a name"));
  if (options.raw_calls) return Target{*name, std::nullopt};
  const Json* const tool = find_named(options.tools, "name", *name);
  if (tool == nullptr) {
    const std::string shown = clipped(*name);
    return Reply<Json>(
        Failure(rpc::kInvalidParams, "unknown tool: " + shown, {{"toolName", shown}}));
  }
  const Json* const given = find(params, "arguments");
  if (given != nullptr && !given->is_object()) {
    return Reply<Json>(invalid("arguments is no object"));
  }
  Reply<std::optional<TaskWish>> wish = task_wish(options, *tool, params, revision, own);
  if (!wish.ok()) return Reply<Json>(std::move(wish).error());
  const Json* const schema = find(*tool, "inputSchema");
  if (schema == nullptr || !options.check_arguments) return Target{*name, wish.value()};
  const Json none = Json::object();
  const std::optional<std::string> wrong = options.check_arguments(*schema, given ? *given : none);
  if (!wrong) return Target{*name, wish.value()};
  if (!argument_errors_are_results(revision)) return Reply<Json>(invalid(*wrong));
  return Reply<Json>(tool_error(*wrong));
}

bool offers(const ServerOptions& options, const std::string& uri) {
  if (find_named(options.resources, "uri", uri) != nullptr) return true;
  return std::any_of(options.templates.begin(), options.templates.end(), [&](const Json& item) {
    return matches_template(string_or(item, "uriTemplate", ""), uri);
  });
}

Outcome read_resource(const ServerOptions& options, const Json& params, Revision revision) {
  const std::optional<std::string> uri = find_string(params, "uri");
  if (!uri) return Reply<Json>(invalid("resources/read without a uri"));
  if (!offers(options, *uri)) return Reply<Json>(not_found(*uri, revision));
  return Target{*uri, std::nullopt};
}

Outcome get_prompt(const ServerOptions& options, const Json& params) {
  const std::optional<std::string> name = find_string(params, "name");
  if (!name) return Reply<Json>(invalid("prompts/get without a name"));
  const Json* const prompt = find_named(options.prompts, "name", *name);
  if (prompt == nullptr) return Reply<Json>(invalid("unknown prompt: " + *name));
  if (const auto wrong = prompt_problem(*prompt, find(params, "arguments"))) {
    return Reply<Json>(invalid(*wrong));
  }
  return Target{*name, std::nullopt};
}

Outcome complete(const ServerOptions& options, const Json& params) {
  const Json* const ref = find(params, "ref");
  const Json* const argument = find(params, "argument");
  if (ref == nullptr || argument == nullptr || !find_string(*argument, "name") ||
      !find_string(*argument, "value")) {
    return Reply<Json>(invalid("completion needs ref and argument {name, value}"));
  }
  const std::string type = string_or(*ref, "type", "");
  if (type == "ref/prompt") {
    const std::string name = string_or(*ref, "name", "");
    if (find_named(options.prompts, "name", name) == nullptr) {
      return Reply<Json>(invalid("unknown prompt: " + name));
    }
    return Target{name, std::nullopt};
  }
  if (type == "ref/resource") {
    const std::string uri = string_or(*ref, "uri", "");
    if (find_named(options.templates, "uriTemplate", uri) == nullptr && !offers(options, uri)) {
      return Reply<Json>(invalid("unknown resource: " + uri));
    }
    return Target{uri, std::nullopt};
  }
  return Reply<Json>(invalid("unknown ref type " + dump_json(Json(type))));
}

}  // namespace

std::optional<std::string> check_required(const Json& schema, const Json& arguments) {
  const Json* const required = find(schema, "required");
  if (required == nullptr || !required->is_array()) return std::nullopt;
  for (const Json& name : *required) {
    const auto* const text = name.get_ptr<const std::string*>();
    if (text != nullptr && find(arguments, *text) == nullptr) {
      return "missing required argument " + *text;
    }
  }
  return std::nullopt;
}

Outcome ServerMethods::dispatch(const rpc::Request& request, Revision revision,
                                const ClientInfo* own) {
  const std::string& method = request.method;
  const Json& params = request.params;
  if (!params.is_null() && !params.is_object()) return Reply<Json>(invalid("params is no object"));
  if (offers_tools(options_)) {
    if (method == "tools/list") return list(options_, request, options_.tools, "tools", revision);
    if (method == "tools/call") return call_tool(options_, params, revision, own);
  }
  if (offers_resources(options_)) {
    if (method == "resources/list") {
      return list(options_, request, options_.resources, "resources", revision);
    }
    if (method == "resources/templates/list") {
      return list(options_, request, options_.templates, "resourceTemplates", revision);
    }
    if (method == "resources/read") return read_resource(options_, params, revision);
  }
  if (offers_prompts(options_)) {
    if (method == "prompts/list")
      return list(options_, request, options_.prompts, "prompts", revision);
    if (method == "prompts/get") return get_prompt(options_, params);
  }
  if (options_.completions && method == "completion/complete") return complete(options_, params);
  if (method.starts_with("tasks/") && options_.tasks.offered)
    return dispatch_task(request, revision, own);
  if (!is_stateless(revision)) return dispatch_stateful(request, revision);
  if (method == "server/discover") return discover(options_, revision);
  return Reply<Json>(Failure(rpc::kMethodNotFound, "unknown method " + method));
}

// dispatch_stateful knows the methods that came to an end with 2025-11-25.
Outcome ServerMethods::dispatch_stateful(const rpc::Request& request, Revision revision) {
  const std::string& method = request.method;
  const Json& params = request.params;
  if (method == "ping") return Reply<Json>(Json::object());
  if (options_.subscribe && offers_resources(options_)) {
    if (method == "resources/subscribe") return subscribe(params, true, revision);
    if (method == "resources/unsubscribe") return subscribe(params, false, revision);
  }
  if (options_.logging && method == "logging/setLevel") return set_level(params);
  return Reply<Json>(Failure(rpc::kMethodNotFound, "unknown method " + method));
}

Reply<Json> ServerMethods::subscribe(const Json& params, bool on, Revision revision) {
  const std::optional<std::string> uri = find_string(params, "uri");
  if (!uri) return invalid("a subscription without a uri");
  if (!on) {
    subscriptions_.erase(*uri);
    return Json::object();
  }
  if (!offers(options_, *uri)) return not_found(*uri, revision);
  if (subscriptions_.size() >= limits::kListItemsMax) return invalid("too many subscriptions");
  subscriptions_.insert(*uri);
  return Json::object();
}

Reply<Json> ServerMethods::set_level(const Json& params) {
  const std::optional<int> severity = severity_of(string_or(params, "level", ""));
  if (!severity) return invalid("unknown log level");
  level_min_ = *severity;
  return Json::object();
}

}  // namespace plumbline::mcp
