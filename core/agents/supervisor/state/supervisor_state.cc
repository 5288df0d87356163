#include "core/agents/supervisor/state/supervisor_state.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/json/archive.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::array<std::string_view, 7> kConfidenceNames = {
    "exploring", "low", "medium", "high", "very_high", "almost_certain", "certain"};
constexpr std::array<std::string_view, 5> kSeverityNames = {"info", "low", "medium", "high",
                                                            "critical"};
constexpr std::array<std::string_view, 4> kProgressNames = {"pending", "in_progress", "completed",
                                                            "error"};
constexpr std::array<std::string_view, 4> kPhaseNames = {"step", "commands", "return", "done"};

template <typename Enum, std::size_t kCount>
std::optional<Enum> value_named(const std::array<std::string_view, kCount>& names,
                                std::string_view name) {
  const auto at = std::ranges::find(names, name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enum>(at - names.begin());
}

// The fields of every part, as a checkpoint and everybody else see them.
struct SupervisorFields {
  static constexpr Confidence last(Confidence /*of*/) { return Confidence::kCertain; }
  static constexpr Severity last(Severity /*of*/) { return Severity::kCritical; }
  static constexpr Progressing last(Progressing /*of*/) { return Progressing::kError; }
  static constexpr Phase last(Phase /*of*/) { return Phase::kDone; }

  static void fields(auto& archive, Some<Finding> auto& part) {
    archive("text", part.text);
    archive("file", part.file);
    archive("line", part.line);
    archive("severity", part.severity);
    archive("step", part.step);
    archive("more", part.more);
  }
  static void fields(auto& archive, Some<StepRecord> auto& part) {
    archive("number", part.number);
    archive("text", part.text);
    archive("confidence", part.confidence);
    archive("by", part.by);
    archive("branch", part.branch);
    archive("branch_from", part.branch_from);
    archive("revises", part.revises);
  }
  static void fields(auto& archive, Some<Conversation> auto& part) {
    archive("thread_id", part.thread_id);
    archive("parent_thread_id", part.parent_thread_id);
    archive("conversation_turns", part.conversation_turns);
    archive("remembered", part.remembered);
  }
  static void fields(auto& archive, Some<Asked> auto& part) {
    archive("tool_name", part.tool_name);
    archive("request_data", part.request_data);
    archive("prompt", part.prompt);
    archive("task", part.task);
  }
  static void fields(auto& archive, Some<Sources> auto& part) {
    archive("files", part.files);
    archive("images", part.images);
    archive("file_content_cache", part.file_content_cache);
    archive("files_left_out", part.files_left_out);
    archive("files_in_part", part.files_in_part);
    archive("files_named", part.files_named);
  }
  static void fields(auto& archive, Some<ModelChoice> auto& part) {
    archive("model_name", part.model_name);
    archive("model_provider", part.model_provider);
    archive("model_context", part.model_context);
    archive("temperature", part.temperature);
    archive("thinking_mode", part.thinking_mode);
  }
  static void fields(auto& archive, Some<Workflow> auto& part) {
    archive("workflow_step", part.workflow_step);
    archive("total_steps", part.total_steps);
    archive("next_step_required", part.next_step_required);
    archive("confidence_level", part.confidence_level);
    archive("findings", part.findings);
    archive("required_actions", part.required_actions);
    archive("steps", part.steps);
    archive("found", part.found);
    archive("phase", part.phase);
    archive("next_tool", part.next_tool);
    archive("draft", part.draft);
    archive("stopped", part.stopped);
    archive("problems", part.problems);
    archive("files_done", part.files_done);
    archive("parts", part.parts);
  }
  static void fields(auto& archive, Some<CommandWork> auto& part) {
    archive("cli_commands", part.cli_commands);
    archive("cli_results", part.cli_results);
    archive("remote_host", part.remote_host);
    archive("cli_past", part.cli_past);
  }
  static void fields(auto& archive, Some<Routing> auto& part) {
    archive("next_agent", part.next_agent);
    archive("should_continue", part.should_continue);
    archive("needs_expert_analysis", part.needs_expert_analysis);
    archive("visits", part.visits);
  }
  static void fields(auto& archive, Some<TokenBudget> auto& part) {
    archive("token_budget", part.token_budget);
    archive("tokens_used", part.tokens_used);
    archive("usage", part.usage);
  }
  static void fields(auto& archive, Some<Answered> auto& part) {
    archive("response_content", part.response_content);
    archive("response_metadata", part.response_metadata);
    archive("status", part.status);
    archive("error_message", part.error_message);
  }

  static void fields(auto& archive, Some<SupervisorState> auto& part) {
    fields(archive, part.conversation);
    fields(archive, part.asked);
    fields(archive, part.sources);
    fields(archive, part.model);
    fields(archive, part.workflow);
    fields(archive, part.commands);
    fields(archive, part.routing);
    fields(archive, part.tokens);
    fields(archive, part.answer);
    archive("opinions", part.opinions);
  }

  static void fields(auto& archive, Some<SupervisorState::Update> auto& part) {
    archive("conversation", part.conversation);
    archive("asked", part.asked);
    archive("sources", part.sources);
    archive("model", part.model);
    archive("workflow", part.workflow);
    archive("commands", part.commands);
    archive("routing", part.routing);
    archive("tokens", part.tokens);
    archive("answer", part.answer);
    archive("opinions", part.opinions);
  }
};

using SupervisorWriter = JsonWriter<SupervisorFields>;
using SupervisorReader = JsonReader<SupervisorFields>;

template <typename Part>
void replace_part(Part& part, std::optional<Part>& with) {
  if (with) part = *std::move(with);
}

}  // namespace

std::string_view name_of(Confidence confidence) {
  return kConfidenceNames.at(static_cast<std::size_t>(confidence));
}
std::string_view name_of(Severity severity) {
  return kSeverityNames.at(static_cast<std::size_t>(severity));
}
std::string_view name_of(Progressing status) {
  return kProgressNames.at(static_cast<std::size_t>(status));
}
std::string_view name_of(Phase phase) { return kPhaseNames.at(static_cast<std::size_t>(phase)); }

std::optional<Confidence> confidence_of(std::string_view name) {
  return value_named<Confidence>(kConfidenceNames, name);
}
std::optional<Severity> severity_of(std::string_view name) {
  return value_named<Severity>(kSeverityNames, name);
}

Json to_json(const Finding& finding) { return SupervisorWriter::write(finding); }

void SupervisorState::apply(Update&& update) {
  replace_part(conversation, update.conversation);
  replace_part(asked, update.asked);
  replace_part(sources, update.sources);
  replace_part(model, update.model);
  replace_part(workflow, update.workflow);
  replace_part(commands, update.commands);
  replace_part(routing, update.routing);
  replace_part(tokens, update.tokens);
  replace_part(answer, update.answer);
  std::ranges::move(update.opinions, std::back_inserter(opinions));
}

Json SupervisorState::to_json() const { return SupervisorWriter::write(*this); }

Result<SupervisorState> SupervisorState::from_json(const Json& saved) {
  return SupervisorReader::read<SupervisorState>(saved, "the saved state of the supervisor");
}

Json SupervisorState::Update::to_json() const { return SupervisorWriter::write(*this); }

Result<SupervisorState::Update> SupervisorState::Update::from_json(const Json& saved) {
  return SupervisorReader::read<Update>(saved, "the saved update of the supervisor");
}

}  // namespace plumbline::agents::supervisor
