// What a client is told of each tool: its arguments, its answers, what it may do.

#include <array>
#include <utility>

#include "core/agents/supervisor/tools/tool_table.h"

namespace plumbline::agents::supervisor {

namespace {

using enum ToolKind;
using enum ToolInput;

Json text(const char* what) { return {{"type", "string"}, {"description", what}}; }
Json texts(const char* what) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", what}};
}
// Numbers are judged where they are read: what is told of them to every client is kept short.
Json whole(const char* what) {
  Json out = {{"type", "integer"}};
  if (*what != '\0') out["description"] = what;
  return out;
}
Json truth(const char* what) { return {{"type", "boolean"}, {"description", what}}; }
Json one_of(std::initializer_list<const char*> names) {
  Json out = {{"enum", Json::array()}};
  for (const char* const name : names) out["enum"].push_back(name);
  return out;
}

// What continues a conversation, in every tool that has one.
void add_thread(Json& properties) {
  properties["thread_id"] = text("Of an earlier answer");
  properties["continuation_id"] = {{"type", "string"}};
}

Json prompt_properties() {
  Json out = {{"prompt", text("What is asked")},
              {"files", texts("Files, folders, patterns")},
              {"images", {{"type", "array"}, {"items", {{"type", "string"}}}}},
              {"model", text("Only if the user names one")},
              {"temperature", {{"type", "number"}, {"minimum", 0}, {"maximum", 2}}},
              {"thinking_mode", one_of({"minimal", "low", "medium", "high", "max"})}};
  add_thread(out);
  return out;
}

Json finding_schema(const ToolSpec& tool) {
  Json out = {{"type", "object"},
              {"required", {"text"}},
              {"properties",
               {{"text", {{"type", "string"}}},
                {"file", {{"type", "string"}}},
                {"line", {{"type", "integer"}}},
                {"severity", one_of({"info", "low", "medium", "high", "critical"})}}}};
  Json& properties = out["properties"];
  if (tool.name == "tracer") {
    for (const char* const name : {"from", "to", "condition"}) {
      properties[name] = {{"type", "string"}};
    }
    properties["sure"] = {{"type", "boolean"}};
  }
  if (tool.name == "secaudit") properties["category"] = {{"type", "string"}};
  if (tool.name == "refactor") properties["kind"] = {{"type", "string"}};
  return out;
}

// OwnArgument is an argument that only some tools have.
struct OwnArgument {
  std::string_view tool;
  const char* name;
  const char* what;
  bool many = false;  // A list of texts.
};

constexpr std::array kOwnArguments = {
    OwnArgument{"thinkdeep", "focus", "What to look at", true},
    OwnArgument{"debug", "hypothesis", "Of this step"},
    OwnArgument{"codereview", "focus", "Such as security"},
    OwnArgument{"codereview", "severity_filter", "The lowest to report"},
    OwnArgument{"codereview", "standards", "Text or a path"},
    OwnArgument{"refactor", "focus", "split, smells, modernize, organize, or words"},
    OwnArgument{"refactor", "style_examples", "Paths", true},
    OwnArgument{"precommit", "focus", "What to look at"},
    OwnArgument{"precommit", "severity_filter", "The lowest to report"},
    OwnArgument{"precommit", "compare_to", "A git ref to compare with"},
    OwnArgument{"secaudit", "focus", "What to look at"},
    OwnArgument{"secaudit", "severity_filter", "The lowest to report"},
    OwnArgument{"secaudit", "scope", "What it is, who uses it, what to protect"},
    OwnArgument{"secaudit", "compliance", "Standards", true},
    OwnArgument{"docgen", "style", "comments, reference, readme, or words"},
    OwnArgument{"docgen", "audience", "Who reads it"},
    OwnArgument{"docgen", "files_done", "Documented in this step", true},
    OwnArgument{"analyze", "focus", "architecture, performance, security, quality, or words"},
    OwnArgument{"analyze", "detail", "summary or full"},
    OwnArgument{"tracer", "target", "What is traced: a name, or file:line"},
    OwnArgument{"tracer", "trace_mode", "precision (calls) or dependencies"},
    OwnArgument{"testgen", "framework", "The test framework"},
    OwnArgument{"testgen", "test_examples", "Paths", true},
    OwnArgument{"planner", "branch", "Of the plan"},
};

void add_own(const ToolSpec& tool, Json& properties) {
  for (const OwnArgument& own : kOwnArguments) {
    if (own.tool == tool.name) properties[own.name] = own.many ? texts(own.what) : text(own.what);
  }
  if (tool.name != "planner") return;
  properties["branch_from_step"] = whole("Where the branch begins");
  properties["revises_step"] = whole("Is replaced by this step");
}

Json findings(const ToolSpec& tool, const char* what) {
  return {{"type", "array"}, {"items", finding_schema(tool)}, {"description", what}};
}

Json step_properties(const ToolSpec& tool, const ToolOffer& offer) {
  Json out = prompt_properties();
  out["prompt"] = text("What is to be done: the server makes the steps");
  out["step"] = text("Or your own step: what it showed");
  out["step_number"] = whole("From 1");
  out["total_steps"] = whole("");
  out["next_step_required"] = Json{{"type", "boolean"}};
  out["findings"] = Json{{"type", "array"}, {"items", finding_schema(tool)}};
  out["confidence"] =
      one_of({"exploring", "low", "medium", "high", "very_high", "almost_certain", "certain"});
  out["backtrack_from_step"] = whole("Forget this step and all after it");
  out["use_assistant_model"] = truth("A model judges at the end");
  if (offer.commands) out["commands"] = texts("Command lines to run in this step");
  return out;
}

Json voice_properties(const ToolSpec& tool) {
  Json out = prompt_properties();
  Json voice = {{"type", "object"},
                {"required", {"model"}},
                {"properties",
                 {{"model", text("Its name")},
                  {"stance", one_of({"for", "against", "neutral"})},
                  {"stance_prompt", text("In place of the usual words for its side")}}}};
  out["models"] = {{"type", "array"},
                   {"maxItems", 8},
                   {"items", std::move(voice)},
                   {"description", "Who is asked; none: those of the settings"}};
  out["findings"] = findings(tool, "Your own view, for the judge alone");
  return out;
}

Json command_properties() {
  Json out = {{"commands", texts("List of CLI commands to execute")},
              {"working_directory", text("Working directory for command execution")},
              {"timeout", whole("Timeout in seconds")},
              {"env_vars", {{"type", "object"}, {"description", "Environment variables"}}}};
  out["timeout"]["default"] = 30;
  add_thread(out);
  return out;
}

Json remote_properties() {
  Json out = {
      {"remote_host", text("SSH: user@host:port, API: https://api.host.com")},
      {"auth_method",
       {{"type", "string"},
        {"enum", {"ssh_key", "ssh_password", "api_token"}},
        {"default", "ssh_key"}}},
      {"credentials",
       {{"type", "object"},
        {"description", "Not taken from a call, which is kept: they come from the settings"}}},
      {"commands", texts("Commands to execute remotely")},
      {"timeout", whole("Timeout in seconds")}};
  out["timeout"]["default"] = 60;
  return out;
}

Json schema_of(Json properties, Json required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace

Json input_schema(const ToolSpec& tool, const ToolOffer& offer) {
  Json properties = Json::object();
  Json required = Json::array();
  switch (tool.input) {
    case kNothing:
      break;
    case kPrompt:
      properties = prompt_properties();
      if (tool.name == "thinkdeep") properties["findings"] = findings(tool, "What is known");
      if (tool.name == "challenge") {
        properties["use_assistant_model"] = truth("False: no model is asked");
      }
      required = {"prompt"};
      break;
    case kSteps:
      properties = step_properties(tool, offer);
      break;
    case kVoices:
      properties = voice_properties(tool);
      required = {"prompt"};
      break;
    case kCommands:
      return schema_of(command_properties(), {"commands"});
    case kRemoteCommands:
      return schema_of(remote_properties(), {"remote_host", "commands"});
  }
  add_own(tool, properties);
  return schema_of(std::move(properties), std::move(required));
}

Json output_schema() { return {{"type", "object"}, {"required", {"status", "tool", "content"}}}; }

Json mcp_tool(const ToolSpec& tool, const ToolOffer& offer) {
  const bool runs =
      tool.kind == kCommand || tool.kind == kRemote || (tool.input == kSteps && offer.commands);
  const bool fixed = tool.input == kNothing;  // It asks nobody.
  Json annotations = {{"readOnlyHint", !runs}, {"openWorldHint", !fixed}};
  if (runs) annotations["destructiveHint"] = true;
  if (fixed) annotations["idempotentHint"] = true;
  Json out = {{"name", tool.name},
              {"title", tool.title},
              {"description", tool.description},
              {"inputSchema", input_schema(tool, offer)},
              {"annotations", std::move(annotations)}};
  out["outputSchema"] = output_schema();
  return out;
}

std::string renamed_arguments(const Json& arguments) {
  // As servers of such tools call them elsewhere, and as they are called here.
  constexpr std::array<std::pair<const char*, const char*>, 6> kRenamed = {{
      {"absolute_file_paths", "files"},
      {"relevant_files", "files"},
      {"file_paths", "files"},
      {"issues_found", "findings"},
      {"question", "prompt"},
      {"conversation_id", "thread_id"},
  }};
  std::string out;
  if (!arguments.is_object()) return out;
  for (const auto& [theirs, ours] : kRenamed) {
    if (!arguments.contains(theirs)) continue;
    out +=
        std::string(out.empty() ? "" : " ") + "\"" + theirs + "\" is called \"" + ours + "\" here.";
  }
  return out;
}

}  // namespace plumbline::agents::supervisor
