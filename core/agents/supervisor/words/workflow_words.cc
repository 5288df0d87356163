#include "core/agents/supervisor/words/workflow_words.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/agents/supervisor/words/plain_text.h"
#include "core/base/text.h"

namespace plumbline::agents::supervisor {

namespace {

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string place_of(const Finding& finding) {
  if (finding.file.empty()) return "";
  return finding.file + (finding.line == 0 ? "" : ":" + std::to_string(finding.line));
}

// current_steps returns the steps without those that others revise, the revised text in the place
// of the step that it revises.
std::vector<StepRecord> current_steps(const Workflow& workflow) {
  std::vector<StepRecord> out;
  for (const StepRecord& step : workflow.steps) {
    const auto old = std::ranges::find_if(out, [&](const StepRecord& each) {
      return step.revises != 0 && each.number == step.revises;
    });
    if (old == out.end()) {
      out.push_back(step);
    } else {
      old->text = step.text;
      old->revises = step.number;
    }
  }
  return out;
}

// CallTree draws edges, each once.
class CallTree {
 public:
  explicit CallTree(const Workflow& workflow) {
    for (const Finding& finding : workflow.findings) {
      const std::string from = string_or(finding.more, "from", "");
      const std::string to = string_or(finding.more, "to", "");
      if (!from.empty() && !to.empty()) edges_.push_back({from, to, &finding});
    }
  }

  std::string draw() {
    std::set<std::string> called;
    for (const Edge& edge : edges_) called.insert(edge.to);
    for (const Edge& edge : edges_) {
      if (!called.contains(edge.from)) draw_below(edge.from, 0);
    }
    for (const Edge& edge : edges_) draw_below(edge.from, 0);  // Circles that nobody enters.
    return std::move(out_);
  }

 private:
  struct Edge {
    std::string from;
    std::string to;
    const Finding* finding;
  };

  void draw_below(const std::string& name, std::size_t depth) {
    constexpr std::size_t kDepthMax = 64;
    if (!drawn_.insert(name).second || depth > kDepthMax) return;
    if (depth == 0) out_ += (out_.empty() ? "" : "\n") + name;
    for (const Edge& edge : edges_) {
      if (edge.from != name) continue;
      out_ += "\n" + std::string(2 * (depth + 1), ' ') + "-> " + edge.to + details(*edge.finding);
      if (drawn_.contains(edge.to)) {
        out_ += has_calls(edge.to) ? " (see above)" : "";
      } else {
        draw_below(edge.to, depth + 1);
      }
    }
  }

  bool has_calls(const std::string& name) const {
    return std::ranges::any_of(edges_, [&](const Edge& edge) { return edge.from == name; });
  }

  static std::string details(const Finding& finding) {
    std::string out;
    const std::string place = place_of(finding);
    if (!place.empty()) out += "  " + place;
    const std::string condition = string_or(finding.more, "condition", "");
    if (!condition.empty()) out += "  if " + condition;
    if (!bool_or(finding.more, "sure", true)) out += "  (unsure)";
    return out;
  }

  std::vector<Edge> edges_;
  std::set<std::string> drawn_;
  std::string out_;
};

}  // namespace

std::string summary_of(const Workflow& workflow) {
  const std::size_t found = workflow.findings.size();
  return "After " + counted(workflow.steps.size(), "step") + ", with the confidence \"" +
         std::string(name_of(workflow.confidence_level)) +
         "\": " + (found == 0 ? "nothing was found." : counted(found, "finding") + ".");
}

std::string findings_text(const Workflow& workflow) {
  std::vector<const Finding*> order;
  for (const Finding& finding : workflow.findings) order.push_back(&finding);
  // Of one severity in the order in which they were found: they lie in a row.
  std::ranges::sort(order, [](const Finding* one, const Finding* other) {
    return one->severity == other->severity ? one < other : one->severity > other->severity;
  });
  std::string out;
  for (const Finding* const finding : order) {
    out += (out.empty() ? "- [" : "\n- [") + std::string(name_of(finding->severity)) + "] ";
    const std::string place = place_of(*finding);
    if (!place.empty()) out += place + ": ";
    out += finding->text;
    const std::string category = string_or(finding->more, "category", "");
    if (!category.empty()) out += " (" + category + ")";
    if (finding->step != 0) out += " (step " + std::to_string(finding->step) + ")";
  }
  return out;
}

std::string step_text(const StepRecord& step, std::size_t bytes_max) {
  std::string out = "Step " + std::to_string(step.number) + " (" +
                    (step.by.empty() ? "the caller" : step.by) + ", " +
                    std::string(name_of(step.confidence)) + "): ";
  const std::string_view kept = beginning(step.text, bytes_max);
  out += kept;
  if (kept.size() < step.text.size()) {
    out += " [... " + counted(step.text.size() - kept.size(), "byte") + " more ...]";
  }
  return out;
}

std::string steps_text(const Workflow& workflow, std::size_t bytes_max) {
  std::string out;
  for (const StepRecord& step : workflow.steps) {
    out += (out.empty() ? "" : "\n\n") + step_text(step, bytes_max);
  }
  return out;
}

std::string plan_text(const Workflow& workflow) {
  std::string out;
  std::vector<std::string> branches;
  const std::vector<StepRecord> steps = current_steps(workflow);
  for (const StepRecord& step : steps) {
    const bool known = std::ranges::find(branches, step.branch) != branches.end();
    if (!known) branches.push_back(step.branch);
  }
  for (const std::string& branch : branches) {
    if (!branch.empty()) {
      const auto first = std::ranges::find(steps, branch, &StepRecord::branch);
      out += "\n\n## Branch: " + branch;
      if (first->branch_from != 0) {
        out += ", from step " + std::to_string(first->branch_from);
      }
    }
    for (const StepRecord& step : steps) {
      if (step.branch != branch) continue;
      out += "\n\n" + std::to_string(step.number) + ". " + step.text;
      if (step.revises != 0) out += " (revised in step " + std::to_string(step.revises) + ")";
    }
  }
  return std::string(stripped(out));
}

Json plan_json(const Workflow& workflow) {
  Json out = Json::array();
  for (const StepRecord& step : workflow.steps) {
    Json& each = out.emplace_back(Json{{"number", step.number}, {"text", step.text}});
    if (!step.branch.empty()) each["branch"] = step.branch;
    if (step.revises != 0) each["revises"] = step.revises;
  }
  return out;
}

std::string calls_text(const Workflow& workflow) { return CallTree(workflow).draw(); }

std::string assembled_text(const std::string& tool, const Workflow& workflow) {
  if (workflow.steps.empty()) return workflow.draft;
  // The last step, said whole; the others lead to it.
  if (!workflow.draft.empty()) return workflow.draft;
  if (tool == "planner") return "# Plan\n\n" + plan_text(workflow);
  std::string out = summary_of(workflow);
  const std::string calls = tool == "tracer" ? calls_text(workflow) : "";
  if (!calls.empty()) out += "\n\n## Calls\n\n```\n" + calls + "\n```";
  constexpr std::size_t kStepBytesMax = 16'000;
  return out + "\n\n## Steps\n\n" + steps_text(workflow, kStepBytesMax);
}

}  // namespace plumbline::agents::supervisor
