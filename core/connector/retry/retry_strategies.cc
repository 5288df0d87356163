#include "core/connector/retry/retry_strategies.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/rare.h"
#include "core/json/fields/fields.h"
#include "core/json/json.h"

namespace plumbline::connector {

namespace {

constexpr int kRetriesMax = 100;
constexpr int kMultiplierMax = 100;
constexpr std::array<std::string_view, 3> kBackoffs = {"fixed", "linear", "exponential"};
constexpr std::array<std::string_view, 1> kFallbacks = {"another_agent"};

// read_multiplier reads "backoffMultiplier", with a fraction or without.
void read_multiplier(ObjectReader& fields, RetryPolicy& waits) {
  const Json* const value = fields.take("backoffMultiplier");
  if (value == nullptr) return;
  const double times = value->is_number() ? value->get<double>() : 0;
  if (times >= 1 && times <= kMultiplierMax) {
    waits.growth_percent = static_cast<int>(std::lround(times * 100));
    return;
  }
  fields.refuse("backoffMultiplier", "\"backoffMultiplier\" is " + dump_json(*value) +
                                         ", expected a number from 1 to 100");
}

// What holds for one category, over what held before.
const Fields<ErrorHandlingStrategy>& strategy_fields() {
  static const Json kTimes = {
      {"type", "number"}, {"minimum", 1}, {"maximum", kMultiplierMax}, {"default", 2}};
  static const Fields<RetryPolicy> kWaits(
      "\"retryPolicy\"",
      {
          field::choice("backoff", &RetryPolicy::backoff, kBackoffs).usually("exponential"),
          field::milliseconds("initialDelay", &RetryPolicy::first).usually(1'000),
          field::milliseconds("maxDelay", &RetryPolicy::cap).usually(30'000),
          field::own<RetryPolicy>("backoffMultiplier", kTimes, read_multiplier),
      });
  static const Fields<ErrorHandlingStrategy> kFields =
      Fields<ErrorHandlingStrategy>(
          "\"retryPolicy\"",
          {
              field::whole("maxRetries", &ErrorHandlingStrategy::retries_max, 0, kRetriesMax)
                  .usually(3),
              field::choice("fallback", &ErrorHandlingStrategy::fallback, kFallbacks,
                            static_cast<int>(Fallback::kAnotherAgent))
                  .says("another agent that has the capability is asked"),
          })
          .and_those(kWaits.within(&ErrorHandlingStrategy::waits));
  return kFields;
}

const Fields<ErrorHandlingStrategy>& category_fields() {
  static const Fields<ErrorHandlingStrategy> kFields = strategy_fields().and_those(
      {"a category", {field::yes("retry", &ErrorHandlingStrategy::retry)}});
  return kFields;
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

void read_categories(ObjectReader& fields, RetryStrategies& out) {
  const Json* const categories = fields.object("categories");
  if (categories == nullptr) return;
  for (const auto& [name, value] : categories->items()) {
    const std::optional<ErrorCategory> category = category_called(name);
    if (!category) return fields.refuse("categories", no_such_category(name));
    ObjectReader own(value, fields.pointer_to("categories") + "/" + name, "a category",
                     fields.problem());
    category_fields().read(own, out.of(*category));
    own.finish();
  }
}

const Fields<RetryStrategies>& policy_fields() {
  static const Json kNames = shape::one_of(kErrorCategories);
  static const Fields<RetryStrategies> kFields(
      "\"retryPolicy\"",
      {
          field::own<RetryStrategies>("retryableErrors", shape::list(kNames), read_retryable)
              .usually({"network", "agent_unavailable", "rate_limit"}),
          field::own<RetryStrategies>(
              "categories",
              shape::with(shape::by_name(category_fields().shape()), "propertyNames", kNames),
              read_categories)
              .says("what holds for one category in place of the rest"),
      });
  return kFields;
}

}  // namespace

RetryStrategies::RetryStrategies() {
  for (const auto category :
       {ErrorCategory::kNetwork, ErrorCategory::kAgentUnavailable, ErrorCategory::kRateLimit}) {
    of(category).retry = true;
  }
}

RetryStrategies read_retry_policy(ObjectReader& fields) {
  RetryStrategies out;
  ErrorHandlingStrategy common;
  strategy_fields().read(fields, common);
  for (ErrorHandlingStrategy& strategy : out.strategies) {
    const bool retry = strategy.retry;
    strategy = common;
    strategy.retry = retry;
  }
  policy_fields().read(fields, out);
  fields.finish();
  return out;
}

Json retry_policy_shape() {
  return shape::with_members(policy_fields().shape(), strategy_fields().shape());
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
