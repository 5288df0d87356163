#include "fakes/world/choices.h"

#include <algorithm>

#include "core/base/check.h"

namespace plumbline::fakes {

std::uint64_t Choices::below(std::uint64_t bound) {
  check(bound != 0, "below(0)");
  if (rng_) return note(rng_->below(bound), bound);
  const std::size_t next = made_.size();
  return note(next < given_.size() ? std::min(given_[next], bound - 1) : 0, bound);
}

std::int64_t Choices::between(std::int64_t low, std::int64_t high) {
  check(low <= high, "between() of an empty range");
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  check(span != UINT64_MAX, "between() of everything");
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + below(span + 1));
}

bool Choices::chance(std::uint64_t numerator, std::uint64_t denominator) {
  if (!rng_) return below(2) == 1;
  return note(rng_->chance(numerator, denominator) ? 1 : 0, 2) == 1;
}

std::size_t Choices::begin_span() {
  spans_.push_back(Span{made_.size(), made_.size()});
  return spans_.size() - 1;
}

std::uint64_t Choices::note(std::uint64_t value, std::uint64_t bound) {
  made_.push_back(Choice{value, bound});
  return value;
}

}  // namespace plumbline::fakes
