// Command lines: of cli_execute, and of a workflow that wants to see what they say.

#include <optional>
#include <utility>

#include "core/agents/command_line/command_graph.h"
#include "core/agents/supervisor/nodes/command_steps.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/connector/visible_text.h"

namespace plumbline::agents::supervisor {

namespace {

using command_line::CommandRequest;
using command_line::CommandState;
using Update = SupervisorState::Update;

// work_of returns the commands as the command line's own state has them.
Result<CommandState> work_of(const SupervisorState& state) {
  CommandState out;
  if (tool_of(state).kind == ToolKind::kCommand) {
    Result<CommandState> read = command_line::command_state_of(dump_json(state.asked.request_data));
    if (!read.ok()) return read;
    out = std::move(read).value();
  } else {
    out.commands = state.commands.cli_commands;
  }
  out.results = state.commands.cli_results;
  return out;
}

// lines_of returns the commands of a tool's arguments.
std::vector<std::string> lines_of(const Json& arguments) {
  std::vector<std::string> out;
  const Json* const commands = find(arguments, "commands");
  for (const Json& each : commands != nullptr ? *commands : Json::array()) {
    if (each.is_string()) out.push_back(each.get<std::string>());
  }
  return out;
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
    co_return with_result(state, work.commands, plain_error(line, "no commands run here"));
  if (!context.notes().empty()) {
    co_return with_result(state, work.commands, command_line::unknown_result(line));
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
  if (refusal)
    co_return with_result(state, work.commands, to_json(desk->blocked(request, *refusal, who)));
  Json note = {{"run", line}};
  const Status noted = co_await context.note(std::move(note));
  if (!noted.ok()) {
    co_return with_result(state, work.commands,
                          plain_error(line, "it was not run: " + noted.error().message));
  }
  std::optional<Duration> timeout;
  if (work.timeout_ms) timeout = std::chrono::milliseconds(*work.timeout_ms);
  const bool approved = answer != nullptr;
  const command_line::CommandResult result =
      co_await desk->run(std::move(request), approved, who, timeout);
  co_return with_result(state, work.commands, to_json(result));
}

void add_unknown_result(SupervisorState& state) {
  CommandWork& work = state.commands;
  if (work.cli_commands.empty()) work.cli_commands = lines_of(state.asked.request_data);
  if (work.done()) return;
  work.cli_results.push_back(
      command_line::unknown_result(work.cli_commands[work.cli_results.size()]));
}

}  // namespace plumbline::agents::supervisor
