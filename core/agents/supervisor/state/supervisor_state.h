// SupervisorState is what the supervisor knows of one request. It is made of parts, each of which
// some nodes replace as a whole; as JSON all fields lie side by side, under the names they have
// here.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::agents::supervisor {

enum class Confidence {
  kExploring,
  kLow,
  kMedium,
  kHigh,
  kVeryHigh,
  kAlmostCertain,
  kCertain,
};
std::string_view name_of(Confidence confidence);  // "very_high".

enum class Severity { kInfo, kLow, kMedium, kHigh, kCritical };
std::string_view name_of(Severity severity);

enum class Progressing { kPending, kInProgress, kCompleted, kError };
std::string_view name_of(Progressing status);  // "in_progress".

// Phase is where a workflow stands between two visits.
enum class Phase {
  kStep,      // A step is to be executed.
  kCommands,  // The step wants command lines to be run.
  kReturn,    // The user, or the model, is to make the next step.
  kDone,      // No step is left.
};
std::string_view name_of(Phase phase);

// Finding is one piece of evidence.
struct Finding {
  std::string text;
  std::string file{};     // Empty: of no file.
  std::int64_t line = 0;  // From 1; 0: of no line.
  Severity severity = Severity::kMedium;
  std::int64_t step = 0;  // Which step has found it.
  // What a tool wants besides: "from", "to", "condition", "sure", "kind", "category".
  Json more = Json::object();

  bool operator==(const Finding&) const = default;
};
Json to_json(const Finding& finding);

struct StepRecord {
  std::int64_t number = 0;
  std::string text;
  Confidence confidence = Confidence::kExploring;
  std::string by{};              // The model that made it; empty: the caller.
  std::string branch{};          // Of a plan: the branch that it belongs to; empty: the main one.
  std::int64_t branch_from = 0;  // Of a plan: the step that its branch begins at; 0: none.
  std::int64_t revises = 0;      // Of a plan: the step that it replaces; 0: none.
};

struct Conversation {
  std::string thread_id;
  std::optional<std::string> parent_thread_id;
  std::vector<Json> conversation_turns;  // {"role", "tool", "content", "files"}, oldest first.
  std::vector<std::string> remembered;   // Digests of commands that may run again unasked.
};

struct Asked {
  std::string tool_name;
  Json request_data = Json::object();  // The arguments of the tool, as they came last.
  std::string prompt;
  std::string task{};  // What was asked at the beginning: the prompt, or the text of step 1.
};

struct Sources {
  std::vector<std::string> files;            // Without doubles, newest first.
  std::vector<std::string> images;           // The same.
  Json file_content_cache = Json::object();  // Text by path.
  std::vector<Json> files_left_out;          // {"file", "why"}.
  std::vector<std::string> files_in_part;    // Of files_left_out those that are shown in part.
  std::vector<std::string> files_named;      // Of files those named themselves, by no folder.
};

struct ModelChoice {
  std::string model_name;
  std::string model_provider;
  Json model_context = Json::object();
  double temperature = 0.2;
  std::optional<std::string> thinking_mode;
};

struct Workflow {
  std::int64_t workflow_step = 0;
  std::int64_t total_steps = 0;
  bool next_step_required = true;
  Confidence confidence_level = Confidence::kExploring;
  std::vector<Finding> findings;
  std::vector<std::string> required_actions;
  std::vector<StepRecord> steps;
  std::vector<Json> found;  // Of the step under way, not yet validated.
  Phase phase = Phase::kStep;
  std::string next_tool;  // Which tool goes on when this one is done; empty: none.
  std::string draft{};    // The model's last words, where they ask for nothing more.
  std::string stopped{};  // Why the work was stopped before it was done; empty: it was not.
  std::vector<std::string> problems{};    // What a model or a caller said and nobody could read.
  std::vector<std::string> files_done{};  // Of docgen: those that steps have documented.
  std::vector<Json> parts{};              // Of tools that handed over: {"tool", "text"}.
};

struct CommandWork {
  std::vector<std::string> cli_commands;
  std::vector<Json> cli_results;  // Of the first so many commands.
  std::optional<std::string> remote_host;
  std::vector<Json> cli_past;  // Results of commands of earlier steps.

  bool done() const { return cli_results.size() >= cli_commands.size(); }
};

struct Routing {
  std::optional<std::string> next_agent;
  bool should_continue = false;  // Back to the supervisor, for next_agent.
  bool needs_expert_analysis = false;
  std::int64_t visits = 0;  // Of the supervisor.
};

struct TokenBudget {
  std::int64_t token_budget = 100'000;
  std::int64_t tokens_used = 0;  // By the files.
  // Of all that was asked of models: {"input_tokens", "output_tokens", "calls", "estimated",
  // "cost_micros"}.
  Json usage = Json::object();
};

struct Answered {
  std::string response_content;
  Json response_metadata = Json::object();
  Progressing status = Progressing::kPending;
  std::optional<std::string> error_message;
};

struct SupervisorState {
  struct Update;

  Conversation conversation;
  Asked asked;
  Sources sources;
  ModelChoice model;
  Workflow workflow;
  CommandWork commands;
  Routing routing;
  TokenBudget tokens;
  Answered answer;
  std::vector<Json> opinions;  // Of a consensus: {"model", "stance", "text" or "error", "usage"}.

  // apply is the reducer: parts that the update has are replaced, opinions are appended.
  void apply(Update&& update);

  static constexpr std::int64_t kVersion = 3;
  Json to_json() const;

  // from_json returns the state that to_json has written; kInvalidInput names the first field that
  // is missing or of a wrong type.
  static Result<SupervisorState> from_json(const Json& saved);
};

struct SupervisorState::Update {
  std::optional<Conversation> conversation{};
  std::optional<Asked> asked{};
  std::optional<Sources> sources{};
  std::optional<ModelChoice> model{};
  std::optional<Workflow> workflow{};
  std::optional<CommandWork> commands{};
  std::optional<Routing> routing{};
  std::optional<TokenBudget> tokens{};
  std::optional<Answered> answer{};
  std::vector<Json> opinions{};

  Json to_json() const;
  static Result<Update> from_json(const Json& saved);
};

// confidence_of and severity_of return what a name means; nothing: no such name.
std::optional<Confidence> confidence_of(std::string_view name);
std::optional<Severity> severity_of(std::string_view name);

}  // namespace plumbline::agents::supervisor
