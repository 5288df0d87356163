#include "fakes/faults/pace.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline::fakes {

namespace {

constexpr std::int64_t kNanosecondsEach = 1'000'000'000;

// time_for returns how long `bytes` take; a rate of 0 takes none. Bytes past 4 GB count as that.
Duration time_for(std::size_t bytes, std::int64_t bytes_per_s) {
  if (bytes_per_s == 0) return Duration{};
  const auto counted = static_cast<std::int64_t>(std::min<std::size_t>(bytes, 1U << 31U));
  return Duration(counted * kNanosecondsEach / bytes_per_s);
}

}  // namespace

Pace::Pace(const PaceOptions& options)
    : options_(options),
      drawn_(options.latency_min != options.latency_max || options.latency_tail_percent > 0),
      special_(options.bytes_per_s > 0) {
  check(options.latency_min <= options.latency_max, "latency_min is above latency_max");
  check(options.bytes_per_s >= 0, "a bandwidth below 0");
}

void Pace::throttle_until(Instant when, std::int64_t bytes_per_s, Felt felt) {
  check(bytes_per_s > 0, "a line of no bandwidth is stalled");
  special_ = true;
  throttled_until_ = when;
  throttled_to_ = bytes_per_s;
  throttle_felt_ = std::move(felt);
}

void Pace::delay_next(Extra extra) {
  if (extra.time == Duration{}) return;
  special_ = true;
  extra_ = std::move(extra);
}

Duration Pace::draw_latency(Rng& rng) const {
  const std::int64_t least = options_.latency_min.count();
  const std::int64_t most = options_.latency_max.count();
  const Duration latency(least == most ? least : rng.between(least, most));
  const int tail = options_.latency_tail_percent;
  if (tail == 0 || rng.below(100) >= static_cast<std::uint64_t>(tail)) return latency;
  return options_.latency_tail;
}

Instant Pace::slowed_due(Instant now, std::size_t bytes, Duration latency) {
  const Instant untouched = after(std::max(now, line_free_), time_for(bytes, options_.bytes_per_s));
  line_free_ = sent_at(now, bytes);
  const auto due_of = [&](Instant sent) { return std::max(last_due_, after(sent, latency)); };
  const Instant slow = due_of(line_free_);
  if (throttle_felt_ && slow > due_of(untouched)) std::exchange(throttle_felt_, nullptr)();
  const Extra extra = std::exchange(extra_, Extra{});
  const Instant late = due_of(after(line_free_, extra.time));
  if (extra.felt && late > slow) extra.felt();
  last_due_ = late;
  return late;
}

// sent_at returns when the last of `bytes` has left the writer.
Instant Pace::sent_at(Instant now, std::size_t bytes) const {
  const Instant plain = after(now, time_for(bytes, options_.bytes_per_s));
  const Instant start = std::max(now, line_free_);
  if (now >= throttled_until_) return after(start, time_for(bytes, options_.bytes_per_s));
  const Instant slow = after(start, time_for(bytes, throttled_to_));
  return std::min(slow, std::max(throttled_until_, plain));
}

}  // namespace plumbline::fakes
