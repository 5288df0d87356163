#include "core/agents/supervisor/tools/tool_table.h"

#include <array>

namespace plumbline::agents::supervisor {

namespace {

using enum ToolKind;
using enum ToolInput;

// Simple tools, then workflows.
constexpr std::array kTools = {
    ToolSpec{"chat", "Chat", "Talk with a model about development: ideas, questions, second looks.",
             kSimple, kPrompt,
             "You are a colleague who develops software. Answer what is asked, say what you do not "
             "know, and keep to what the files and the conversation show.",
             "", "", false},
    ToolSpec{"challenge", "Challenge",
             "Put a statement to the test instead of agreeing with it: what speaks against it?",
             kSimple, kPrompt,
             "You are given a statement. Do not agree out of politeness: look for what is wrong, "
             "missing or only assumed in it, then say whether it holds, and why.",
             "", "", false},
    ToolSpec{"thinkdeep", "Think deeply",
             "Think a hard problem through: alternatives, edge cases, risks, then a judgement.",
             kSimple, kPrompt,
             "You extend the thoughts of an able engineer. Look for alternatives, for the cases at "
             "the edges and for what could go wrong, weigh them, and end with a recommendation.",
             "", "", false},
    ToolSpec{"listmodels", "List models", "List the models that the tools can be answered by.",
             kSimple, kNothing, "", "", "", false},
    ToolSpec{"version", "Version", "Say the version of this server and what it offers.", kSimple,
             kNothing, "", "", "", false},
    ToolSpec{"debug", "Debug", "Find the root cause of a fault in steps, each with its evidence.",
             kWorkflow, kSteps,
             "You look for the root cause of a fault. Form hypotheses, and for each name what in "
             "the files or outputs speaks for and against it. Never guess past the evidence.",
             "the symptom, each hypothesis, and the lines that prove or refute it",
             "one cause explains every symptom, or every hypothesis has been refuted"},
    ToolSpec{"codereview", "Code review",
             "Review code in steps: correctness, security, performance, maintainability.",
             kWorkflow, kSteps,
             "You review code. Report what is wrong with its file, line and severity, the gravest "
             "first, and say how to put it right. Praise nothing; report no matter of taste.",
             "faults with file, line and severity, and what could not be reviewed",
             "every file in question was read and each fault has a severity"},
    ToolSpec{"refactor", "Refactor",
             "Find where code should be taken apart or simplified, and in which order.", kWorkflow,
             kSteps,
             "You look for code that could be simpler: what is repeated, what is too long, what "
             "does not belong together. Propose small moves that keep the behaviour.",
             "places that are hard to change, and the move that would help each",
             "the moves are in an order in which each leaves the code working"},
    ToolSpec{"planner", "Planner", "Plan work in steps that can be revised and branched.",
             kWorkflow, kSteps,
             "You turn a goal into a plan: steps in order, what each needs, how it is known that "
             "it is done, and where the plan may have to fork.",
             "steps, what they depend on, and what is still unknown",
             "every part of the goal is covered by a step", false},
    ToolSpec{"consensus", "Consensus",
             "Ask several models at once, some for and some against, then weigh their answers.",
             kWorkflow, kVoices,
             "Several models have judged a proposal. Say where they agree, where they differ and "
             "why, then recommend what to do.",
             "the proposal, and an opinion of each model", "every model was heard or has failed"},
    ToolSpec{"precommit", "Pre-commit", "Check changes before they are committed.", kWorkflow,
             kSteps,
             "You check changes before they are committed: do they do what was asked, what do they "
             "break, which tests and documents are missing?",
             "faults that the change brings, with file, line and severity, and missing tests",
             "every changed file was compared with what was asked for"},
    ToolSpec{"secaudit", "Security audit", "Audit code for weaknesses that can be exploited.",
             kWorkflow, kSteps,
             "You audit code for security. For each weakness say who can exploit it, how, what is "
             "lost and how to close it. What cannot be exploited is not a finding.",
             "weaknesses with file, line and severity, and the way to exploit each",
             "every entry point was followed to where its input is used"},
    ToolSpec{"docgen", "Documentation", "Document code: what it promises, needs and costs.",
             kWorkflow, kSteps,
             "You document code for those who call it: what it does, what it needs, what it "
             "returns on each failure, what it costs. You change no behaviour.",
             "what lacks documentation, and faults that were noticed while reading",
             "everything public in the files has been documented", false},
    ToolSpec{"analyze", "Analyze", "Understand code: its structure, its flow of data, its risks.",
             kWorkflow, kSteps,
             "You explain how code is built: its parts, how they depend on each other, how data "
             "flows, and which of its decisions will be costly later.",
             "parts, dependencies and decisions, with the file and line that shows each",
             "the question can be answered from what was read"},
    ToolSpec{"tracer", "Tracer", "Follow calls or dependencies through code.", kWorkflow, kSteps,
             "You follow a call or a dependency through code: who calls what, under which "
             "conditions, with which side effects.",
             "each call or dependency with file and line, and its side effects",
             "every branch ends in code that calls nothing of interest", false},
    ToolSpec{"testgen", "Test generation", "Find what should be tested and write those tests.",
             kWorkflow, kSteps,
             "You write tests: the cases that matter, those at the edges, and those that must "
             "fail. Keep to the framework and the style of the tests that are there.",
             "behaviour without a test, cases at the edges, and how each can break",
             "each behaviour in question has a case that would fail without it"},
};
static_assert(kTools.size() == 16);

constexpr std::array kCommandTools = {
    ToolSpec{"cli_execute", "Run commands", "Execute CLI commands locally on the server, by rules.",
             kCommand, kCommands, "", "", "", false},
    ToolSpec{"remote_cli", "Run remote commands",
             "Execute CLI commands on remote systems via SSH or API, by stricter rules.", kRemote,
             kRemoteCommands, "", "", "", false},
};

Json text(const char* what) { return {{"type", "string"}, {"description", what}}; }
Json texts(const char* what) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", what}};
}
Json whole(const char* what) {
  return {{"type", "integer"}, {"minimum", 1}, {"description", what}};
}

// What continues a conversation, in every tool that has one.
void add_thread(Json& properties) {
  properties["thread_id"] = text("The thread to continue, as an earlier answer named it");
  properties["continuation_id"] = text("The same as thread_id");
}

Json prompt_properties() {
  Json out = {{"prompt", text("What is asked")},
              {"files", texts("Absolute paths of files and folders to read")},
              {"images", texts("Absolute paths of images")},
              {"model", text("Which model answers; none: one is chosen")},
              {"temperature", {{"type", "number"}, {"minimum", 0}, {"maximum", 2}}},
              {"thinking_mode", text("How long a model may think, where it can be told")}};
  add_thread(out);
  return out;
}

Json finding_schema() {
  return {{"type", "object"},
          {"required", {"text"}},
          {"properties",
           {{"text", text("What was found")},
            {"file", text("Where: its path")},
            {"line", whole("Where: the line, from 1")},
            {"severity",
             {{"type", "string"}, {"enum", {"info", "low", "medium", "high", "critical"}}}}}}};
}

Json step_properties() {
  Json out = prompt_properties();
  out["prompt"] = text("What is to be done, where the server is to make the steps itself");
  out["step"] = text(
      "Your own step: what was done and what it showed. Goes with step_number, "
      "total_steps and next_step_required");
  out["step_number"] = whole("Which step this is, from 1");
  out["total_steps"] = whole("How many steps are expected by now");
  out["next_step_required"] = {{"type", "boolean"}, {"description", "Whether another step is due"}};
  out["findings"] = {
      {"type", "array"}, {"items", finding_schema()}, {"description", "What this step has found"}};
  out["confidence"] = {
      {"type", "string"},
      {"enum", {"exploring", "low", "medium", "high", "very_high", "almost_certain", "certain"}},
      {"description", "How sure you are of what was found"}};
  out["backtrack_from_step"] = whole("Forget this step and all after it first");
  out["commands"] = texts("Command lines to run before this step is answered");
  return out;
}

Json voice_properties() {
  Json out = prompt_properties();
  out["models"] = {
      {"type", "array"},
      {"maxItems", 8},
      {"items",
       {{"type", "object"},
        {"required", {"model"}},
        {"properties",
         {{"model", text("Its name")},
          {"stance", {{"type", "string"}, {"enum", {"for", "against", "neutral"}}}}}}}},
      {"description", "Who is asked, and which side each takes; none: those of the settings"}};
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

std::span<const ToolSpec> all_tools() { return kTools; }

std::span<const ToolSpec> command_tools() { return kCommandTools; }

Result<const ToolSpec*> find_tool(std::string_view name) {
  std::string names;
  for (const std::span<const ToolSpec> some : {all_tools(), command_tools()}) {
    for (const ToolSpec& tool : some) {
      if (tool.name == name) return &tool;
      names += (names.empty() ? "" : ", ") + std::string(tool.name);
    }
  }
  constexpr std::size_t kShownBytesMax = 64;
  return Error{ErrorCode::kInvalidInput, "there is no tool \"" +
                                             std::string(name.substr(0, kShownBytesMax)) +
                                             "\"; there are " + names};
}

Json input_schema(const ToolSpec& tool) {
  switch (tool.input) {
    case kNothing:
      return schema_of(Json::object(), Json::array());
    case kPrompt:
      return schema_of(prompt_properties(), {"prompt"});
    case kSteps:
      return schema_of(step_properties(), Json::array());
    case kVoices:
      return schema_of(voice_properties(), {"prompt"});
    case kCommands:
      return schema_of(command_properties(), {"commands"});
    case kRemoteCommands:
      return schema_of(remote_properties(), {"remote_host", "commands"});
  }
  return Json::object();
}

Json mcp_tool(const ToolSpec& tool) {
  const bool runs = tool.kind == kCommand || tool.kind == kRemote || tool.input == kSteps;
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", input_schema(tool)},
          {"annotations",
           {{"readOnlyHint", !runs}, {"destructiveHint", runs}, {"openWorldHint", true}}}};
}

}  // namespace plumbline::agents::supervisor
