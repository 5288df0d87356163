#include "cli/commands/agents/model_set.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/errors/errors.h"

namespace plumbline::cli {

namespace {

using Role = model::ModelRole;

constexpr std::array kRoles = {Role::kDefault, Role::kLongContext, Role::kReasoning, Role::kCheap};

bool is_pattern(std::string_view name) { return name.find('*') != name.npos; }

// told_for returns the model that settings name for a role; "" where they name none.
std::string told_for(const model::ModelRegistry& registry, Role role) {
  const std::optional<model::ModelInfo> info = registry.model_for(role);
  if (!info) return "";
  const std::optional<model::ModelInfo> usual = registry.model_for(Role::kDefault);
  const bool own = role == Role::kDefault || !usual || usual->name != info->name;
  return own ? info->name : "";
}

}  // namespace

Result<ModelSet> ModelSet::open(const ChatModel& which, const std::vector<std::string>& scripts,
                                Host& host) {
  ModelSet out(host);
  if (scripts.empty()) {
    const Status added = out.add_registry(which);
    if (!added.ok()) return added.error();
  }
  for (const std::string& script : scripts) {
    const Status added = out.add_script(script);
    if (!added.ok()) return added.error();
  }
  return out;
}

Status ModelSet::add_script(const std::string& file) {
  Result<ChosenModel> model = open_script(file, *host_);
  if (!model.ok()) return model.error();
  std::string name(model.value().model->name());
  if (open_.contains(name)) {
    return the_error("agents.models-alike", name);
  }
  // Of a script that says how much it takes, that is known, and no more.
  if (const std::optional<std::int64_t> window = model.value().window_tokens) {
    model.value().info =
        model::ModelInfo{.name = name,
                         .provider = "scripted",
                         .model = name,
                         .window_tokens = *window,
                         .output_tokens_max = std::max<std::int64_t>(*window / 4, 1)};
  }
  names_.push_back(name);
  open_.emplace(std::move(name), std::move(model).value());
  return Done{};
}

Status ModelSet::add_registry(const ChatModel& which) {
  Result<model::ModelRegistry> registry = read_models(which, *host_);
  if (!registry.ok()) return registry.error();
  registry_ = std::move(registry).value();
  const auto add = [this](const std::string& name) {
    const bool known = std::ranges::find(names_, name) != names_.end();
    if (!name.empty() && !is_pattern(name) && !known) names_.push_back(name);
  };
  add(which.name);
  for (const Role role : kRoles) add(told_for(*registry_, role));
  for (const auto& [name, unused] : registry_->models()) add(name);
  if (names_.empty()) {
    return the_error("agents.no-default");
  }
  if (opened(names_.front()) == nullptr) {
    return the_error("chat.no-model", names_.front());
  }
  return Done{};
}

const ChosenModel* ModelSet::opened(std::string_view name) const {
  const auto found = open_.find(name);
  if (found != open_.end()) return &found->second;
  if (!registry_ || is_pattern(name) || !registry_->info(name)) return nullptr;
  Result<ChosenModel> model = open_model(*registry_, std::string(name), *host_);
  if (!model.ok()) return nullptr;
  return &open_.emplace(std::string(name), std::move(model).value()).first->second;
}

model::Model* ModelSet::find(std::string_view name) {
  const ChosenModel* const model = opened(name);
  return model == nullptr ? nullptr : model->model;
}

std::optional<model::ModelInfo> ModelSet::about(std::string_view name) const {
  const ChosenModel* const model = opened(name);
  if (model == nullptr) return std::nullopt;
  return model->info;
}

std::string ModelSet::missing(std::string_view name) const {
  const ChosenModel* const model = opened(name);
  return model == nullptr ? "" : model->missing;
}

std::string ModelSet::key_of(std::string_view name) const {
  const ChosenModel* const model = opened(name);
  return model == nullptr ? "" : model->key_variable;
}

std::vector<std::string> ModelSet::patterns() const {
  std::vector<std::string> out;
  if (!registry_) return out;
  for (const auto& [name, unused] : registry_->models()) {
    if (is_pattern(name)) out.push_back(name);
  }
  return out;
}

std::vector<std::string> ModelSet::roles(std::string_view name) const {
  std::vector<std::string> out;
  if (!registry_) return out;
  for (const Role role : kRoles) {
    const std::optional<model::ModelInfo> info = registry_->model_for(role);
    if (info && info->name == name) out.emplace_back(model::role_name(role));
  }
  return out;
}

bool ModelSet::has(std::string_view name) const { return opened(name) != nullptr; }

}  // namespace plumbline::cli
