#include "fakes/peers/server_script.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "core/base/limits.h"
#include "fakes/peers/repeats.h"

namespace plumbline::fakes {

namespace {

constexpr std::int64_t kCopiesMax = 1'000;  // Of one tool.

// each calls `read` with every item of the array `key` and its pointer.
template <typename Read>
void each(ObjectReader& reader, std::string_view key, Read read) {
  const Json* const items = reader.array(key);
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    read((*items)[i], reader.pointer_to(key) + "/" + std::to_string(i));
  }
}

// listed returns the named members of `item` as a list shows them.
Json listed(const Json& item, std::initializer_list<std::string_view> keys) {
  Json shown = Json::object();
  for (const std::string_view key : keys) {
    if (const Json* const member = find(item, key)) shown[std::string(key)] = *member;
  }
  return shown;
}

Behaviour read_does(ObjectReader& reader, std::string_view key, std::optional<Problem>& problem) {
  const Json* const steps = reader.take(key);
  return steps == nullptr ? Behaviour() : read_behaviour(*steps, reader.pointer_to(key), problem);
}

// read_shown marks the members that are shown as they are: texts, objects and the rest.
void read_shown(ObjectReader& reader) {
  for (const std::string_view key : {"title", "description", "mimeType"}) reader.text(key);
  for (const std::string_view key : {"annotations", "_meta"}) reader.object(key);
  reader.array("icons");
}

template <typename Items, typename Field>
void refuse_twin(const Items& items, Field field, const std::string& name,
                 const std::string& pointer, std::optional<Problem>& problem) {
  if (std::ranges::find(items, name, field) != items.end()) {
    add_problem(problem, pointer, "\"" + name + "\" is declared twice");
  }
}

void read_tool(const Json& item, const std::string& pointer, ServerScript& script,
               std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a tool", problem);
  ToolScript tool;
  tool.name = reader.required_string("name");
  read_shown(reader);
  for (const std::string_view key : {"inputSchema", "outputSchema", "execution"}) {
    reader.object(key);
  }
  tool.does = read_does(reader, "does", problem);
  if (const Json* const effect = reader.take("effect")) {
    tool.effect = read_effect(*effect, reader.pointer_to("effect"), problem);
  }
  tool.authorized = reader.boolean("auth").value_or(true);
  const std::optional<std::int64_t> copies = reader.integer("copies", 1, kCopiesMax);
  reader.finish();
  refuse_twin(script.tools, &ToolScript::name, tool.name, pointer, problem);
  tool.listed = listed(item, {"name", "title", "description", "inputSchema", "outputSchema",
                              "annotations", "icons", "execution", "_meta"});
  tool.listed.emplace("inputSchema", Json{{"type", "object"}});
  if (!copies) return script.tools.push_back(std::move(tool));
  const std::string name = tool.name;
  for (std::int64_t i = 1; i <= *copies; ++i) {
    tool.name = name + "_" + std::to_string(i);
    tool.listed["name"] = tool.name;
    script.tools.push_back(tool);
  }
}

void read_resource(const Json& item, const std::string& pointer, ServerScript& script,
                   std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a resource", problem);
  ResourceScript resource;
  resource.uri = reader.required_string("uri");
  reader.required_string("name");
  read_shown(reader);
  reader.integer("size", 0, INT64_MAX);
  const bool text = reader.text("text").has_value();
  const bool blob = reader.text("blob").has_value();
  if (text && blob) add_problem(problem, pointer, "expected either \"text\" or \"blob\"");
  resource.does = read_does(reader, "does", problem);
  reader.finish();
  refuse_twin(script.resources, &ResourceScript::uri, resource.uri, pointer, problem);
  resource.listed = listed(item, {"uri", "name", "title", "mimeType", "description", "annotations",
                                  "icons", "size", "_meta"});
  resource.contents = listed(item, {"uri", "mimeType", "text", "blob"});
  if (!text && !blob) resource.contents["text"] = "";
  script.resources.push_back(std::move(resource));
}

Json read_template(const Json& item, const std::string& pointer, std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a resource template", problem);
  reader.required_string("uriTemplate");
  reader.required_string("name");
  read_shown(reader);
  reader.finish();
  return item;
}

void read_prompt(const Json& item, const std::string& pointer, ServerScript& script,
                 std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a prompt", problem);
  PromptScript prompt;
  prompt.name = reader.required_string("name");
  read_shown(reader);
  each(reader, "arguments", [&](const Json& argument, const std::string& at) {
    ObjectReader fields(argument, at, "an argument", problem);
    fields.required_string("name");
    fields.text("title");
    fields.text("description");
    fields.boolean("required");
    fields.finish();
  });
  const Json* const messages = reader.array("messages");
  prompt.messages = messages == nullptr ? Json::array() : *messages;
  prompt.does = read_does(reader, "does", problem);
  reader.finish();
  refuse_twin(script.prompts, &PromptScript::name, prompt.name, pointer, problem);
  prompt.listed = listed(item, {"name", "title", "description", "arguments", "icons", "_meta"});
  script.prompts.push_back(std::move(prompt));
}

Rule read_rule(const Json& item, const std::string& pointer, std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a rule", problem);
  Rule rule;
  rule.method = reader.required_string("method");
  rule.name = reader.text("name");
  rule.without = reader.text("without");
  rule.nth = reader.integer("nth", 1, INT32_MAX);
  rule.never = reader.boolean("never").value_or(false);
  reader.require("do", "an array of steps");
  rule.steps = read_does(reader, "do", problem);
  reader.finish();
  return rule;
}

std::vector<Json> pages_of(std::string_view key, const std::vector<Json>& items,
                           std::size_t page_size) {
  std::vector<Json> pages;
  for (std::size_t begin = 0; begin == 0 || begin < items.size(); begin += page_size) {
    Json page = Json::array();
    const std::size_t end = std::min(items.size(), begin + page_size);
    for (std::size_t i = begin; i < end; ++i) page.push_back(items[i]);
    pages.push_back(Json{{std::string(key), std::move(page)}});
    if (end < items.size()) pages.back()["nextCursor"] = "page:" + std::to_string(pages.size());
  }
  return pages;
}

template <typename Item>
std::vector<Json> listed_of(const std::vector<Item>& items) {
  std::vector<Json> shown;
  for (const Item& item : items) shown.push_back(item.listed);
  return shown;
}

Json derived_capabilities(const ServerScript& script, bool templates) {
  Json capabilities = {{"logging", Json::object()}};
  if (!script.tools.empty()) capabilities["tools"] = {{"listChanged", true}};
  if (!script.resources.empty() || templates) capabilities["resources"] = Json::object();
  if (!script.prompts.empty()) capabilities["prompts"] = Json::object();
  if (has_completion_capability(script.revision) && (!script.prompts.empty() || templates)) {
    capabilities["completions"] = Json::object();
  }
  return capabilities;
}

void read_deviations(ObjectReader& reader, ServerScript& script, std::optional<Problem>& problem) {
  each(reader, "deviations", [&](const Json& item, const std::string& at) {
    const auto* const name = item.get_ptr<const std::string*>();
    if (name == nullptr) return add_type_problem(problem, at, item, "the name of a deviation");
    const std::optional<Deviation> which = find_deviation(*name);
    if (!which) return add_problem(problem, at, "there is no deviation \"" + *name + "\"");
    script.deviations.add(*which);
  });
}

// read_offer reads what the server offers and prepares the answers that show it.
void read_offer(ObjectReader& reader, ServerScript& script, std::optional<Problem>& problem) {
  each(reader, "tools",
       [&](const Json& item, const std::string& at) { read_tool(item, at, script, problem); });
  each(reader, "resources",
       [&](const Json& item, const std::string& at) { read_resource(item, at, script, problem); });
  std::vector<Json> templates;
  each(reader, "resource_templates", [&](const Json& item, const std::string& at) {
    templates.push_back(read_template(item, at, problem));
  });
  each(reader, "prompts",
       [&](const Json& item, const std::string& at) { read_prompt(item, at, script, problem); });
  const auto page_size =
      static_cast<std::size_t>(reader.integer("page_size", 1, 10'000).value_or(10'000));
  script.tool_pages = pages_of("tools", listed_of(script.tools), page_size);
  script.resource_pages = pages_of("resources", listed_of(script.resources), page_size);
  script.template_pages = pages_of("resourceTemplates", templates, page_size);
  script.prompt_pages = pages_of("prompts", listed_of(script.prompts), page_size);

  const Json* const capabilities = reader.object("capabilities");
  script.initialize_result = {
      {"serverInfo", {{"name", script.name}, {"version", script.version}}},
      {"capabilities",
       capabilities != nullptr ? *capabilities : derived_capabilities(script, !templates.empty())}};
  if (std::optional<std::string> instructions = reader.text("instructions")) {
    script.initialize_result["instructions"] = std::move(*instructions);
  }
}

void read_revision(ObjectReader& reader, ServerScript& script, std::optional<Problem>& problem) {
  const std::optional<std::string> name = reader.text("revision");
  if (!name) return;
  const std::optional<mcp::Revision> revision = mcp::parse_revision(*name);
  if (revision) {
    script.revision = *revision;
    return;
  }
  std::string known;
  for (const mcp::Revision one : mcp::all_revisions()) known += ' ' + std::string(name_of(one));
  add_problem(problem, "/revision", "expected one of" + known + ", got \"" + *name + "\"");
}

}  // namespace

Result<ServerScript, Problem> parse_server_script(const Json& json) {
  std::optional<Problem> problem;
  Budget repeats(repeats_budget());
  (void)charge_repeats(json, "", repeats, problem);
  if (problem) return *problem;
  ObjectReader reader(json, "", "a server", problem);
  ServerScript script;
  read_revision(reader, script, problem);
  script.name = reader.text("name").value_or(script.name);
  script.version = reader.text("version").value_or(script.version);
  script.latency = reader.milliseconds("latency_ms").value_or(Duration{});
  script.startup = reader.milliseconds("startup_ms").value_or(Duration{});
  script.stderr_text = reader.text("stderr").value_or("");
  script.ignores_term = reader.boolean("ignores_term").value_or(false);
  read_offer(reader, script, problem);
  each(reader, "on", [&](const Json& item, const std::string& at) {
    script.rules.push_back(read_rule(item, at, problem));
  });
  read_deviations(reader, script, problem);
  reader.finish();
  if (problem) return *problem;
  return script;
}

}  // namespace plumbline::fakes
