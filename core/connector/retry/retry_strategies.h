// RetryStrategies say, for each category of trouble, whether a call is tried again, how often,
// after which waits, and where else it may go. How waits grow is RetryPolicy's (core/base): nobody
// in the program computes them but it.

#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/base/retry_policy.h"
#include "core/base/rng.h"
#include "core/connector/retry/error_category.h"
#include "core/json/object_reader.h"

namespace plumbline::connector {

// Fallback is what is left when an agent cannot be had.
enum class Fallback { kNone, kAnotherAgent };

// ErrorHandlingStrategy is what is done about one category.
struct ErrorHandlingStrategy {
  bool retry = false;
  int retries_max = 3;
  RetryPolicy waits = {.jitter = true};  // Its tries_max and budget are not looked at.
  Fallback fallback = Fallback::kNone;
};

// RetryStrategies starts as what the document leaves open was decided: network, agent_unavailable
// and rate_limit are tried again three times, after 1, 2 and 4 s, each wait drawn between none and
// that (full jitter); the rest is not.
struct RetryStrategies {
  RetryStrategies();

  ErrorHandlingStrategy& of(ErrorCategory category) {
    return strategies[static_cast<std::size_t>(category)];
  }
  const ErrorHandlingStrategy& of(ErrorCategory category) const {
    return strategies[static_cast<std::size_t>(category)];
  }

  std::array<ErrorHandlingStrategy, kErrorCategories.size()> strategies;
};

// read_retry_policy reads an agent's "retryPolicy":
//
//   {"maxRetries": 3, "backoff": "linear|exponential|fixed", "initialDelay": 1000,
//    "maxDelay": 30000, "backoffMultiplier": 2, "retryableErrors": ["network", "timeout"],
//    "fallback": "another_agent", "categories": {"rate_limit": {"retry": true, "maxRetries": 5}}}
//
// Delays are in milliseconds. What is missing stays as in RetryStrategies(); "retryableErrors"
// names all that is tried again; an entry of "categories" takes the same keys but the last two, and
// "retry". What is wrong becomes the problem of `fields`, the reader over that object.
RetryStrategies read_retry_policy(ObjectReader& fields);

// retry_policy_shape is its JSON Schema.
Json retry_policy_shape();

// RetryBudget keeps retries to a share of the requests, so that trouble does not breed trouble: one
// for each ten requests, and a few to begin with.
class RetryBudget {
 public:
  static constexpr int kPercent = 10;
  static constexpr int kReserve = 10;    // Before there were any requests.
  static constexpr int kSavedMax = 100;  // However long nothing has failed.

  // sent counts a request; spend takes one retry and returns whether there was one.
  void sent();
  bool spend();

 private:
  int saved_percent_ = kReserve * 100;
};

// CallRetries follows one call through its tries.
class CallRetries {
 public:
  // Failed is how a try ended. `asked` is for how long the agent wants to be left alone.
  struct Failed {
    ErrorCategory category = ErrorCategory::kNetwork;
    bool may_have_changed_something = false;  // It is then never tried again.
    std::optional<Duration> asked{};
  };

  // `budget` may be null: then there is none; `jitter` too: then waits are not drawn. All must
  // outlive it.
  CallRetries(const RetryStrategies& strategies, RetryBudget* budget, Rng* jitter)
      : strategies_(strategies), budget_(budget), jitter_(jitter) {}

  // failed returns how long to wait before the next try, at least what the agent asks for. Nothing:
  // there is none, also when the agent asks for more patience than the strategy's cap.
  std::optional<Duration> failed(const Failed& failure);

  // tries returns how many have failed.
  int tries() const { return tries_; }

 private:
  const RetryStrategies& strategies_;
  RetryBudget* budget_;
  Rng* jitter_;
  int tries_ = 0;
};

}  // namespace plumbline::connector
