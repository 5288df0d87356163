// Command lines: of cli_execute, and of a workflow that wants to see what they say.

#include <algorithm>
#include <optional>
#include <utility>

#include "core/agents/command_line/command_graph.h"
#include "core/agents/supervisor/nodes/command_steps.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"

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

// Decided is what is to be done with a command: ask about it, say why it does not run, or run it.
struct Decided {
  std::optional<Json> question{};
  std::optional<command_line::Refusal> refusal{};
  std::string approved{};  // Its digest, by a person; empty where nobody has to be asked.
};

Decided decide(const SupervisorState& state, const CommandRequest& request,
               const command_line::CommandDesk& desk, const std::string& who, const Json* answer) {
  const Result<command_line::Prepared, command_line::Refusal> prepared = desk.prepare(request, who);
  if (!prepared.ok()) return {.refusal = prepared.error()};
  if (!prepared.value().permit.approval) return {};
  const approvals::Action& action = prepared.value().action;
  std::string digest = digest_of(action);
  const std::vector<std::string>& remembered = state.conversation.remembered;
  const bool known = std::ranges::find(remembered, digest) != remembered.end();
  if (known) return {.approved = std::move(digest)};
  const approvals::Judged judged = judge(action, answer);
  if (judged.standing == approvals::Standing::kApproved) return {.approved = std::move(digest)};
  if (judged.standing == approvals::Standing::kRefused) {
    return {.refusal = command_line::Refusal{"person", judged.why}};
  }
  if (command_line::is_altered(request.line, judged)) return {.refusal = command_line::altered()};
  const std::size_t number = state.commands.cli_past.size() + state.commands.cli_results.size();
  return {.question = command_line::question_of(prepared.value(), number, judged)};
}

// remember has the same command approved for the rest of the thread.
void remember(const SupervisorState& state, std::string digest, SupervisorState::Update& update) {
  Conversation& conversation = update.conversation.emplace(state.conversation);
  conversation.remembered.push_back(std::move(digest));
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
    co_return with_result(state, work.commands,
                          plain_error(line, "commands are off on this server"));
  if (!context.notes().empty()) {
    co_return with_result(state, work.commands, command_line::unknown_result(line));
  }
  const std::string who = context.services().who;
  Decided decided = decide(state, request, *desk, who, context.answer());
  if (decided.question) co_return graph::Interrupt{*std::move(decided.question)};
  if (decided.refusal) {
    const command_line::CommandResult blocked = desk->blocked(request, *decided.refusal, who);
    co_return with_result(state, work.commands, to_json(blocked));
  }
  Json note = {{"run", line}};
  const Status noted = co_await context.note(std::move(note));
  if (!noted.ok()) {
    co_return with_result(state, work.commands,
                          plain_error(line, "it was not run: " + noted.error().message));
  }
  std::optional<Duration> timeout;
  if (work.timeout_ms) timeout = std::chrono::milliseconds(*work.timeout_ms);
  std::string approved = decided.approved;
  const command_line::CommandResult result =
      co_await desk->run(std::move(request), std::move(approved), who, timeout);
  Update update = with_result(state, work.commands, to_json(result));
  const bool keep = context.answer() != nullptr && bool_or(*context.answer(), "remember", false);
  if (keep) remember(state, std::move(decided.approved), update);
  co_return update;
}

void add_unknown_result(SupervisorState& state) {
  CommandWork& work = state.commands;
  if (work.cli_commands.empty()) work.cli_commands = lines_of(state.asked.request_data);
  if (work.done()) return;
  work.cli_results.push_back(
      command_line::unknown_result(work.cli_commands[work.cli_results.size()]));
}

}  // namespace plumbline::agents::supervisor
