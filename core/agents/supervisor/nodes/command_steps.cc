#include "core/agents/supervisor/nodes/command_steps.h"

#include <utility>

#include "core/agents/command_line/run/command_result.h"
#include "core/agents/command_line/run/output_keeper.h"
#include "core/base/limits.h"
#include "core/base/text.h"

namespace plumbline::agents::supervisor {

namespace {

// text_of_results is what a person reads of them: so much and no more.
std::string text_of_results(const std::vector<Json>& results) {
  std::string out;
  for (const Json& result : results) {
    out += "$ " + string_or(result, "command", "") + "\n" + string_or(result, "stdout", "") +
           string_or(result, "stderr", "");
    if (!out.ends_with('\n')) out += '\n';
    const std::string error = string_or(result, "error", "");
    if (!error.empty()) out += "[" + string_or(result, "status", "") + ": " + error + "]\n";
  }
  constexpr auto kMax = static_cast<std::size_t>(limits::kContextBytesMax);
  if (out.size() <= kMax) return out;
  const std::string_view kept = beginning(out, kMax);
  return std::string(kept) + command_line::cut_mark(out.size() - kept.size());
}

}  // namespace

SupervisorState::Update with_result(const SupervisorState& state, std::vector<std::string> commands,
                                    Json result) {
  SupervisorState::Update update;
  CommandWork& work = update.commands.emplace(state.commands);
  work.cli_commands = std::move(commands);
  work.cli_results.push_back(std::move(result));
  if (!work.done()) return update;
  update.routing = state.routing;
  const bool of_workflow = tool_of(state).kind == ToolKind::kWorkflow;
  if (of_workflow) {
    update.routing->next_agent = kWorkflowAgent;
    update.routing->should_continue = true;
    return update;
  }
  update.answer = state.answer;
  update.answer->status = Progressing::kCompleted;
  update.answer->response_content = text_of_results(work.cli_results);
  update.answer->response_metadata["cli_results"] = work.cli_results;
  return update;
}

Json plain_error(const std::string& line, std::string why) {
  command_line::CommandResult result;
  result.command = line;
  result.error = std::move(why);
  return to_json(result);
}

}  // namespace plumbline::agents::supervisor
