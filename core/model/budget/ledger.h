// Ledger bounds what a thread of conversation may take of its models: tokens, completions, time and
// money. BudgetedModel keeps a model to it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/time.h"
#include "core/model/model.h"

namespace plumbline::model {

// Spent is what a thread has taken so far. To be kept with the thread.
struct Spent {
  std::int64_t completions = 0;
  std::int64_t tokens = 0;  // Of prompts and answers.
  Duration time{};          // That completions took, also those at the same time.
  std::int64_t cost_micros = 0;
  friend bool operator==(const Spent&, const Spent&) = default;
};

// Allowance is what it may take; nothing: as much as it likes.
struct Allowance {
  std::optional<std::int64_t> completions{};
  std::optional<std::int64_t> tokens{};
  std::optional<Duration> time{};
  std::optional<std::int64_t> cost_micros{};
};

inline constexpr const char* kBudgetCode = "budget_exceeded";  // Of a Failure.

class Ledger {
 public:
  explicit Ledger(Allowance allowance, Spent spent = {}) : allowance_(allowance), spent_(spent) {}

  // refusal says in one line what is used up, for something that takes `more` at least; nothing: it
  // may be taken.
  std::optional<std::string> refusal(const Spent& more) const;

  // take writes down what is taken, and what is given back: `sign` is 1 or -1.
  void take(const Spent& what, int sign = 1);

  const Spent& spent() const { return spent_; }

  // tokens_left and time_left return nothing where they are not bounded; never less than 0.
  std::optional<std::int64_t> tokens_left() const;
  std::optional<Duration> time_left() const;

 private:
  Allowance allowance_;
  Spent spent_;
};

}  // namespace plumbline::model
