#include "scenarios/shrink/shrink_search.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

// hash_of mixes every value and the length (SplitMix64's finalizer).
std::uint64_t hash_of(const Values& values) {
  std::uint64_t hash = values.size();
  for (const std::uint64_t value : values) {
    hash = (hash ^ value) + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
    hash ^= hash >> 31U;
  }
  return hash;
}

// drop_zeros cuts off what a list goes on with anyway.
void drop_zeros(Values& values) {
  while (!values.empty() && values.back() == 0) values.pop_back();
}

}  // namespace

ShrinkSearch::ShrinkSearch(const Values& values, const Fails& fails, const ShrinkLimits& limits)
    : fails_(fails), limits_(limits) {
  fakes::Choices choices(values);
  ++tries_;
  check(fails_(choices), "what is to be shrunk fails, and fails again");
  keep(choices);
}

bool ShrinkSearch::attempt(Values values) {
  attempted_size_ = 0;
  drop_zeros(values);
  if (over_) return false;
  const auto [tried, is_new] = tried_.emplace(hash_of(values), 0);
  attempted_size_ = tried->second;
  if (!is_new) return false;
  if (tries_ >= limits_.tries_max || (limits_.stop && limits_.stop())) {
    over_ = true;
    return false;
  }
  fakes::Choices choices(std::move(values));
  ++tries_;
  const bool failed = fails_(choices);
  attempted_size_ = tried->second = choices.made().size();
  if (!failed || !is_smaller(choices)) return false;
  keep(choices);
  return true;
}

bool ShrinkSearch::is_smaller(const fakes::Choices& choices) const {
  const auto& made = choices.made();
  if (made.size() != values_.size()) return made.size() < values_.size();
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made[i].value != values_[i]) return made[i].value < values_[i];
  }
  return false;
}

void ShrinkSearch::keep(const fakes::Choices& choices) {
  values_.clear();
  bounds_.clear();
  for (const fakes::Choices::Choice& choice : choices.made()) {
    values_.push_back(choice.value);
    bounds_.push_back(choice.bound);
  }
  spans_ = choices.spans();
  Values values = values_;
  drop_zeros(values);
  tried_.emplace(hash_of(values), values_.size());
}

std::vector<std::vector<Span>> ShrinkSearch::siblings() const {
  struct Open {
    std::size_t last;   // Of the span itself.
    std::size_t group;  // Of its children; 0 until there is one, as the outermost are nobody's.
  };
  std::vector<std::vector<Span>> groups(1);
  std::vector<Open> open;
  for (const Span& span : spans_) {
    if (span.first == span.last) continue;
    while (!open.empty() && span.first >= open.back().last) open.pop_back();
    if (!open.empty() && open.back().group == 0) {
      open.back().group = groups.size();
      groups.emplace_back();
    }
    groups[open.empty() ? 0 : open.back().group].push_back(span);
    open.push_back(Open{span.last, 0});
  }
  return groups;
}

Values without(const Values& values, std::size_t first, std::size_t last) {
  Values rest(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first));
  rest.insert(rest.end(), values.begin() + static_cast<std::ptrdiff_t>(last), values.end());
  return rest;
}

}  // namespace plumbline::scenarios
