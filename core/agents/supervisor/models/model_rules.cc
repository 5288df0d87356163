#include "core/agents/supervisor/models/model_rules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/agents/supervisor/models/model_shelf.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMuch = 50'000;  // Bytes.

// cost_of returns what the question costs, in millionths.
std::int64_t cost_of(const ModelDemand& demand, const model::ModelInfo& info) {
  return demand.tokens * info.price.input_micros / kMillion;
}

// why_unfit returns why a model does not take the request; empty: as far as is known, it does.
std::string why_unfit(const std::string& name, const ModelDemand& demand, const ModelPolicy& policy,
                      const ModelShelf& shelf) {
  if (!shelf.has(name)) return "it is not configured";
  const std::string missing = shelf.missing(name);
  if (!missing.empty()) return missing;
  const std::optional<model::ModelInfo> info = shelf.about(name);
  if (!info) return demand.images ? "it is not known whether it takes images" : "";
  if (demand.images && !info->images) return "it takes no images";
  if (demand.tokens > info->window_tokens) {
    return "it takes " + std::to_string(info->window_tokens) + " tokens, and there are " +
           std::to_string(demand.tokens);
  }
  const std::int64_t cost = cost_of(demand, *info);
  const bool dear = policy.prompt_cost_micros_max >= 0 && cost > policy.prompt_cost_micros_max;
  if (dear) return "the question would cost " + std::to_string(cost) + " millionths";
  return "";
}

bool rule_fits(const ModelRule& rule, const ModelDemand& demand) {
  return (rule.tool.empty() || rule.tool == demand.tool) &&
         demand.files_bytes > rule.files_bytes_above &&
         demand.complexity >= rule.complexity_least && demand.complexity <= rule.complexity_most &&
         (demand.images || !rule.images);
}

// Chooser tries one after the other, and remembers why not.
class Chooser {
 public:
  Chooser(const ModelDemand& demand, const ModelPolicy& policy, const ModelShelf& shelf)
      : demand_(demand), policy_(policy), shelf_(shelf) {}

  bool takes(const std::string& name, const char* why) {
    const std::string unfit = why_unfit(name, demand_, policy_, shelf_);
    if (unfit.empty()) {
      chosen.model = name;
      chosen.why = why;
      return true;
    }
    const std::string line = name + ": " + unfit;
    if (std::ranges::find(chosen.passed_over, line) == chosen.passed_over.end()) {
      chosen.passed_over.push_back(line);
    }
    return false;
  }

  // takes_cheapest takes the cheapest of those whose price is known, else the first that fits.
  bool takes_cheapest() {
    const std::vector<std::string> names = shelf_.names();
    std::vector<std::pair<std::int64_t, std::size_t>> by_price;  // Of one price in their order.
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto info = shelf_.about(names[i]);
      constexpr std::int64_t kUnknown = INT64_MAX;
      const model::Price price = info ? info->price : model::Price{kUnknown, 0};
      by_price.emplace_back(price.input_micros + price.output_micros, i);
    }
    std::ranges::sort(by_price);
    return std::ranges::any_of(
        by_price, [&](const auto& each) { return takes(names[each.second], "cheapest"); });
  }

  ChosenName chosen;

 private:
  const ModelDemand& demand_;
  const ModelPolicy& policy_;
  const ModelShelf& shelf_;
};

}  // namespace

std::string_view name_of(Complexity complexity) {
  if (complexity == Complexity::kSimple) return "simple";
  return complexity == Complexity::kHard ? "hard" : "ordinary";
}

std::vector<ModelRule> seed_rules() {
  return {{.tool = "codereview",
           .files_bytes_above = kMuch,
           .model = "gemini-2.0-flash",
           .role = "long-context"},
          {.tool = "thinkdeep", .model = "o3", .role = "reasoning"}};
}

ChosenName choose_name(const ModelDemand& demand, const ModelPolicy& policy,
                       const ModelShelf& shelf) {
  if (!demand.asked.empty()) return {demand.asked, "asked", {}};
  const std::vector<std::string> names = shelf.names();
  if (names.empty()) return {};
  Chooser chooser(demand, policy, shelf);
  if (!demand.before.empty() && chooser.takes(demand.before, "thread")) {
    return std::move(chooser.chosen);
  }
  for (const ModelRule& rule : policy.rules) {
    if (!rule_fits(rule, demand)) continue;
    const std::string of_role = model_of_role(shelf, rule.role);
    const bool taken = rule.model.empty()
                           ? chooser.takes_cheapest()
                           : chooser.takes(rule.model, "rule") ||
                                 (!of_role.empty() && chooser.takes(of_role, "rule"));
    if (taken) return std::move(chooser.chosen);
  }
  const std::string& usual = policy.default_model.empty() ? names.front() : policy.default_model;
  // Where the usual one has no key, that is said: nobody has chosen the provider of another.
  if (!shelf.missing(usual).empty()) return {usual, "default", {}};
  if (chooser.takes(usual, "default") || chooser.takes_cheapest()) {
    return std::move(chooser.chosen);
  }
  // None takes it whole: the one that takes most gets what fits.
  chooser.chosen.model = usual;
  chooser.chosen.why = "only";
  std::int64_t largest = 0;
  for (const std::string& name : names) {
    const std::optional<model::ModelInfo> info = shelf.about(name);
    const bool usable = info && shelf.missing(name).empty() && (info->images || !demand.images);
    if (!usable || info->window_tokens <= largest) continue;
    largest = info->window_tokens;
    chooser.chosen.model = name;
  }
  return std::move(chooser.chosen);
}

std::string model_of_role(const ModelShelf& shelf, std::string_view role) {
  if (role.empty()) return "";
  for (const std::string& name : shelf.names()) {
    const std::vector<std::string> roles = shelf.roles(name);
    if (std::ranges::find(roles, role) != roles.end()) return name;
  }
  return "";
}

std::string choose_expert(const std::string& worker, bool asked_for, std::int64_t tokens,
                          const ModelPolicy& policy, const ModelShelf& shelf) {
  if (asked_for) return worker;
  for (const std::string& name : {policy.expert_model, model_of_role(shelf, "reasoning")}) {
    if (name.empty() || !shelf.has(name) || !shelf.missing(name).empty()) continue;
    const std::optional<model::ModelInfo> info = shelf.about(name);
    if (!info || info->window_tokens > tokens) return name;
  }
  return worker;
}

}  // namespace plumbline::agents::supervisor
