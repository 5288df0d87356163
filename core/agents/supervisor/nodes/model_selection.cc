// Which model answers.

#include <algorithm>
#include <utility>

#include "core/agents/supervisor/files/images.h"
#include "core/agents/supervisor/files/named_files.h"
#include "core/agents/supervisor/models/token_budget.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::int64_t kTokenBytes = 3;
constexpr std::int64_t kImageTokens = 1'500;  // Providers count about so much for one.
constexpr std::int64_t kMuchBytes = 50'000;
constexpr std::size_t kShortPromptBytes = 400;
constexpr std::size_t kLongPromptBytes = 8'000;
constexpr std::size_t kManyFindings = 10;

std::int64_t bytes_of_files(const SupervisorState& state, SupervisorServices& services) {
  std::int64_t bytes = 0;
  for (const std::string& file : find_files(named_files(state), services).files) {
    const Result<std::string> text = read_named_file(file, services);
    if (text.ok()) bytes += static_cast<std::int64_t>(text.value().size());
  }
  return bytes;
}

// complexity_of tells from what was asked how hard it looks.
Complexity complexity_of(const SupervisorState& state, std::int64_t files_bytes) {
  const std::string thinking = string_or(state.asked.request_data, "thinking_mode", "");
  const bool thinks = thinking == "high" || thinking == "max";
  const bool much = files_bytes > kMuchBytes || state.asked.prompt.size() > kLongPromptBytes ||
                    state.workflow.findings.size() > kManyFindings;
  if (thinks || much) return Complexity::kHard;
  const bool simple = tool_of(state).kind == ToolKind::kSimple && files_bytes == 0 &&
                      state.asked.prompt.size() < kShortPromptBytes;
  return simple ? Complexity::kSimple : Complexity::kOrdinary;
}

ModelDemand demand_of(const SupervisorState& state, SupervisorServices& services) {
  ModelDemand demand;
  demand.asked = string_or(state.asked.request_data, "model", "");
  demand.tool = state.asked.tool_name;
  for (const Json& turn : state.conversation.conversation_turns) {
    demand.before = string_or(turn, "model", demand.before);
  }
  demand.files_bytes = bytes_of_files(state, services);
  const auto images = std::min(named_images(state).size(), kImagesMax);
  demand.images = images > 0;
  std::int64_t bytes = static_cast<std::int64_t>(state.asked.prompt.size());
  for (const Json& turn : state.conversation.conversation_turns) {
    bytes += static_cast<std::int64_t>(string_or(turn, "content", "").size());
  }
  demand.tokens =
      (bytes + demand.files_bytes) / kTokenBytes + static_cast<std::int64_t>(images) * kImageTokens;
  demand.complexity = complexity_of(state, demand.files_bytes);
  return demand;
}

// context_of is what the state keeps of the choice.
Json context_of(const ModelDemand& demand, const ChosenName& chosen, const ModelShelf& shelf,
                bool many) {
  Json out = {{"models", shelf.names()},
              {"mode", many ? "multi" : "single"},
              {"why", chosen.why},
              {"complexity", name_of(demand.complexity)},
              {"images", false}};
  if (!chosen.passed_over.empty()) out["passed_over"] = chosen.passed_over;
  const std::optional<model::ModelInfo> info = shelf.about(chosen.model);
  if (!info) return out;
  out["images"] = info->images;
  out["reasoning"] = info->reasoning;
  out["window_tokens"] = info->window_tokens;
  out["input_price_micros"] = info->price.input_micros;
  out["output_price_micros"] = info->price.output_micros;
  return out;
}

double usual_temperature(std::string_view tool) {
  if (tool == "chat") return 0.5;
  return tool == "thinkdeep" ? 0.7 : 0.2;
}

}  // namespace

Task<SupervisorResult> model_selection_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorServices& services = context.services();
  SupervisorState::Update update;
  ModelChoice& choice = update.model.emplace(state.model);
  const bool many = tool_of(state).input == ToolInput::kVoices;
  const ModelDemand demand = demand_of(state, services);
  const ChosenName chosen = choose_name(demand, services.models_policy, services.models);
  choice.model_name = chosen.model;
  const std::optional<model::ModelInfo> info = services.models.about(chosen.model);
  const bool there = services.models.find(chosen.model) != nullptr;
  choice.model_provider = !there ? "none" : info ? info->provider : "configured";
  choice.model_context = context_of(demand, chosen, services.models, many);
  update.tokens = state.tokens;
  update.tokens->token_budget = budget_of(info);
  choice.temperature = usual_temperature(state.asked.tool_name);
  if (const Json* const warm = find(state.asked.request_data, "temperature")) {
    if (warm->is_number()) choice.temperature = warm->get<double>();
  }
  const std::string thinking = string_or(state.asked.request_data, "thinking_mode", "");
  if (!thinking.empty()) choice.thinking_mode = thinking;
  co_return update;
}

}  // namespace plumbline::agents::supervisor
