#include "fakes/peers/server_script.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "core/base/limits.h"
#include "core/json/fields/fields.h"
#include "fakes/peers/repeats.h"

namespace plumbline::fakes {

namespace {

constexpr std::int64_t kCopiesMax = 1'000;  // Of one tool.
constexpr std::int64_t kPageSizeMax = 10'000;

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

// The members that are shown as they are: texts, objects and the rest.
template <typename T>
typename Fields<T>::Rows shown_rows() {
  const auto text = [](ObjectReader& f, std::string_view key) { f.text(key); };
  const auto object = [](ObjectReader& f, std::string_view key) { f.object(key); };
  const auto array = [](ObjectReader& f, std::string_view key) { f.array(key); };
  return {
      field::shown<T>("title", shape::text(), text),
      field::shown<T>("description", shape::text(), text),
      field::shown<T>("mimeType", shape::text(), text),
      field::shown<T>("annotations", shape::object(), object),
      field::shown<T>("_meta", shape::object(), object),
      field::shown<T>("icons", Json{{"type", "array"}}, array),
  };
}

// name_row is a text that is shown, and that has to hold something.
template <typename T>
Field<T> name_row(std::string_view key) {
  return field::shown<T>(key, shape::words(),
                         [](ObjectReader& f, std::string_view name) { f.string(name); })
      .must("a string");
}

template <typename T>
Field<T> does_row(std::string_view key, Behaviour T::*member) {
  return field::own<T>(key, shape::ref("behaviour"), [=](ObjectReader& f, T& out) {
    if (const Json* const steps = f.take(key)) {
      out.*member = read_behaviour(*steps, f.pointer_to(key), f.problem());
    }
  });
}

template <typename Items, typename Member>
void refuse_twin(const Items& items, Member member, const std::string& name,
                 const std::string& pointer, std::optional<Problem>& problem) {
  if (std::ranges::find(items, name, member) != items.end()) {
    add_problem(problem, pointer, "\"" + name + "\" is declared twice");
  }
}

const Fields<ToolScript>& tool_fields() {
  const auto object = [](ObjectReader& f, std::string_view key) { f.object(key); };
  const auto read_effect_of = [](ObjectReader& f, ToolScript& tool) {
    if (const Json* const effect = f.take("effect")) {
      tool.effect = read_effect(*effect, f.pointer_to("effect"), f.problem());
    }
  };
  static const Fields<ToolScript> kFields =
      Fields<ToolScript>("a tool", {field::words("name", &ToolScript::name).must("a string")})
          .and_those({"a tool", shown_rows<ToolScript>()})
          .and_those({"a tool",
                      {
                          field::shown<ToolScript>("inputSchema", shape::object(), object),
                          field::shown<ToolScript>("outputSchema", shape::object(), object),
                          field::shown<ToolScript>("execution", shape::object(), object),
                          does_row("does", &ToolScript::does).says("what a call does"),
                          field::own<ToolScript>("effect", shape::ref("effect"), read_effect_of)
                              .says("what a successful call commits"),
                          field::yes("auth", &ToolScript::authorized)
                              .says("false: calls are refused as unauthorized"),
                          field::shown<ToolScript>("copies", shape::whole(1, kCopiesMax),
                                                   [](ObjectReader& f, std::string_view key) {
                                                     f.integer(key, 1, kCopiesMax);
                                                   })
                              .says("makes this many tools, name_1, name_2 ..."),
                      }});
  return kFields;
}

void read_tool(const Json& item, const std::string& pointer, ServerScript& script,
               std::optional<Problem>& problem) {
  ToolScript tool;
  tool_fields().read(item, pointer, problem, tool);
  refuse_twin(script.tools, &ToolScript::name, tool.name, pointer, problem);
  if (problem) return;
  tool.listed = listed(item, {"name", "title", "description", "inputSchema", "outputSchema",
                              "annotations", "icons", "execution", "_meta"});
  tool.listed.emplace("inputSchema", Json{{"type", "object"}});
  const Json* const copies = find(item, "copies");
  if (copies == nullptr) return script.tools.push_back(std::move(tool));
  const std::string name = tool.name;
  for (std::int64_t i = 1; i <= as_int(*copies).value_or(0); ++i) {
    tool.name = name + "_" + std::to_string(i);
    tool.listed["name"] = tool.name;
    script.tools.push_back(tool);
  }
}

const Fields<ResourceScript>& resource_fields() {
  const auto text = [](ObjectReader& f, std::string_view key) { f.text(key); };
  const auto size = [](ObjectReader& f, std::string_view key) { f.integer(key, 0, INT64_MAX); };
  static const Fields<ResourceScript> kFields =
      Fields<ResourceScript>("a resource",
                             {
                                 field::words("uri", &ResourceScript::uri).must("a string"),
                                 name_row<ResourceScript>("name"),
                             })
          .and_those({"a resource", shown_rows<ResourceScript>()})
          .and_those({"a resource",
                      {
                          field::shown<ResourceScript>(
                              "size", Json{{"type", "integer"}, {"minimum", 0}}, size),
                          field::shown<ResourceScript>("text", shape::text(), text),
                          field::shown<ResourceScript>("blob", shape::text(), text),
                          does_row("does", &ResourceScript::does),
                      }});
  return kFields;
}

void read_resource(const Json& item, const std::string& pointer, ServerScript& script,
                   std::optional<Problem>& problem) {
  ResourceScript resource;
  resource_fields().read(item, pointer, problem, resource);
  const bool text = find(item, "text") != nullptr;
  const bool blob = find(item, "blob") != nullptr;
  if (text && blob) add_problem(problem, pointer, "expected either \"text\" or \"blob\"");
  refuse_twin(script.resources, &ResourceScript::uri, resource.uri, pointer, problem);
  resource.listed = listed(item, {"uri", "name", "title", "mimeType", "description", "annotations",
                                  "icons", "size", "_meta"});
  resource.contents = listed(item, {"uri", "mimeType", "text", "blob"});
  if (!text && !blob) resource.contents["text"] = "";
  script.resources.push_back(std::move(resource));
}

// A template and an argument are nothing but what is shown of them.
const Fields<Json>& template_fields() {
  static const Fields<Json> kFields =
      Fields<Json>("a resource template", {name_row<Json>("uriTemplate"), name_row<Json>("name")})
          .and_those({"a resource template", shown_rows<Json>()});
  return kFields;
}

const Fields<Json>& argument_fields() {
  const auto text = [](ObjectReader& f, std::string_view key) { f.text(key); };
  const auto yes = [](ObjectReader& f, std::string_view key) { f.boolean(key); };
  static const Fields<Json> kFields("an argument",
                                    {
                                        name_row<Json>("name"),
                                        field::shown<Json>("title", shape::text(), text),
                                        field::shown<Json>("description", shape::text(), text),
                                        field::shown<Json>("required", shape::yes(), yes),
                                    });
  return kFields;
}

Json read_template(const Json& item, const std::string& pointer, std::optional<Problem>& problem) {
  Json shown = item;
  template_fields().read(item, pointer, problem, shown);
  return shown;
}

const Fields<PromptScript>& prompt_fields() {
  const auto read_arguments = [](ObjectReader& f, PromptScript&) {
    each(f, "arguments", [&f](const Json& argument, const std::string& at) {
      Json shown;
      argument_fields().read(argument, at, f.problem(), shown);
    });
  };
  const auto read_messages = [](ObjectReader& f, PromptScript& prompt) {
    const Json* const messages = f.array("messages");
    prompt.messages = messages == nullptr ? Json::array() : *messages;
  };
  static const Fields<PromptScript> kFields =
      Fields<PromptScript>("a prompt", {field::words("name", &PromptScript::name).must("a string")})
          .and_those({"a prompt", shown_rows<PromptScript>()})
          .and_those(
              {"a prompt",
               {
                   field::own<PromptScript>("arguments", shape::list(argument_fields().shape()),
                                            read_arguments),
                   field::own<PromptScript>("messages", Json{{"type", "array"}}, read_messages)
                       .says("with {{argument}}"),
                   does_row("does", &PromptScript::does),
               }});
  return kFields;
}

void read_prompt(const Json& item, const std::string& pointer, ServerScript& script,
                 std::optional<Problem>& problem) {
  PromptScript prompt;
  prompt_fields().read(item, pointer, problem, prompt);
  refuse_twin(script.prompts, &PromptScript::name, prompt.name, pointer, problem);
  prompt.listed = listed(item, {"name", "title", "description", "arguments", "icons", "_meta"});
  script.prompts.push_back(std::move(prompt));
}

const Fields<Rule>& rule_fields() {
  static const Fields<Rule> kFields(
      "a rule",
      {
          field::words("method", &Rule::method).must("a string"),
          field::text("name", &Rule::name).says("params.name or params.uri"),
          field::text("without", &Rule::without).says("a member that must be absent from params"),
          field::whole("nth", &Rule::nth, 1, INT32_MAX).says("counted across restarts"),
          field::yes("never", &Rule::never).says("a trap: a run that reaches it has failed"),
          does_row("do", &Rule::steps).must("an array of steps"),
      });
  return kFields;
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

void read_deviations(ObjectReader& reader, ServerScript& script) {
  std::optional<Problem>& problem = reader.problem();
  each(reader, "deviations", [&](const Json& item, const std::string& at) {
    const auto* const name = item.get_ptr<const std::string*>();
    if (name == nullptr) return add_type_problem(problem, at, item, "the name of a deviation");
    const std::optional<Deviation> which = find_deviation(*name);
    if (!which) return add_problem(problem, at, "there is no deviation \"" + *name + "\"");
    script.deviations.add(*which);
  });
}

std::size_t page_size(ObjectReader& reader) {
  return static_cast<std::size_t>(
      reader.integer("page_size", 1, kPageSizeMax).value_or(kPageSizeMax));
}

using ReadItem = void (*)(const Json& item, const std::string& pointer, ServerScript& script,
                          std::optional<Problem>& problem);

// offer_row reads a list of what the server offers.
Field<ServerScript> offer_row(std::string_view key, Json shape, ReadItem read) {
  return field::own<ServerScript>(key, shape::list(std::move(shape)),
                                  [=](ObjectReader& reader, ServerScript& script) {
                                    each(reader, key, [&](const Json& item, const std::string& at) {
                                      read(item, at, script, reader.problem());
                                    });
                                  });
}

void read_templates(ObjectReader& reader, ServerScript& script) {
  std::vector<Json> templates;
  each(reader, "resource_templates", [&](const Json& item, const std::string& at) {
    templates.push_back(read_template(item, at, reader.problem()));
  });
  script.template_pages = pages_of("resourceTemplates", templates, page_size(reader));
}

// prepare_answers makes the answers that show what the server offers.
void prepare_answers(ObjectReader& reader, ServerScript& script) {
  const std::size_t items = page_size(reader);
  script.tool_pages = pages_of("tools", listed_of(script.tools), items);
  script.resource_pages = pages_of("resources", listed_of(script.resources), items);
  script.prompt_pages = pages_of("prompts", listed_of(script.prompts), items);
  const Json* const listed = find(script.template_pages.front(), "resourceTemplates");
  const bool templates = listed != nullptr && !listed->empty();
  const Json* const capabilities = reader.object("capabilities");
  script.initialize_result = {
      {"serverInfo", {{"name", script.name}, {"version", script.version}}},
      {"capabilities",
       capabilities != nullptr ? *capabilities : derived_capabilities(script, templates)}};
  if (std::optional<std::string> instructions = reader.text("instructions")) {
    script.initialize_result["instructions"] = std::move(*instructions);
  }
}

std::span<const std::string_view> revision_names() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const mcp::Revision one : mcp::all_revisions()) names.push_back(name_of(one));
    return names;
  }();
  return kNames;
}

