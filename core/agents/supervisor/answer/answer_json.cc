// The answer to a call as data: see answer_text.h.

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "core/agents/supervisor/answer/answer_text.h"
#include "core/agents/supervisor/words/workflow_words.h"
#include "core/base/text.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::string_view kCodeFence = "```";

// path_of_label returns the path that the label of a code block names: its second word, or the one
// that there is when it looks like a path.
std::string path_of_label(std::string_view label) {
  label = trimmed(label);
  const std::size_t space = label.find_first_of(" :");
  const std::string_view last = space == label.npos ? label : trimmed(label.substr(space + 1));
  const bool alone = space == label.npos;
  const bool path = last.find('/') != last.npos || (!alone && last.find('.') != last.npos);
  return path && last.find(' ') == last.npos ? std::string(last) : "";
}

Json files_json(const SupervisorState& state) {
  Json given = Json::array();
  for (const auto& [path, unused] : state.sources.file_content_cache.items()) {
    given.push_back(path);
  }
  return {{"given", std::move(given)},
          {"in_part", state.sources.files_in_part},
          {"left_out", state.sources.files_left_out}};
}

Json steps_json(const Workflow& workflow) {
  Json out = Json::array();
  for (const StepRecord& step : workflow.steps) {
    out.push_back({{"number", step.number},
                   {"text", step.text},
                   {"by", step.by.empty() ? "caller" : step.by},
                   {"confidence", name_of(step.confidence)}});
  }
  return out;
}

// outcome_of says in a word how it ended.
std::string_view outcome_of(const SupervisorState& state) {
  if (!state.workflow.stopped.empty()) return "stopped_at_bound";
  const Json* const expert = find(state.answer.response_metadata, "expert");
  const bool judged = expert != nullptr && bool_or(*expert, "asked", false);
  const bool nothing = !state.workflow.steps.empty() && state.workflow.findings.empty() &&
                       state.workflow.draft.empty() && !judged &&
                       state.asked.tool_name != "planner";
  return nothing ? "nothing_found" : "answered";
}

Json model_json(const SupervisorState& state) {
  const ModelChoice& model = state.model;
  Json out = {{"name", string_or(state.answer.response_metadata, "model", model.model_name)},
              {"provider", model.model_provider},
              {"why", string_or(model.model_context, "why", "")}};
  if (const Json* const passed = find(model.model_context, "passed_over")) {
    out["passed_over"] = *passed;
  }
  return out;
}

}  // namespace

Json artifacts_in(const std::string& text) {
  Json out = Json::array();
  std::size_t at = 0;
  while ((at = text.find(kCodeFence, at)) != text.npos) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    const std::size_t line = text.find('\n', at);
    if (line == text.npos) break;
    const std::size_t end = text.find("\n```", line);
    if (end == text.npos) break;
    const std::string label = text.substr(at + kCodeFence.size(), line - at - kCodeFence.size());
    const std::string path = begins_line ? path_of_label(label) : "";
    if (!path.empty()) {
      const std::size_t length = end > line ? end - line : 0;
      out.push_back({{"path", path},
                     {"text", length == 0 ? "" : text.substr(line + 1, length)},
                     {"what", "a code block labelled with this path"}});
    }
    at = end + 1 + kCodeFence.size();
  }
  return out;
}

void add_answer_fields(const SupervisorState& state, Json& out) {
  const Answered& answer = state.answer;
  const bool failed = answer.status == Progressing::kError;
  if (!failed) out["outcome"] = outcome_of(state);
  if (const Json* const error = find(answer.response_metadata, "error")) out["error"] = *error;
  if (failed && !out.contains("error")) {
    out["error"] = {{"code", "failed"}, {"message", answer.error_message.value_or("")}, {"do", ""}};
  }
  Json findings = Json::array();
  for (const Finding& finding : state.workflow.findings) findings.push_back(to_json(finding));
  if (!findings.empty()) out["findings"] = std::move(findings);
  if (!state.workflow.steps.empty()) out["steps"] = steps_json(state.workflow);
  Json commands = Json::array();
  for (const auto* const results : {&state.commands.cli_past, &state.commands.cli_results}) {
    for (const Json& result : *results) commands.push_back(result);
  }
  if (!commands.empty()) out["commands"] = std::move(commands);
  const bool files = !state.sources.files.empty() || !state.sources.files_left_out.empty();
  if (files) out["files"] = files_json(state);
  if (!state.tokens.usage.empty()) {
    out["usage"] = state.tokens.usage;
    out["model"] = model_json(state);
  }
  if (const Json* const expert = find(answer.response_metadata, "expert")) out["expert"] = *expert;
  if (const Json* const facts = find(answer.response_metadata, "facts")) {
    out.update(*facts);
    out["metadata"].erase("facts");
  }
  if (!state.opinions.empty()) {
    out["opinions"] = state.opinions;
    Json lost = Json::array();
    for (const Json& each : state.opinions) {
      if (!string_or(each, "error", "").empty()) lost.push_back(string_or(each, "model", ""));
    }
    out["failed"] = std::move(lost);
  }
  if (state.asked.tool_name == "planner" && !state.workflow.steps.empty()) {
    out["plan"] = plan_json(state.workflow);
  }
  Json artifacts = artifacts_in(answer.response_content);
  if (!artifacts.empty()) out["artifacts"] = std::move(artifacts);
}

std::string footer_of(const Json& answer) {
  std::string out = "Thread " + string_or(answer, "thread_id", "");
  if (find(answer, "turns_left") != nullptr) {
    out += ", " + std::to_string(int_or(answer, "turns_left", 0)) + " turns left";
  }
  const Json* const usage = find(answer, "usage");
  if (usage == nullptr) return "_" + out + "_";
  const Json* const model = find(answer, "model");
  const std::string name = model != nullptr ? string_or(*model, "name", "") : "";
  if (!name.empty()) out += ". " + name;
  out += ": " + std::to_string(int_or(*usage, "input_tokens", 0)) + " tokens in, " +
         std::to_string(int_or(*usage, "output_tokens", 0)) + " out";
  if (bool_or(*usage, "estimated", false)) out += ", estimated";
  const std::int64_t cost = int_or(*usage, "cost_micros", 0);
  constexpr double kMicros = 1'000'000;
  if (cost > 0) out += ", cost " + dump_json(Json(static_cast<double>(cost) / kMicros));
  return "_" + out + "_";
}

}  // namespace plumbline::agents::supervisor
