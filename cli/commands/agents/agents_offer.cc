#include "cli/commands/agents/agents_offer.h"

#include <algorithm>
#include <utility>

#include "core/agents/supervisor/tools/tool_table.h"
#include "core/base/errors/errors.h"

namespace plumbline::cli {

namespace {

namespace sv = agents::supervisor;

constexpr const char* kContinuePrompt = "continue";

bool offers(const AgentsOffer& offer, const sv::ToolSpec& tool) {
  if (tool.kind == sv::ToolKind::kCommand && !offer.commands) return false;
  if (tool.kind == sv::ToolKind::kRemote && !offer.remote) return false;
  if (tool.input == sv::ToolInput::kNothing || offer.tools.empty()) return true;
  return std::ranges::find(offer.tools, tool.name) != offer.tools.end();
}

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string shortened(std::string text, std::size_t bytes_max) {
  if (text.size() > bytes_max) text = text.substr(0, bytes_max) + "...";
  return text;
}

std::string commands_in_words(const AgentsOffer& offer) {
  if (!offer.commands && !offer.remote) return "off";
  std::string out = offer.commands ? "on this machine" : "";
  if (offer.remote) out += std::string(out.empty() ? "" : " and ") + "on other machines";
  return out + (offer.approval ? ", each approved by a person first" : ", without asking a person");
}

// instructions is what a client tells its model of this server.
std::string instructions(const AgentsOffer& offer) {
  constexpr std::size_t kRootsBytesMax = 200;
  constexpr std::size_t kWhyBytesMax = 160;
  std::string out =
      "Second opinions and guided work from other language models. Two ways to call the workflow "
      "tools (debug, codereview, planner, ...): if you can read the code yourself, send your own "
      "steps (step, step_number, total_steps, next_step_required, findings); the answer tells you "
      "what to look for next, and a model judges at the end. Otherwise send a prompt, and the "
      "server's model makes the steps. Pass thread_id of an answer to go on with it, in any tool. "
      "Name a model only if the user does, exactly as they write it.\n";
  out += offer.roots.empty()
             ? "No files can be read.\n"
             : "Files below " + shortened(listed(offer.roots), kRootsBytesMax) + " can be read.\n";
  out += "Commands: " + commands_in_words(offer) + ".";
  if (!offer.no_model.empty()) {
    out += "\nNo model can be asked: " + shortened(offer.no_model, kWhyBytesMax) +
           ". Workflows whose steps you send go on without one.";
  }
  return out;
}

Json argument(const char* name, const char* what, bool required) {
  return {{"name", name}, {"description", what}, {"required", required}};
}

Json prompt_of(std::string name, std::string title, std::string what) {
  return {
      {"name", std::move(name)},
      {"title", std::move(title)},
      {"description", std::move(what)},
      {"arguments",
       {argument("request", "What is asked", true), argument("model", "Which model answers", false),
        argument("files", "Paths of files to read, separated by commas", false)}}};
}

}  // namespace

Status check_tools(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const Result<const sv::ToolSpec*> known = sv::find_tool(name);
    if (!known.ok()) {
      return the_error("agents.unknown-tool", known.error().message);
    }
  }
  return Done{};
}

void offer_agents(const AgentsOffer& offer, mcp::ServerOptions& out) {
  const sv::ToolOffer with{.commands = offer.commands};
  for (const std::span<const sv::ToolSpec> some : {sv::all_tools(), sv::command_tools()}) {
    for (const sv::ToolSpec& tool : some) {
      if (!offers(offer, tool)) continue;
      Json& offered = out.tools.emplace_back(sv::mcp_tool(tool, with));
      if (tool.input != sv::ToolInput::kNothing) {
        // One that takes time may become a task.
        offered["execution"]["taskSupport"] = "optional";
      }
    }
  }
  for (const sv::ToolSpec& tool : sv::all_tools()) {
    if (!offers(offer, tool) || tool.input == sv::ToolInput::kNothing) continue;
    out.prompts.push_back(
        prompt_of(std::string(tool.name), std::string(tool.title), std::string(tool.description)));
  }
  out.prompts.push_back(
      prompt_of(kContinuePrompt, "Continue", "Go on with the last thread of these tools."));
  out.instructions = instructions(offer);
}

Json facts_of(const AgentsOffer& offer, const mcp::ServerOptions& options) {
  Json tools = Json::array();
  Json left_out = Json::array();
  for (const std::span<const sv::ToolSpec> some : {sv::all_tools(), sv::command_tools()}) {
    for (const sv::ToolSpec& tool : some) {
      (offers(offer, tool) ? tools : left_out).push_back(tool.name);
    }
  }
  return {{"version", options.version},
          {"revisions", mcp::spoken(options)},
          {"roots", offer.roots},
          {"commands", commands_in_words(offer)},
          {"threads", offer.threads},
          {"tools", std::move(tools)},
          {"tools_left_out", std::move(left_out)}};
}

mcp::Reply<Json> agents_prompt(const Json& params) {
  const std::string name = string_or(params, "name", "");
  const Json* const given = find(params, "arguments");
  const Json arguments = given != nullptr ? *given : Json::object();
  std::string text = name == kContinuePrompt
                         ? "Go on with the thread that the last answer of these tools named, and "
                           "pass its thread_id."
                         : "Use the tool `" + name + "`.";
  text += " What is asked: " + string_or(arguments, "request", "");
  const std::string model = string_or(arguments, "model", "");
  if (!model.empty()) text += "\nUse the model: " + model;
  const std::string files = string_or(arguments, "files", "");
  if (!files.empty()) text += "\nPass these files: " + files;
  return Json{{"messages",
               {{{"role", "user"}, {"content", {{"type", "text"}, {"text", std::move(text)}}}}}}};
}

}  // namespace plumbline::cli
