#include "cli/commands/agents/model_set.h"

#include <utility>

namespace plumbline::cli {

Result<ModelSet> ModelSet::open(const ChatModel& which, const std::vector<std::string>& scripts,
                                Host& host) {
  ModelSet out;
  if (scripts.empty()) {
    const Status added = out.add(choose_model(which, host));
    if (!added.ok()) return added.error();
  }
  for (const std::string& script : scripts) {
    ChatModel one;
    one.script = script;
    const Status added = out.add(choose_model(one, host));
    if (!added.ok()) return added.error();
  }
  return out;
}

Status ModelSet::add(Result<ChosenModel> model) {
  if (!model.ok()) return model.error();
  const std::string name(model.value().model->name());
  if (find(name) != nullptr) {
    return Error{ErrorCode::kInvalidInput,
                 "two models are called " + name + ", expected another \"model\" in one script"};
  }
  models_.push_back(std::move(model).value());
  return Done{};
}

model::Model* ModelSet::find(std::string_view name) {
  for (const ChosenModel& each : models_) {
    if (each.model->name() == name) return each.model;
  }
  return nullptr;
}

std::vector<std::string> ModelSet::names() const {
  std::vector<std::string> out;
  for (const ChosenModel& each : models_) out.emplace_back(each.model->name());
  return out;
}

std::optional<model::ModelInfo> ModelSet::about(std::string_view name) const {
  for (const ChosenModel& each : models_) {
    if (each.model->name() == name) return each.info;
  }
  return std::nullopt;
}

}  // namespace plumbline::cli