void read_revision(ObjectReader& reader, ServerScript& script) {
  const std::optional<std::string> name = reader.text("revision");
  if (!name) return;
  const std::optional<mcp::Revision> revision = mcp::parse_revision(*name);
  if (revision) {
    script.revision = *revision;
    return;
  }
  std::string known;
  for (const std::string_view one : revision_names()) known += ' ' + std::string(one);
  reader.refuse("revision", "expected one of" + known + ", got \"" + *name + "\"");
}

const Fields<ServerScript>& server_fields() {
  const auto text = [](ObjectReader& f, std::string_view key) { f.text(key); };
  const auto object = [](ObjectReader& f, std::string_view key) { f.object(key); };
  static const Fields<ServerScript> kFields(
      "a server",
      {
          field::own<ServerScript>("revision", shape::one_of(revision_names()), read_revision)
              .says("the newest that it speaks; with sessions, the older ones too"),
          field::text("name", &ServerScript::name),
          field::text("version", &ServerScript::version),
          field::shown<ServerScript>("instructions", shape::text(), text),
          field::shown<ServerScript>("capabilities", shape::object(), object)
              .says("by default, derived from what is declared"),
          field::milliseconds("latency_ms", &ServerScript::latency).says("before each answer"),
          field::milliseconds("startup_ms", &ServerScript::startup)
              .says("before it reads the first message"),
          field::text("stderr", &ServerScript::stderr_text).says("written at the start"),
          field::yes("ignores_term", &ServerScript::ignores_term).says("SIGTERM does nothing"),
          offer_row("tools", tool_fields().shape(), read_tool),
          offer_row("resources", resource_fields().shape(), read_resource),
          field::own<ServerScript>("resource_templates", shape::list(template_fields().shape()),
                                   read_templates),
          offer_row("prompts", prompt_fields().shape(), read_prompt),
          field::shown<ServerScript>("page_size", shape::whole(1, kPageSizeMax),
                                     [](ObjectReader& f, std::string_view) { (void)page_size(f); })
              .says("items on a page of a list"),
          field::items("on", &ServerScript::rules, rule_fields())
              .says("rules that replace what a method does"),
          field::own<ServerScript>("deviations", shape::list(shape::text()), read_deviations)
              .says("protocol bugs, from `plumbline list faults`"),
      });
  return kFields;
}

}  // namespace

Result<ServerScript, Problem> parse_server_script(const Json& json) {
  std::optional<Problem> problem;
  Budget repeats(repeats_budget());
  (void)charge_repeats(json, "", repeats, problem);
  if (problem) return *problem;
  ObjectReader reader(json, "", "a server", problem);
  ServerScript script;
  server_fields().read(reader, script);
  prepare_answers(reader, script);
  reader.finish();
  if (problem) return *problem;
  return script;
}

Json server_shape() { return server_fields().shape(); }

}  // namespace plumbline::fakes
