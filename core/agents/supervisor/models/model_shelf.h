// ModelShelf is where models are found by name.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.h"
#include "core/model/registry/model_registry.h"

namespace plumbline::agents::supervisor {

class ModelShelf {
 public:
  // find returns the model of that name, which lives as long as the shelf; nullptr: there is none.
  virtual model::Model* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;

  // about returns what settings say of the model: what it takes, whose it is, what it costs.
  // Nothing: no more than its name is known.
  virtual std::optional<model::ModelInfo> about(std::string_view /*name*/) const {
    return std::nullopt;
  }

  // missing returns why the model cannot be asked: "OPENAI_API_KEY is not set"; empty: it can.
  virtual std::string missing(std::string_view /*name*/) const { return ""; }

  // key_of returns the variable that the key of the model came from; empty: it needs none, or
  // nobody knows.
  virtual std::string key_of(std::string_view /*name*/) const { return ""; }

  // patterns returns names with * for which there are models, too.
  virtual std::vector<std::string> patterns() const { return {}; }

  // roles returns what the model serves for: "default", "reasoning".
  virtual std::vector<std::string> roles(std::string_view /*name*/) const { return {}; }

  // has returns whether find() finds it.
  virtual bool has(std::string_view name) const {
    const std::vector<std::string> all = names();
    return std::ranges::find(all, name) != all.end();
  }

 protected:
  ~ModelShelf() = default;
};

// OneModel is a shelf with one model. Null: it is empty.
class OneModel final : public ModelShelf {
 public:
  explicit OneModel(model::Model* model) : model_(model) {}

  // implements ModelShelf ---
  model::Model* find(std::string_view name) override {
    return model_ != nullptr && name == model_->name() ? model_ : nullptr;
  }
  std::vector<std::string> names() const override {
    if (model_ == nullptr) return {};
    return {std::string(model_->name())};
  }

 private:
  model::Model* model_;
};

}  // namespace plumbline::agents::supervisor
