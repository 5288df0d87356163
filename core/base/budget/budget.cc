#include "core/base/budget/budget.h"

#include <algorithm>
#include <utility>

namespace plumbline {

std::string_view name_of(Resource resource) {
  switch (resource) {
    case Resource::kSteps:
      return "steps";
    case Resource::kTextBytes:
      return "bytes of text";
    case Resource::kValueBytes:
      return "bytes of values";
    case Resource::kConnections:
      return "connections";
    case Resource::kThreads:
      return "threads";
    case Resource::kResults:
      return "kept results";
    case Resource::kProcesses:
      return "processes";
  }
  return "";
}

Charge::Charge(Charge&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)),
      resource_(other.resource_),
      amount_(std::exchange(other.amount_, 0)) {}

Charge& Charge::operator=(Charge&& other) noexcept {
  std::swap(budget_, other.budget_);
  std::swap(resource_, other.resource_);
  std::swap(amount_, other.amount_);
  return *this;
}

Charge::~Charge() {
  if (budget_ != nullptr) budget_->give_back(resource_, amount_);
}

bool Charge::grow_to(std::uint64_t amount) {
  if (budget_ == nullptr) return false;
  if (amount > amount_ && !budget_->try_take(resource_, amount - amount_)) return false;
  if (amount < amount_) budget_->give_back(resource_, amount_ - amount);
  amount_ = amount;
  return true;
}

Budget::Budget(const Amounts& amounts, Budget* around) : amounts_(amounts), around_(around) {}

std::optional<Charge> Budget::take(Resource resource, std::uint64_t amount) {
  if (!try_take(resource, amount)) return std::nullopt;
  return Charge(this, resource, amount);
}

bool Budget::spend(Resource resource, std::uint64_t amount) { return try_take(resource, amount); }

std::uint64_t Budget::taken(Resource resource) const {
  return taken_[static_cast<std::size_t>(resource)];
}

std::uint64_t Budget::left(Resource resource) const {
  const std::uint64_t here = amounts_.of(resource) - taken(resource);
  return around_ == nullptr ? here : std::min(here, around_->left(resource));
}

bool Budget::try_take(Resource resource, std::uint64_t amount) {
  std::uint64_t& taken = taken_[static_cast<std::size_t>(resource)];
  const bool enough = amount <= amounts_.of(resource) - taken;
  if (++charges_ == refused_charge_ || !enough) return refuse(resource);
  if (around_ != nullptr && !around_->try_take(resource, amount)) return refuse(resource);
  taken += amount;
  return true;
}

bool Budget::refuse(Resource resource) {
  ++refusals_;
  if (refused_first_ == kResources) refused_first_ = static_cast<std::size_t>(resource);
  return false;
}

std::string Budget::spent() const {
  const std::size_t first = refused_first_;
  if (first == kResources) return {};
  const bool outer = around_ != nullptr && around_->refused_first_ == first;
  return outer ? around_->spent() : spent_words(amounts_, static_cast<Resource>(first));
}

void Budget::give_back(Resource resource, std::uint64_t amount) {
  for (Budget* budget = this; budget != nullptr; budget = budget->around_) {
    budget->taken_[static_cast<std::size_t>(resource)] -= amount;
  }
}

std::string spent_words(const Amounts& amounts, Resource resource) {
  return "the budget of " + std::to_string(amounts.of(resource)) + " " +
         std::string(name_of(resource)) + " is spent";
}

}  // namespace plumbline
