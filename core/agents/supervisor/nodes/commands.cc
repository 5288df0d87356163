// Command lines: of cli_execute, and of a workflow that wants to see what they say.

#include <optional>
#include <utility>

#include "core/agents/command_line/command_graph.h"
#include "core/agents/command_line/run/command_result.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/connector/visible_text.h"

namespace plumbline::agents::supervisor {

namespace {

using command_line::CommandRequest;
using command_line::CommandState;
using Update = SupervisorState::Update;

bool is_own_tool(const SupervisorState& state) { return tool_of(state).kind == ToolKind::kCommand; }

// work_of returns the commands as the command line's own state has them.
Result<CommandState> work_of(const SupervisorState& state) {
  CommandState out;
  if (is_own_tool(state)) {
    Result<CommandState> read = command_line::command_state_of(dump_json(state.asked.request_data));
    if (!read.ok()) return read;
    out = std::move(read).value();
  } else {
    out.commands = state.commands.cli_commands;
  }
  out.results = state.commands.cli_results;
  return out;
}

std::string text_of_results(const std::vector<Json>& results) {
  std::string out;
  for (const Json& result : results) {
    out += "$ " + string_or(result, "command", "") + "\n" + string_or(result, "stdout", "") +
           string_or(result, "stderr", "");
    if (!out.ends_with('\n')) out += '\n';
    const std::string error = string_or(result, "error", "");
    if (!error.empty()) out += "[" + string_or(result, "status", "") + ": " + error + "]\n";
  }
  return out;
}

// with_result adds what came of a command. After the last one the workflow goes on, or the tool is
// done.
Update with_result(const SupervisorState& state, const CommandState& work, Json result) {
  Update update;
  CommandWork& commands = update.commands.emplace(state.commands);
  commands.cli_commands = work.commands;
  commands.cli_results.push_back(std::move(result));
  commands.approved = false;
  if (!commands.done()) return update;
  update.routing = state.routing;
  if (!is_own_tool(state)) {
    update.routing->next_agent = kWorkflowAgent;
    update.routing->should_continue = true;
    return update;
  }
  update.answer = state.answer;
  update.answer->status = Progressing::kCompleted;
  update.answer->response_content = text_of_results(commands.cli_results);
  update.answer->response_metadata["cli_results"] = commands.cli_results;
  return update;
}

Json question_about(const SupervisorState& state, const CommandRequest& request,
                    const command_line::Permit& permit) {
  return {{"approval_id", "command-" + std::to_string(state.commands.cli_past.size() +
                                                      state.commands.cli_results.size())},
          {"server", ""},
          {"type", "command"},
          {"name", permit.command.argv.front()},
          {"arguments",
           {{"command", connector::visible_text(request.line)},
            {"folder", permit.command.cwd},
            {"program", permit.real_program}}},
          {"risks", {request.shell ? "runs a shell" : "executes_code"}},
          {"reason", "a command is to be run on this machine"}};
}

Json plain_error(const std::string& line, std::string why) {
  command_line::CommandResult result;
  result.command = line;
  result.error = std::move(why);
  return to_json(result);
}

// refusal_of returns why a person refused; nothing: they approved.
std::optional<std::string> refusal_of(const Json& answer) {
  if (bool_or(answer, "approve", false)) return std::nullopt;
  const std::string reason = string_or(answer, "reason", "");
  return "a person refused it" + (reason.empty() ? "" : ": " + reason);
}

}  // namespace

Task<SupervisorResult> cli_agent_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  command_line::CommandDesk* const desk = context.services().desk;
  Result<CommandState> read = work_of(state);
  if (!read.ok() || read.value().done()) {
    Update update;
    update.answer = failed_answer(
        state, read.ok() ? "there is no command to run" : std::string(read.error().message));
    co_return update;
  }
  const CommandState work = std::move(read).value();
  CommandRequest request = work.request();
  request.traceparent = context.traceparent();
  const std::string line = request.line;
  if (desk == nullptr)
    co_return with_result(state, work, plain_error(line, "no commands run here"));
  if (!context.notes().empty()) {
    co_return with_result(state, work, command_line::unknown_result(line));
  }
  const std::string who = context.services().who;
  const Result<command_line::Permit, command_line::Refusal> permit = desk->assess(request);
  std::optional<command_line::Refusal> refusal;
  if (!permit.ok()) refusal = permit.error();
  const Json* const answer = context.answer();
  if (answer == nullptr && permit.ok() && permit.value().approval) {
    co_return graph::Interrupt{question_about(state, request, permit.value())};
  }
  if (answer != nullptr && permit.ok()) {
    if (const auto why = refusal_of(*answer)) refusal = command_line::Refusal{"person", *why};
  }
  if (refusal) co_return with_result(state, work, to_json(desk->blocked(request, *refusal, who)));
  Json note = {{"run", line}};
  const Status noted = co_await context.note(std::move(note));
  if (!noted.ok()) {
    co_return with_result(state, work,
                          plain_error(line, "it was not run: " + noted.error().message));
  }
  std::optional<Duration> timeout;
  if (work.timeout_ms) timeout = std::chrono::milliseconds(*work.timeout_ms);
  const bool approved = answer != nullptr;
  const command_line::CommandResult result =
      co_await desk->run(std::move(request), approved, who, timeout);
  co_return with_result(state, work, to_json(result));
}

Task<SupervisorResult> remote_cli_agent_node(SupervisorContext& context) {
  Update update;
  update.answer = failed_answer(
      context.state(), "no remote host is configured, so no command was run on \"" +
                           string_or(context.state().asked.request_data, "remote_host", "") + '"');
  co_return update;
}

}  // namespace plumbline::agents::supervisor
