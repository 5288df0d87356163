#include "core/agents/supervisor/nodes/step_input.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json/json.h"
#include "core/json/object_reader.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::array<std::string_view, 7> kConfidences = {
    "exploring", "low", "medium", "high", "very_high", "almost_certain", "certain"};
constexpr std::int64_t kLinesMax = 100'000'000;

// read_common reads what a step may have, whoever made it.
void read_common(ObjectReader& reader, StepInput& out) {
  if (const Json* const found = reader.array("findings")) {
    for (const Json& finding : *found) out.findings.push_back(finding);
    if (out.findings.size() > kStepFindingsMax) {
      reader.refuse("findings", "has more than " + std::to_string(kStepFindingsMax) + " items");
    }
  }
  if (const auto confidence = reader.choice("confidence", kConfidences)) {
    out.confidence = static_cast<Confidence>(*confidence);
  }
  out.commands = reader.strings("commands");
  if (out.commands.size() > kStepCommandsMax) {
    reader.refuse("commands", "has more than " + std::to_string(kStepCommandsMax) + " items");
  }
  out.files = reader.strings("files");
  out.next_tool = reader.text("next_tool").value_or("");
}

// object_in returns the JSON object that stands in `said`; nothing: there is none.
std::optional<Json> object_in(const std::string& said) {
  const std::size_t begin = said.find('{');
  const std::size_t end = said.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  auto parsed = parse_json(said.substr(begin, end - begin + 1));
  if (!parsed.ok() || !parsed.value().is_object()) return std::nullopt;
  return std::move(parsed).value();
}

// read_finding reads one finding; nothing: `problem` says why.
std::optional<Finding> read_finding(const Json& json, std::optional<Problem>& problem) {
  ObjectReader reader(json, "", "a finding", problem);
  Finding out;
  out.text = reader.required_string("text");
  out.file = reader.text("file").value_or("");
  out.line = reader.integer("line", 1, kLinesMax).value_or(0);
  if (out.line != 0 && out.file.empty()) reader.refuse("line", "is of no file");
  if (const auto severity = reader.string("severity")) {
    const std::optional<Severity> known = severity_of(*severity);
    if (!known) reader.refuse("severity", "is none of info, low, medium, high, critical");
    out.severity = known.value_or(Severity::kMedium);
  }
  if (problem) return std::nullopt;
  return out;
}

bool same_finding(const Finding& one, const Finding& other) {
  return one.text == other.text && one.file == other.file && one.line == other.line;
}

}  // namespace

Result<StepInput> read_step(const Json& arguments) {
  std::optional<Problem> problem;
  StepInput out;
  ObjectReader reader(arguments, "", "a step", problem);
  out.text = reader.required_string("step");
  reader.require("step_number", "a whole number from 1");
  reader.require("total_steps", "a whole number from 1");
  reader.require("next_step_required", "true or false");
  out.number = reader.integer("step_number", 1, kWorkflowStepsMax).value_or(1);
  out.total = reader.integer("total_steps", 1, kWorkflowStepsMax).value_or(1);
  out.next_required = reader.boolean("next_step_required").value_or(false);
  out.backtrack_from = reader.integer("backtrack_from_step", 1, kWorkflowStepsMax);
  read_common(reader, out);
  out.next_tool.clear();  // A user calls the next tool himself.
  if (problem) return Error{ErrorCode::kInvalidInput, problem->pointer + ": " + problem->message};
  return out;
}

StepInput read_model_step(const std::string& said, std::int64_t number) {
  StepInput out;
  out.number = out.total = number;
  out.text = said;
  const std::optional<Json> object = object_in(said);
  if (!object) return out;
  std::optional<Problem> problem;
  StepInput read;
  ObjectReader reader(*object, "", "a step", problem);
  read.text = reader.required_string("step");
  read.number = number;
  read.next_required = reader.boolean("next_step_required").value_or(false);
  read.total = number + (read.next_required ? 1 : 0);
  read_common(reader, read);
  return problem ? out : read;
}

void record(StepInput step, Workflow& workflow) {
  if (step.backtrack_from) {
    const std::int64_t from = *step.backtrack_from;
    std::erase_if(workflow.steps, [&](const StepRecord& each) { return each.number >= from; });
    std::erase_if(workflow.findings, [&](const Finding& each) { return each.step >= from; });
  }
  const Confidence confidence = step.confidence.value_or(workflow.confidence_level);
  workflow.steps.push_back({step.number, std::move(step.text), confidence});
  workflow.workflow_step = step.number;
  workflow.total_steps = std::max(step.total, step.number);
  workflow.next_step_required = step.next_required;
  workflow.found = std::move(step.findings);
  workflow.next_tool = std::move(step.next_tool);
  workflow.required_actions.clear();
}

std::vector<std::string> validate(Workflow& workflow) {
  std::vector<std::string> refused;
  for (const Json& each : std::exchange(workflow.found, {})) {
    std::optional<Problem> problem;
    std::optional<Finding> finding = read_finding(each, problem);
    if (!finding) {
      refused.push_back("a finding was left out: " + problem->pointer + ": " + problem->message);
      continue;
    }
    const bool known = std::ranges::any_of(
        workflow.findings, [&](const Finding& other) { return same_finding(*finding, other); });
    finding->step = workflow.workflow_step;
    if (!known) workflow.findings.push_back(*std::move(finding));
  }
  return refused;
}

bool wants_expert(const ToolSpec& tool, const Workflow& workflow) {
  return tool.asks_expert && workflow.confidence_level != Confidence::kCertain &&
         !workflow.findings.empty();
}

std::vector<std::string> actions_after(const ToolSpec& tool, const Workflow& workflow) {
  std::vector<std::string> out;
  if (workflow.findings.empty()) {
    out.push_back("Look for evidence before you go on: " + std::string(tool.asks_for) + ".");
  } else if (workflow.confidence_level <= Confidence::kLow) {
    out.push_back("Look for what speaks against what was found so far.");
  } else if (workflow.confidence_level <= Confidence::kHigh) {
    out.push_back("Check each finding against the lines it stands on.");
  } else {
    out.push_back("Look once more for what was not considered.");
  }
  out.push_back("Then call " + std::string(tool.name) + " with step_number " +
                std::to_string(workflow.workflow_step + 1) +
                "; say that no next step is required when " + std::string(tool.finished_when) +
                ".");
  return out;
}

std::string summary_of(const Workflow& workflow) {
  std::string out = "After " + std::to_string(workflow.steps.size()) + " steps, confidence " +
                    std::string(name_of(workflow.confidence_level)) + ": ";
  if (workflow.findings.empty()) return out + "nothing was found.";
  out += std::to_string(workflow.findings.size()) + " findings.";
  for (const Finding& finding : workflow.findings) {
    out += "\n- [" + std::string(name_of(finding.severity)) + "] ";
    if (!finding.file.empty()) out += finding.file;
    if (finding.line != 0) out += ":" + std::to_string(finding.line);
    if (!finding.file.empty()) out += ": ";
    out += finding.text;
  }
  return out;
}

}  // namespace plumbline::agents::supervisor
