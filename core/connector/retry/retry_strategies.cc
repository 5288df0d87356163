#include "core/connector/retry/retry_strategies.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/rare.h"
#include "core/json/json.h"

namespace plumbline::connector {

namespace {

constexpr int kRetriesMax = 100;
constexpr double kMultiplierMax = 100;
constexpr std::array<std::string_view, 3> kBackoffs = {"fixed", "linear", "exponential"};
constexpr std::array<std::string_view, 1> kFallbacks = {"another_agent"};

// read_multiplier reads "backoffMultiplier", with a fraction or without.
std::optional<int> read_multiplier(ObjectReader& fields) {
  const Json* const value = fields.take("backoffMultiplier");
  if (value == nullptr) return std::nullopt;
  const double times = value->is_number() ? value->get<double>() : 0;
  if (times >= 1 && times <= kMultiplierMax) return static_cast<int>(std::lround(times * 100));
  fields.refuse("backoffMultiplier", "\"backoffMultiplier\" is " + dump_json(*value) +
                                         ", expected a number from 1 to 100");
  return std::nullopt;
}

// read_strategy reads what holds for one category, over what held before.
void read_strategy(ObjectReader& fields, ErrorHandlingStrategy& strategy) {
  if (const auto retries = fields.integer("maxRetries", 0, kRetriesMax)) {
    strategy.retries_max = static_cast<int>(*retries);
  }
  if (const auto backoff = fields.choice("backoff", kBackoffs)) {
    strategy.waits.backoff = static_cast<Backoff>(*backoff);
  }
  if (const auto first = fields.milliseconds("initialDelay")) strategy.waits.first = *first;
  if (const auto cap = fields.milliseconds("maxDelay")) strategy.waits.cap = *cap;
  if (const auto percent = read_multiplier(fields)) strategy.waits.growth_percent = *percent;
  if (fields.choice("fallback", kFallbacks)) strategy.fallback = Fallback::kAnotherAgent;
}

std::optional<ErrorCategory> category_called(std::string_view name) {
  const auto at = std::ranges::find(kErrorCategories, name);
  if (at == kErrorCategories.end()) return std::nullopt;
  return static_cast<ErrorCategory>(at - kErrorCategories.begin());
}

std::string no_such_category(const std::string& name) {
  return "\"" + name +
         "\" is no category, expected network, authentication, agent_unavailable, "
         "rate_limit, timeout or invalid_request";
}

void read_retryable(ObjectReader& fields, RetryStrategies& out) {
  if (!fields.has("retryableErrors")) return;
  for (ErrorHandlingStrategy& strategy : out.strategies) strategy.retry = false;
  for (const std::string& name : fields.strings("retryableErrors")) {
    const std::optional<ErrorCategory> category = category_called(name);
    if (!category) return fields.refuse("retryableErrors", no_such_category(name));
    out.of(*category).retry = true;
  }
}

}  // namespace

RetryStrategies::RetryStrategies() {
  for (const auto category :
       {ErrorCategory::kNetwork, ErrorCategory::kAgentUnavailable, ErrorCategory::kRateLimit}) {
    of(category).retry = true;
  }
}

RetryStrategies read_retry_policy(ObjectReader& fields, std::optional<Problem>& problem) {
  RetryStrategies out;
  ErrorHandlingStrategy common;
  read_strategy(fields, common);
  for (ErrorHandlingStrategy& strategy : out.strategies) {
    const bool retry = strategy.retry;
    strategy = common;
    strategy.retry = retry;
  }
  read_retryable(fields, out);
  const Json* const categories = fields.object("categories");
  if (categories != nullptr) {
    for (const auto& [name, value] : categories->items()) {
      const std::optional<ErrorCategory> category = category_called(name);
      if (!category) {
        fields.refuse("categories", no_such_category(name));
        break;
      }
      ObjectReader own(value, fields.pointer_to("categories") + "/" + name, "a category", problem);
      read_strategy(own, out.of(*category));
      if (const auto retry = own.boolean("retry")) out.of(*category).retry = *retry;
      own.finish();
    }
  }
  fields.finish();
  return out;
}

void RetryBudget::sent() { saved_percent_ = std::min(saved_percent_ + kPercent, kSavedMax * 100); }

bool RetryBudget::spend() {
  if (saved_percent_ < 100) return false;
  saved_percent_ -= 100;
  return true;
}

std::optional<Duration> CallRetries::failed(const Failed& failure) {
  ++tries_;
  const ErrorHandlingStrategy& strategy = strategies_.of(failure.category);
  if (failure.may_have_changed_something || !strategy.retry) return std::nullopt;
  if (tries_ > strategy.retries_max) return std::nullopt;
  const Duration asked = failure.asked.value_or(Duration());
  if (asked > strategy.waits.cap) return std::nullopt;
  if (budget_ != nullptr && !budget_->spend()) return std::nullopt;
  Duration wait = rare(Rare::kRetryLate) ? strategy.waits.cap : strategy.waits.wait(tries_);
  if (strategy.waits.jitter && jitter_ != nullptr) {
    wait = Duration(jitter_->between(0, wait.count()));
  }
  return std::max(wait, asked);
}

}  // namespace plumbline::connector
