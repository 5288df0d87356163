#include "core/agents/command_line/command_graph.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/graph/builder.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::string_view kTakenOut = "[redacted]";  // By whoever keeps a state.

using CommandContext = graph::Context<CommandState, CommandServices>;
using CommandNode = graph::NodeResult<CommandState>;

CommandState::Update result_update(Json result) {
  CommandState::Update update;
  update.results.push_back(std::move(result));
  update.approved = "";
  update.next = kCheckCommand;
  return update;
}

CommandState::Update go_to(std::string_view node) {
  CommandState::Update update;
  update.next = node;
  return update;
}

Task<CommandNode> check_command(CommandContext& context) {
  const CommandState& state = context.state();
  if (state.done() || !state.errors.empty()) co_return go_to(kAnswer);
  CommandDesk* const desk = context.services().desk;
  if (desk == nullptr) {
    CommandState::Update update = go_to(kAnswer);
    update.errors.emplace_back("no commands are run here");
    co_return update;
  }
  const CommandRequest request = state.request();
  const Result<Prepared, Refusal> prepared = desk->prepare(request, state.who);
  if (!prepared.ok()) {
    co_return result_update(to_json(desk->blocked(request, prepared.error(), state.who)));
  }
  std::string digest = digest_of(prepared.value().action);
  const bool remembered = std::ranges::find(state.remembered, digest) != state.remembered.end();
  CommandState::Update update =
      go_to(prepared.value().permit.approval && !remembered ? kAskPerson : kRunCommand);
  update.approved = remembered ? std::move(digest) : "";
  co_return update;
}

Task<CommandNode> ask_person(CommandContext& context) {
  const CommandState& state = context.state();
  CommandDesk& desk = *context.services().desk;
  const CommandRequest request = state.request();
  const Result<Prepared, Refusal> prepared = desk.prepare(request, state.who);
  if (!prepared.ok()) {
    co_return result_update(to_json(desk.blocked(request, prepared.error(), state.who)));
  }
  const approvals::Judged judged = judge(prepared.value().action, context.answer());
  if (judged.standing == approvals::Standing::kRefused) {
    const Refusal refusal{"person", judged.why};
    co_return result_update(to_json(desk.blocked(request, refusal, state.who)));
  }
  if (judged.standing == approvals::Standing::kOpen) {
    if (is_altered(request.line, judged)) {
      co_return result_update(to_json(desk.blocked(request, altered(), state.who)));
    }
    co_return graph::Interrupt{question_of(prepared.value(), state.results.size(), judged)};
  }
  CommandState::Update update = go_to(kRunCommand);
  update.approved = digest_of(prepared.value().action);
  if (bool_or(*context.answer(), "remember", false)) update.remembered = {*update.approved};
  co_return update;
}

Task<CommandNode> run_command(CommandContext& context) {
  CommandRequest request = context.state().request();
  request.traceparent = context.traceparent();
  if (!context.notes().empty()) co_return result_update(unknown_result(request.line));
  Json note = {{"run", request.line}};
  const Status noted = co_await context.note(std::move(note));
  if (!noted.ok()) {
    CommandResult result;
    result.command = request.line;
    result.error = "it was not run: that it would be could not be kept: " + noted.error().message;
    co_return result_update(to_json(result));
  }
  std::optional<Duration> timeout;
  if (context.state().timeout_ms) timeout = std::chrono::milliseconds(*context.state().timeout_ms);
  std::string approved = context.state().approved;
  std::string who = context.state().who;
  const CommandResult result = co_await context.services().desk->run(
      std::move(request), std::move(approved), std::move(who), timeout);
  co_return result_update(to_json(result));
}

Task<CommandNode> answer(CommandContext& context) {
  CommandState::Update update;
  update.final_output = final_output_of(context.state());
  co_return update;
}

// response_of puts results before a person.
std::string response_of(const CommandState& state) {
  std::string text;
  for (const Json& result : state.results) {
    text += "$ " + string_or(result, "command", "") + "\n" + string_or(result, "stdout", "") +
            string_or(result, "stderr", "");
    if (!text.ends_with('\n')) text += '\n';
    const std::string error = string_or(result, "error", "");
    if (!error.empty()) text += "[" + string_or(result, "status", "") + ": " + error + "]\n";
  }
  for (const std::string& error : state.errors) text += "[" + error + "]\n";
  return text.empty() ? "there was no command to run\n" : text;
}

}  // namespace

Json question_of(const Prepared& prepared, std::size_t number, const approvals::Judged& judged) {
  const bool shell = prepared.action.shell;
  approvals::Asked asked;
  asked.place = "command-" + std::to_string(number);
  const std::string& runs = prepared.permit.runs;
  asked.risks = {shell ? "runs a shell" : runs.empty() ? "executes_code" : "runs_anything"};
  asked.reason = "a command is to be run on this machine";
  if (!runs.empty()) asked.reason += ", and it runs more than its name says";
  if (!judged.why.empty()) asked.reason = judged.why;
  asked.remembers = true;
  return question_about(prepared.action, asked);
}

bool is_altered(const std::string& line, const approvals::Judged& judged) {
  return !judged.why.empty() && line.find(kTakenOut) != std::string::npos;
}

Refusal altered() {
  return {"approval",
          "it is not kept as it was approved, for a secret was taken out of what is kept: ask for "
          "it again"};
}

Json unknown_result(const std::string& line) {
  CommandResult result;
  result.command = line;
  result.outcome_unknown = true;
  result.error =
      "it is not known whether it ran: it may have, to its end or not, and is not run again";
  return to_json(result);
}

Json final_output_of(const CommandState& state) {
  std::string_view status = state.errors.empty() ? "ok" : "failed";
  bool unknown = false;
  std::vector<std::string> errors = state.errors;
  for (const Json& result : state.results) {
    const std::string ended = string_or(result, "status", "");
    if (ended == "success") continue;
    errors.push_back(string_or(result, "command", "") + ": " + string_or(result, "error", ""));
    const bool lost = string_or(result, "outcome", "") == "unknown";
    unknown = unknown || lost;
    if (ended == "blocked" || lost) {
      status = "needs_review";
    } else if (status == "ok") {
      status = "failed";
    }
  }
  Json output = {{"status", status},
                 {"response", response_of(state)},
                 {"errors", errors},
                 {"selected_capability", nullptr},
                 {"cli_results", state.results}};
  if (unknown) output["outcome"] = "unknown";
  return output;
}

const CommandGraph& command_graph() {
  static const CommandGraph kGraph = [] {
    const auto next = [](const CommandState& state) -> std::string_view { return state.next; };
    graph::GraphBuilder<CommandState, CommandServices> builder;
    builder.add_node(kCheckCommand, check_command);
    builder.add_node(kAskPerson, ask_person);
    builder.add_node(kRunCommand, run_command);
    builder.add_node(kAnswer, answer);
    builder.add_edge(graph::kStart, kCheckCommand);
    builder.add_conditional_edges(kCheckCommand, next,
                                  {{"check_command", kCheckCommand},
                                   {"ask_person", kAskPerson},
                                   {"run_command", kRunCommand},
                                   {"answer", kAnswer}});
    builder.add_conditional_edges(kAskPerson, next,
                                  {{"check_command", kCheckCommand}, {"run_command", kRunCommand}});
    builder.add_edge(kRunCommand, kCheckCommand);
    builder.add_edge(kAnswer, graph::kEnd);
    Result<CommandGraph> built = builder.build();
    check(built.ok(), "the command-line agent is a valid graph");
    return std::move(built).value();
  }();
  return kGraph;
}

}  // namespace plumbline::agents::command_line
