// TracedShelf has a span for each answer of another shelf's models.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/supervisor/models/model_shelf.h"
#include "core/model/tracing/traced_model.h"

namespace plumbline::agents::supervisor {

class TracedShelf final : public ModelShelf {
 public:
  // Both must outlive it, and a model stay the same as long as its name. `tracer` may be null.
  TracedShelf(ModelShelf& inner, trace::Tracer* tracer) : inner_(inner), tracer_(tracer) {}

  // implements ModelShelf ---
  model::Model* find(std::string_view name) override {
    model::Model* const found = inner_.find(name);
    if (found == nullptr || tracer_ == nullptr) return found;
    const std::optional<model::ModelInfo> info = about(name);
    const std::string provider = info ? info->provider : "custom";
    return &traced_.try_emplace(std::string(name), *found, tracer_, provider).first->second;
  }
  std::vector<std::string> names() const override { return inner_.names(); }
  std::optional<model::ModelInfo> about(std::string_view name) const override {
    return inner_.about(name);
  }
  std::string missing(std::string_view name) const override { return inner_.missing(name); }
  std::string key_of(std::string_view name) const override { return inner_.key_of(name); }
  std::vector<std::string> patterns() const override { return inner_.patterns(); }
  std::vector<std::string> roles(std::string_view name) const override {
    return inner_.roles(name);
  }
  bool has(std::string_view name) const override { return inner_.has(name); }

 private:
  ModelShelf& inner_;
  trace::Tracer* tracer_;
  std::map<std::string, model::TracedModel> traced_;
};

}  // namespace plumbline::agents::supervisor
