#include "core/agents/supervisor/prompt/model_prompt.h"

#include <algorithm>
#include <utility>

#include "core/agents/supervisor/models/token_budget.h"
#include "core/agents/supervisor/prompt/prompt_parts.h"
#include "core/base/text.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kTurnsKept = 2;  // The last exchange of the thread.
constexpr std::size_t kEarlierOutputBytes = 2'000;
constexpr std::size_t kEarlierStepBytes = 400;
constexpr std::size_t kFileBytesLeast = 400;
constexpr std::int64_t kTokensToTell = 60;

// Fitter makes the parts smaller until they fit.
class Fitter {
 public:
  Fitter(PromptParts& parts, std::int64_t budget) : parts_(parts), budget_(budget) {}

  // fit goes over the parts again where what is told of the first time takes the room.
  bool fit() {
    constexpr int kRoundsMax = 3;
    for (int round = 0; over() && round < kRoundsMax; ++round) fit_once();
    return !over();
  }

 private:
  void fit_once() {
    drop_turns(kTurnsKept);
    drop_folder_files();
    cut_earlier_outputs();
    cut_files();
    cut_earlier_steps();
    cut_last_output();
    drop_turns(0);
  }

  std::int64_t excess() const { return parts_.tokens() - budget_; }
  bool over() const { return excess() > 0; }

  void drop_turns(std::size_t kept) {
    std::size_t dropped = 0;
    while (over() && parts_.turns.size() > kept) {
      parts_.turns.erase(parts_.turns.begin());
      ++dropped;
    }
    if (dropped == 0) return;
    tell("The oldest " + std::to_string(dropped) + " messages of the thread were left out.");
  }

  void drop_folder_files() {
    for (std::size_t i = parts_.files.size(); over() && i > 0; --i) {
      const PromptFile file = parts_.files[i - 1];
      if (file.named) continue;
      tell(file.path + " was left out.");
      parts_.files.erase(parts_.files.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
  }

  void cut_earlier_outputs() {
    for (std::size_t i = 0; over() && i + 1 < parts_.outputs.size(); ++i) {
      if (!parts_.cut_output(i, kEarlierOutputBytes)) continue;
      tell("The output of command " + std::to_string(i + 1) + " was cut.");
    }
  }

  // The file named longest ago is cut first.
  void cut_files() {
    for (std::size_t i = parts_.files.size(); over() && i > 0; --i) {
      PromptFile& file = parts_.files[i - 1];
      // With the line that says so.
      const std::int64_t line = sent_tokens(file.path) + kTokensToTell;
      const auto much = static_cast<std::size_t>((excess() + line) * 3);
      const std::size_t room = file.text.size() > much ? file.text.size() - much : 0;
      const std::int64_t lines = file.cut(room < kFileBytesLeast ? 0 : room);
      if (lines == 0) {
        tell(file.path + " was left out.");
        parts_.files.erase(parts_.files.begin() + static_cast<std::ptrdiff_t>(i) - 1);
      } else {
        tell("Of " + file.path + " only lines 1 to " + std::to_string(lines) + " were shown.");
      }
    }
  }

  void cut_earlier_steps() {
    bool any = false;
    for (std::size_t i = 0; over() && i + 1 < parts_.steps.size(); ++i) {
      any = parts_.cut_step(i, kEarlierStepBytes) || any;
    }
    if (any) tell("The texts of earlier steps were cut.");
  }

  // The last output keeps what there is room for, and an eighth of the budget at least.
  void cut_last_output() {
    if (!over() || parts_.outputs.empty()) return;
    const auto least = static_cast<std::size_t>(budget_ / 8 * 3);
    const auto much = static_cast<std::size_t>((excess() + kTokensToTell) * 3);
    const std::size_t size = parts_.outputs.back().size();
    const std::size_t room = std::max(least, size > much ? size - much : 0);
    if (parts_.cut_output(parts_.outputs.size() - 1, room)) {
      tell("The output of the last command was cut.");
    }
  }

  // tell says it to the model, too, so it counts.
  void tell(std::string line) { parts_.left_out.push_back(std::move(line)); }

  PromptParts& parts_;
  std::int64_t budget_;
};

}  // namespace

BuiltPrompt build_prompt(const SupervisorState& state, const Question& question,
                         std::int64_t budget_tokens) {
  PromptParts parts = parts_of(state, question);
  Fitter fitter(parts, budget_tokens);
  BuiltPrompt out;
  out.too_long = !fitter.fit();
  out.left_out = parts.left_out;
  out.prompt.messages.push_back({.role = model::Role::kSystem, .text = parts.role});
  for (const PromptTurn& turn : parts.turns) {
    out.prompt.messages.push_back({.role = turn.role, .text = turn.text});
  }
  out.prompt.messages.push_back({.role = model::Role::kUser, .text = parts.last_message()});
  out.tokens = parts.tokens();
  out.prompt.settings.temperature = state.model.temperature;
  const std::string mode = state.model.thinking_mode.value_or(question.deep ? "high" : "medium");
  out.prompt.settings.thinks = mode == "high" || mode == "max";
  return out;
}

}  // namespace plumbline::agents::supervisor
