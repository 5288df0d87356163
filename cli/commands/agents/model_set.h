// ModelSet is the models that a command may ask, by their names: those of scripts, or every one of
// a file of models whose key is there.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/service/chat_model.h"
#include "core/agents/supervisor/supervisor_services.h"

namespace plumbline::cli {

class ModelSet final : public agents::supervisor::ModelShelf {
 public:
  // open opens a scripted model for each file of `scripts`, the first of which stands in front; or,
  // without scripts, all that `which` names, its default in front. kInvalidInput: one cannot be
  // opened, two have one name, or there is no model `which.name`. `host` must outlive the set.
  static Result<ModelSet> open(const ChatModel& which, const std::vector<std::string>& scripts,
                               Host& host);

  // implements ModelShelf ---
  model::Model* find(std::string_view name) override;
  std::vector<std::string> names() const override { return names_; }
  std::optional<model::ModelInfo> about(std::string_view name) const override;
  std::string missing(std::string_view name) const override;
  std::string key_of(std::string_view name) const override;
  std::vector<std::string> patterns() const override;
  std::vector<std::string> roles(std::string_view name) const override;
  bool has(std::string_view name) const override;

 private:
  explicit ModelSet(Host& host) : host_(&host) {}

  Status add_script(const std::string& file);
  Status add_registry(const ChatModel& which);

  // opened returns the model, opened when it is first wanted; nullptr: there is none.
  const ChosenModel* opened(std::string_view name) const;

  Host* host_;
  std::vector<std::string> names_;  // In their order, the default in front.
  std::optional<model::ModelRegistry> registry_;
  mutable std::map<std::string, ChosenModel, std::less<>> open_;
};

}  // namespace plumbline::cli
