// Measured validates what a peer said at the cost of a budget, and keeps why not all of it was
// judged: whoever asks says so, and passes nothing and blames nobody.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/budget/budget.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

// Steps that one check, or one oracle, may take of what the run has.
inline constexpr std::uint64_t kCheckStepsMax = 20'000'000;

class Measured {
 public:
  // `run` must outlive this.
  explicit Measured(Budget& run) : budget_(Amounts().set(Resource::kSteps, kCheckStepsMax), &run) {}
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;

  // compile is Schema::compile. kLimitReached: likewise where the budget is spent.
  Result<schema::Schema> compile(const Json& schema);

  // violation returns what is wrong with `value`. Nothing: it fits, or nobody can tell: unsure().
  std::optional<schema::Violation> violation(const schema::Schema& schema, const Json& value);

  // decides returns whether everything so far was judged to its end.
  bool decides() const { return unsure().empty(); }

  // unsure says why it was not; empty: it was.
  std::string unsure() const;

  // budget is for what is made of a schema.
  Budget& budget() { return budget_; }

 private:
  Budget budget_;
  std::string stopped_;  // By a bound of one schema.
};

}  // namespace plumbline::conformance
