// ScriptedModel is a Model that answers as a ModelScript says, in the time of its loop. The same
// script and the same prompts in the same order give the same answers.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/model/model.h"
#include "fakes/model/model_script.h"

namespace plumbline::fakes {

class ScriptedModel final : public model::Model {
 public:
  // Both must outlive the model.
  ScriptedModel(Loop& loop, const ModelScript& script);

  // on_prompt names who sees every prompt before it is answered. It must outlive the model.
  using OnPrompt = std::function<void(const model::Prompt& prompt)>;
  void on_prompt(OnPrompt told) { on_prompt_ = std::move(told); }

  // completions returns how often it was asked.
  std::int64_t completions() const { return completions_; }

  // implements Model ---
  //
  // A prompt that a provider would refuse (model::fault_of) fails with kInvalidRequest, one of more
  // than context_tokens with kTooLong; when no turn is left that fits, it fails with
  // kInvalidRequest, too. An answer takes one turn of the loop at least.
  std::string_view name() const override { return script_.model; }
  Task<model::Completed> complete(model::Prompt prompt, model::DeltaReader* reader,
                                  Instant deadline) override;

 private:
  const ModelTurn* choose(const model::Prompt& prompt);

  Loop& loop_;
  const ModelScript& script_;
  OnPrompt on_prompt_;
  std::int64_t completions_ = 0;
  std::vector<std::int64_t> taken_;  // How often, of each turn.
};

}  // namespace plumbline::fakes
