#include "core/agents/supervisor/nodes/step_input.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/json/json.h"
#include "core/json/object_reader.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::array<std::string_view, 7> kConfidences = {
    "exploring", "low", "medium", "high", "very_high", "almost_certain", "certain"};
constexpr std::int64_t kLinesMax = 100'000'000;

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
  for (const char* const name : {"from", "to", "condition", "sure", "kind", "category"}) {
    if (const Json* const more = reader.take(name)) out.more[name] = *more;
  }
  if (problem) return std::nullopt;
  return out;
}

bool same_finding(const Finding& one, const Finding& other) {
  return one.text == other.text && one.file == other.file && one.line == other.line;
}

}  // namespace

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

Result<StepInput> read_step(const Json& arguments) {
  StepInput out;
  std::string wrong;
  // Each member is read by itself, so that all that is wrong is told at once.
  const auto read = [&](const auto& take) {
    std::optional<Problem> problem;
    ObjectReader reader(arguments, "", "a step", problem);
    take(reader);
    if (!problem) return;
    const std::size_t slash = problem->pointer.find_first_not_of('/');
    std::string name = slash == std::string::npos ? "" : problem->pointer.substr(slash) + ": ";
    wrong += (wrong.empty() ? "" : "; ") + name + problem->message;
  };
  const auto whole = [](std::int64_t& into, const char* name) {
    return [&into, name](ObjectReader& reader) {
      reader.require(name, "a whole number from 1");
      into = reader.integer(name, 1, kWorkflowStepsMax).value_or(1);
    };
  };
  read([&](ObjectReader& reader) { out.text = reader.required_string("step"); });
  read(whole(out.number, "step_number"));
  read(whole(out.total, "total_steps"));
  read([&](ObjectReader& reader) {
    reader.require("next_step_required", "true or false");
    out.next_required = reader.boolean("next_step_required").value_or(false);
  });
  read([&](ObjectReader& reader) {
    out.backtrack_from = reader.integer("backtrack_from_step", 1, kWorkflowStepsMax);
    out.branch = reader.text("branch").value_or("");
    out.branch_from = reader.integer("branch_from_step", 1, kWorkflowStepsMax).value_or(0);
    out.revises = reader.integer("revises_step", 1, kWorkflowStepsMax).value_or(0);
  });
  read([&](ObjectReader& reader) { out.files_done = reader.strings("files_done"); });
  read([&](ObjectReader& reader) { read_common(reader, out); });
  out.next_tool.clear();  // A user calls the next tool himself.
  if (!wrong.empty()) return Error{ErrorCode::kInvalidInput, std::move(wrong)};
  return out;
}

void record(StepInput step, Workflow& workflow) {
  if (step.backtrack_from) {
    const std::int64_t from = *step.backtrack_from;
    std::erase_if(workflow.steps, [&](const StepRecord& each) { return each.number >= from; });
    std::erase_if(workflow.findings, [&](const Finding& each) { return each.step >= from; });
  }
  const Confidence confidence = step.confidence.value_or(workflow.confidence_level);
  workflow.draft = step.last_words ? step.text : "";
  workflow.steps.push_back({step.number, std::move(step.text), confidence, std::move(step.by),
                            std::move(step.branch), step.branch_from, step.revises});
  std::ranges::move(step.problems, std::back_inserter(workflow.problems));
  std::ranges::move(step.files_done, std::back_inserter(workflow.files_done));
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
      const std::string name = problem->pointer.empty() ? "" : problem->pointer.substr(1) + ": ";
      refused.push_back("A finding could not be read: " + name + problem->message + ".");
      continue;
    }
    const bool known = std::ranges::any_of(
        workflow.findings, [&](const Finding& other) { return same_finding(*finding, other); });
    finding->step = workflow.workflow_step;
    if (!known) workflow.findings.push_back(*std::move(finding));
  }
  return refused;
}

FinalPart final_part(const ToolSpec& tool, const Workflow& workflow, const Json& arguments,
                     bool users) {
  const FinalPart usual = users ? tool.stepped : tool.asked;
  const Json* const wanted = find(arguments, "use_assistant_model");
  if (wanted != nullptr && wanted->is_boolean()) {
    if (!wanted->get<bool>()) return FinalPart::kAssemble;
    return usual == FinalPart::kAssemble ? FinalPart::kJudge : usual;
  }
  const bool certain = workflow.confidence_level == Confidence::kCertain;
  return certain && usual == FinalPart::kJudge ? FinalPart::kAssemble : usual;
}

std::vector<std::string> files_left(const std::vector<std::string>& files,
                                    const Workflow& workflow) {
  const auto is_done = [&](const std::string& file) {
    return std::ranges::any_of(workflow.files_done, [&](const std::string& done) {
      return file == done || (!done.empty() && file.ends_with("/" + done));
    });
  };
  std::vector<std::string> out;
  std::ranges::remove_copy_if(files, std::back_inserter(out), is_done);
  return out;
}

std::vector<std::string> actions_after(const ToolSpec& tool, const Workflow& workflow) {
  std::vector<std::string> out;
  if (tool.name == "precommit" && workflow.workflow_step <= 1) {
    out.emplace_back(
        "Bring the output of git status --short and git diff HEAD in step, or in a file.");
  }
  if (tool.stepped == FinalPart::kAssemble) {
    out.push_back("Go on with: " + std::string(tool.asks_for) + ".");
  } else if (workflow.findings.empty()) {
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

}  // namespace plumbline::agents::supervisor
