// ModelsOfAgent are the scripted models that an agent may ask, by their names. They outlive its
// crashes.

#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/supervisor/supervisor_services.h"
#include "fakes/model/scripted_model.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

class ModelsOfAgent final : public agents::supervisor::ModelShelf {
 public:
  // Both must outlive it.
  ModelsOfAgent(Loop& loop, const Scenario& scenario) {
    if (scenario.model) models_.emplace_back(loop, *scenario.model);
    for (const fakes::ModelScript& script : scenario.models) models_.emplace_back(loop, script);
  }

  // first returns the one that answers when nothing is said; nullptr: there is none.
  model::Model* first() { return models_.empty() ? nullptr : &models_.front(); }

  void on_prompt(const fakes::ScriptedModel::OnPrompt& told) {
    for (fakes::ScriptedModel& model : models_) model.on_prompt(told);
  }

  // implements ModelShelf ---
  model::Model* find(std::string_view name) override {
    for (fakes::ScriptedModel& model : models_) {
      if (model.name() == name) return &model;
    }
    return nullptr;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    for (const fakes::ScriptedModel& model : models_) out.emplace_back(model.name());
    return out;
  }

 private:
  std::deque<fakes::ScriptedModel> models_;
};

}  // namespace plumbline::scenarios
