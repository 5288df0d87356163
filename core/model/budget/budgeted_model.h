// BudgetedModel is a Model that keeps to the budget of a thread.

#pragma once

#include "core/base/loop.h"
#include "core/model/budget/ledger.h"
#include "core/model/model.h"
#include "core/model/registry/model_registry.h"

namespace plumbline::model {

class BudgetedModel final : public Model {
 public:
  // All must outlive the model. Several models may write in one ledger.
  BudgetedModel(Loop& loop, Model& model, Ledger& ledger, Price price)
      : loop_(loop), model_(model), ledger_(ledger), price_(price) {}

  // implements Model ---
  //
  // What the budget does not allow fails with kInvalidRequest and the code kBudgetCode, and nobody
  // is asked. The answer may have no more tokens than are left, and no more time. The prompt counts
  // as soon as it is sent, by its estimate, so that completions at the same time do not share what
  // is left; afterwards what the provider counted stands in its place. An answer that failed or was
  // dropped counts for its prompt and what was heard of it.
  std::string_view name() const override { return model_.name(); }
  Task<Completed> complete(Prompt prompt, DeltaReader* reader, Instant deadline) override;

 private:
  Spent spent_for(const Usage& usage, Duration time) const;

  Loop& loop_;
  Model& model_;
  Ledger& ledger_;
  Price price_;
};

}  // namespace plumbline::model
