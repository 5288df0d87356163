// ModelSet is the models that a command has opened, by their names.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/service/chat_model.h"
#include "core/agents/supervisor/supervisor_services.h"

namespace plumbline::cli {

class ModelSet final : public agents::supervisor::ModelShelf {
 public:
  // open opens what `which` names and a scripted model for each file of `scripts`, the first of
  // which stands in front. kInvalidInput: one cannot be opened, or two have one name.
  static Result<ModelSet> open(const ChatModel& which, const std::vector<std::string>& scripts,
                               Host& host);

  // implements ModelShelf ---
  model::Model* find(std::string_view name) override;
  std::vector<std::string> names() const override;
  std::optional<model::ModelInfo> about(std::string_view name) const override;

 private:
  Status add(Result<ChosenModel> model);

  std::vector<ChosenModel> models_;
};

}  // namespace plumbline::cli
