#include "core/agents/supervisor/answer/answer_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/agents/supervisor/tools/tool_table.h"
#include "core/agents/supervisor/words/command_words.h"
#include "core/agents/supervisor/words/workflow_words.h"
#include "core/base/text.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kOutputBytesShown = 4'000;  // Of each command: its first and last half.
constexpr std::size_t kStepBytesShown = 2'000;

void add_section(std::string& out, const std::string& heading, const std::string& text) {
  if (text.empty()) return;
  if (!out.empty()) out += "\n\n";
  out += "## " + heading + "\n\n" + text;
}

bool is_workflow(const SupervisorState& state) {
  const Result<const ToolSpec*> tool = find_tool(state.asked.tool_name);
  return tool.ok() && tool.value()->kind == ToolKind::kWorkflow;
}

// all_results returns what came of the commands of all steps, in order.
std::vector<Json> all_results(const SupervisorState& state) {
  std::vector<Json> out = state.commands.cli_past;
  const std::vector<Json>& last = state.commands.cli_results;
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

// made_by_model returns the steps that a model made, where the answer is not those steps already.
std::string model_steps(const SupervisorState& state) {
  std::string out;
  const std::string& answer = state.answer.response_content;
  for (const StepRecord& step : state.workflow.steps) {
    if (step.by.empty() || step.text.empty()) continue;
    if (answer.find(step.text) != answer.npos) continue;
    out += (out.empty() ? "" : "\n\n") + step_text(step, kStepBytesShown);
  }
  return out;
}

// voices_line says how many of the models of a consensus have answered.
std::string voices_line(const std::vector<Json>& opinions) {
  std::size_t heard = 0;
  std::string failed;
  for (const Json& opinion : opinions) {
    const std::string error = string_or(opinion, "error", "");
    if (error.empty()) {
      ++heard;
    } else {
      failed += " " + string_or(opinion, "model", "") + " failed: " + error;
    }
  }
  const std::size_t all = opinions.size();
  return std::to_string(heard) + " of " + std::to_string(all) +
         (all == 1 ? " model answered." : " models answered.") + failed;
}

std::string opinions_text(const std::vector<Json>& opinions) {
  std::string out;
  for (const Json& opinion : opinions) {
    const std::string error = string_or(opinion, "error", "");
    out += (out.empty() ? "### " : "\n\n### ") + string_or(opinion, "model", "") + " (" +
           string_or(opinion, "stance", "") + ")\n\n" +
           (error.empty() ? string_or(opinion, "text", "") : "Failed: " + error);
  }
  return out;
}

// fence_for returns a fence that is longer than any in `text`.
std::string fence_for(const std::string& text) {
  std::string out = "```";
  while (text.find(out) != text.npos) out += '`';
  return out;
}

// with_short_lines cuts lines that nobody reads: of encoded data, of a program that floods.
std::string with_short_lines(const std::string& text) {
  constexpr std::size_t kLineBytesMax = 200;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const std::string_view kept = beginning(line, kLineBytesMax);
    out += kept;
    if (kept.size() < line.size()) {
      out += " [" + std::to_string(line.size() - kept.size()) + " bytes more in this line]";
    }
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string commands_text(const SupervisorState& state) {
  std::string out;
  for (const Json& result : all_results(state)) {
    const std::string shown = with_short_lines(command_text(result, kOutputBytesShown));
    const std::string fence = fence_for(shown);
    out += (out.empty() ? "" : "\n\n") + fence + "\n" + shown + fence;
  }
  return out;
}

void add_line(std::string& out, const std::string& line) {
  out += (out.empty() ? "- " : "\n- ") + line;
}

std::string not_looked_at(const SupervisorState& state) {
  std::string out;
  if (!state.workflow.stopped.empty()) add_line(out, state.workflow.stopped);
  for (const Json& file : state.sources.files_left_out) {
    add_line(out, string_or(file, "file", "") + ": " + string_or(file, "why", "") + ".");
  }
  for (const std::string& problem : state.workflow.problems) add_line(out, problem);
  const Json* const left_out = find(state.answer.response_metadata, "left_out");
  if (left_out != nullptr && left_out->is_array()) {
    for (const Json& line : *left_out) add_line(out, line.get<std::string>());
  }
  for (const Json& opinion : state.opinions) {
    const Json* const cut = find(opinion, "left_out");
    if (cut == nullptr) continue;
    for (const Json& line : *cut) {
      add_line(out, string_or(opinion, "model", "") + ": " + line.get<std::string>());
    }
  }
  return out;
}

// main_text is the answer itself, with why it failed in front.
std::string main_text(const SupervisorState& state) {
  std::string out;
  const Answered& answer = state.answer;
  if (answer.status == Progressing::kError) out = answer.error_message.value_or("It failed.");
  if (!state.opinions.empty() && answer.status != Progressing::kError) {
    out += voices_line(state.opinions);
  }
  if (answer.response_content.empty() || answer.response_content == out) return out;
  return out + (out.empty() ? "" : "\n\n") + answer.response_content;
}

}  // namespace

std::string answer_text(const SupervisorState& state) {
  const bool workflow = is_workflow(state);
  if (!workflow && !state.commands.cli_results.empty()) return main_text(state);
  std::string out;
  for (const Json& part : state.workflow.parts) {
    add_section(out, string_or(part, "tool", ""), string_or(part, "text", ""));
  }
  std::string said = main_text(state);
  if (state.workflow.parts.empty()) {
    out = std::move(said);
  } else {
    // Tools that handed over stand in their order, with what commands showed between them.
    add_section(out, "Commands", commands_text(state));
    add_section(out, state.asked.tool_name, said);
  }
  if (workflow) add_section(out, "How it was found", model_steps(state));
  add_section(out, "Findings", findings_text(state.workflow));
  add_section(out, "Opinions", opinions_text(state.opinions));
  if (state.workflow.parts.empty()) add_section(out, "Commands", commands_text(state));
  add_section(out, "Not looked at", not_looked_at(state));
  return out;
}

std::string cut_text(std::string text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  return middle_cut(text, bytes_max);
}

}  // namespace plumbline::agents::supervisor
