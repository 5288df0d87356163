#include "core/model/budget/budgeted_model.h"

#include <algorithm>
#include <utility>

#include "core/model/tokens.h"

namespace plumbline::model {

namespace {

// Account of one completion: what it has taken stands in the ledger, whenever it ends.
class Entry final : public DeltaReader {
 public:
  Entry(Ledger& ledger, DeltaReader* reader, Spent at_least)
      : ledger_(ledger), reader_(reader), taken_(at_least) {
    ledger_.take(taken_);
  }

  void becomes(const Spent& taken) {
    ledger_.take(taken_, -1);
    taken_ = taken;
    ledger_.take(taken_);
  }
  std::int64_t heard_tokens() const { return heard_tokens_; }

 private:
  void on_text(std::string_view piece) override {
    heard_tokens_ += estimated_tokens(piece);
    if (reader_ != nullptr) reader_->on_text(piece);
  }
  void on_tool_call(const ToolCall& call) override {
    heard_tokens_ += estimated_tokens(call.name) + estimated_tokens(call.arguments);
    if (reader_ != nullptr) reader_->on_tool_call(call);
  }

  Ledger& ledger_;
  DeltaReader* reader_;
  Spent taken_;
  std::int64_t heard_tokens_ = 0;
};

}  // namespace

Task<Completed> BudgetedModel::complete(Prompt prompt, DeltaReader* reader, Instant deadline) {
  const Usage asked{.input_tokens = estimated_tokens(prompt), .output_tokens = 0};
  Spent least = spent_for(asked, Duration());
  ++least.tokens;  // An answer has one at least.
  if (std::optional<std::string> why = ledger_.refusal(least)) {
    co_return Failure{
        .kind = FailureKind::kInvalidRequest, .message = *std::move(why), .code = kBudgetCode};
  }
  if (const std::optional<std::int64_t> left = ledger_.tokens_left()) {
    std::optional<std::int64_t>& most = prompt.settings.output_tokens_max;
    most = std::min(most.value_or(*left), *left - asked.input_tokens);
  }
  if (const std::optional<Duration> left = ledger_.time_left()) {
    deadline = std::min(deadline, after(loop_.now(), *left));
  }
  const Instant began = loop_.now();
  Entry entry(ledger_, reader, spent_for(asked, Duration()));
  Task<Completed> asking = model_.complete(std::move(prompt), &entry, deadline);
  Completed completed = co_await std::move(asking);
  Usage usage{.input_tokens = asked.input_tokens, .output_tokens = entry.heard_tokens()};
  if (const Completion* const whole = std::get_if<Completion>(&completed)) usage = whole->usage;
  entry.becomes(spent_for(usage, loop_.now() - began));
  co_return completed;
}

Spent BudgetedModel::spent_for(const Usage& usage, Duration time) const {
  return {.completions = 1,
          .tokens = usage.input_tokens + usage.output_tokens,
          .time = time,
          .cost_micros = cost_micros(usage, price_)};
}

}  // namespace plumbline::model
