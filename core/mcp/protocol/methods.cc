#include "core/mcp/protocol/methods.h"

#include <array>

#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::mcp {

namespace {

using Problem = std::optional<std::string>;

constexpr std::size_t kCompletionValuesMax = 100;

struct ListMethod {
  std::string_view method;
  std::string_view member;
};

constexpr std::array kLists = {
    ListMethod{"tools/list", "tools"},
    ListMethod{"resources/list", "resources"},
    ListMethod{"resources/templates/list", "resourceTemplates"},
    ListMethod{"prompts/list", "prompts"},
};

const ListMethod* find_list(std::string_view method) {
  for (const ListMethod& list : kLists) {
    if (list.method == method) return &list;
  }
  return nullptr;
}

bool has_string(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  return member != nullptr && member->is_string();
}

bool has_object(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  return member != nullptr && member->is_object();
}

const Json::array_t* find_array(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  return member ? member->get_ptr<const Json::array_t*>() : nullptr;
}

std::string nth(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

// list_problem judges the list, not its entries: one bad entry must not cost the others. Whoever
// uses an entry reads it with care.
Problem list_problem(const ListMethod& list, const Json& result) {
  if (find_array(result, list.member) == nullptr) return "no array " + std::string(list.member);
  const Json* const cursor = find(result, "nextCursor");
  if (cursor != nullptr && !cursor->is_string() && !cursor->is_null()) {
    return "nextCursor is " + std::string(type_name(*cursor)) + ", not a string";
  }
  return std::nullopt;
}

Problem resource_problem(const Json& resource) {
  if (!has_string(resource, "uri")) return "has no uri";
  if (!has_string(resource, "text") && !has_string(resource, "blob")) {
    return "has neither text nor blob";
  }
  return std::nullopt;
}

Problem content_problem(const Json& block) {
  const Json* const type_member = find(block, "type");
  if (type_member == nullptr || !type_member->is_string()) return "has no type";
  const std::string& type = type_member->get_ref<const std::string&>();
  if (type == "text" && !has_string(block, "text")) return "has no text";
  if (type == "image" || type == "audio") {
    if (!has_string(block, "data")) return "has no data";
    if (!has_string(block, "mimeType")) return "has no mimeType";
  }
  if (type == "resource_link" && !has_string(block, "uri")) return "has no uri";
  if (type == "resource") {
    const Json* const resource = find(block, "resource");
    if (resource == nullptr) return "has no resource";
    return resource_problem(*resource);
  }
  return std::nullopt;
}

Problem call_problem(const Json& result, Revision revision) {
  if (has_object(result, "task")) return std::nullopt;  // The call goes on as a task.
  const Json::array_t* const content = find_array(result, "content");
  if (content == nullptr) return "no array content";
  for (std::size_t i = 0; i < content->size(); ++i) {
    if (Problem what = content_problem((*content)[i])) return nth("content", i) + " " + *what;
  }
  const Json* const failed = find(result, "isError");
  if (failed != nullptr && !failed->is_boolean()) return "isError is no boolean";
  const Json* const structured = find(result, "structuredContent");
  if (structured != nullptr && !structured->is_object() && !has_any_structured_content(revision)) {
    return "structuredContent is no object";
  }
  return std::nullopt;
}

Problem read_problem(const Json& result) {
  const Json::array_t* const contents = find_array(result, "contents");
  if (contents == nullptr) return "no array contents";
  for (std::size_t i = 0; i < contents->size(); ++i) {
    if (Problem what = resource_problem((*contents)[i])) return nth("contents", i) + " " + *what;
  }
  return std::nullopt;
}

Problem prompt_problem(const Json& result) {
  const Json::array_t* const messages = find_array(result, "messages");
  if (messages == nullptr) return "no array messages";
  for (std::size_t i = 0; i < messages->size(); ++i) {
    const std::string role = string_or((*messages)[i], "role", "");
    if (role != "user" && role != "assistant") return nth("messages", i) + " has no known role";
    const Json* const content = find((*messages)[i], "content");
    if (content == nullptr) return nth("messages", i) + " has no content";
    if (Problem what = content_problem(*content)) {
      return nth("messages", i) + " content " + *what;
    }
  }
  return std::nullopt;
}

Problem completion_problem(const Json& result) {
  const Json* const completion = find(result, "completion");
  if (completion == nullptr) return "no object completion";
  const Json::array_t* const values = find_array(*completion, "values");
  if (values == nullptr) return "no array completion.values";
  if (values->size() > kCompletionValuesMax) return "more than 100 completion values";
  for (const Json& value : *values) {
    if (!value.is_string()) return "a completion value that is no string";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> missing_capability(const ServerInfo& server, std::string_view method) {
  if (method.starts_with("tasks/") && has_task_extension(server.revision)) {
    const Json* const extensions = find(server.capabilities, "extensions");
    const bool declared = extensions != nullptr && find(*extensions, kTaskExtension) != nullptr;
    if (declared) return std::nullopt;
    return std::string(kTaskExtension);
  }
  const std::size_t slash = method.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view area = method.substr(0, slash);
  std::string_view capability;
  if (area == "tools" || area == "resources" || area == "prompts" || area == "logging" ||
      area == "tasks") {
    capability = area;
  } else if (area == "completion" && has_completion_capability(server.revision)) {
    capability = "completions";
  }
  if (capability.empty()) return std::nullopt;
  if (!server.has(capability)) return std::string(capability);
  if ((method == "resources/subscribe" || method == "resources/unsubscribe") &&
      !server.has_flag("resources", "subscribe")) {
    return "resources.subscribe";
  }
  return std::nullopt;
}

std::optional<std::string> result_problem(std::string_view method, const Json& result,
                                          Revision revision) {
  if (!result.is_object()) {
    return "the result is " + std::string(type_name(result)) + ", not an object";
  }
  if (method == "tools/call") return call_problem(result, revision);
  if (const ListMethod* const list = find_list(method)) return list_problem(*list, result);
  if (method == "resources/read") return read_problem(result);
  if (method == "prompts/get") return prompt_problem(result);
  if (method == "completion/complete") return completion_problem(result);
  return std::nullopt;
}

bool may_need_input(std::string_view method) {
  return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

bool is_cacheable(std::string_view method) {
  return find_list(method) != nullptr || method == "resources/read" || method == "server/discover";
}

std::string_view list_member(std::string_view method) {
  const ListMethod* const list = find_list(method);
  return list ? list->member : std::string_view();
}

}  // namespace plumbline::mcp
