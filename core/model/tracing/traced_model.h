// TracedModel has a span for each answer that a model is asked for.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/model/model.h"
#include "core/trace/tracer.h"

namespace plumbline::model {

class TracedModel final : public Model {
 public:
  // Both must outlive it; `tracer` may be null. `provider` is "gen_ai.provider.name".
  TracedModel(Model& inner, trace::Tracer* tracer, std::string provider = "custom")
      : inner_(inner), tracer_(tracer), provider_(std::move(provider)) {}

  // implements Model ---
  //
  // The span is a client's, "chat MODEL", below Prompt::traceparent. It tells how much was said,
  // and how it ended; never what.
  //
  // OpenTelemetry, Semantic conventions for generative AI client spans, Inference.
  std::string_view name() const override { return inner_.name(); }
  Task<Completed> complete(Prompt prompt, DeltaReader* reader, Instant deadline) override;

 private:
  Model& inner_;
  trace::Tracer* tracer_;
  std::string provider_;
};

}  // namespace plumbline::model
