#include "core/base/budget/guests.h"

#include <algorithm>
#include <utility>

namespace plumbline {

struct GuestCommons {
  explicit GuestCommons(const Amounts& amounts) : most(amounts), all(amounts) {}

  Amounts most;
  Budget all;
  std::array<std::uint64_t, kResources> refusals{};
};

struct Guest {
  Guest(std::shared_ptr<GuestCommons> its_commons, const Amounts& amounts)
      : commons(std::move(its_commons)), most(amounts), own(amounts, &commons->all) {}

  bool note(bool taken, Resource resource) {
    if (!taken) ++commons->refusals[static_cast<std::size_t>(resource)];
    return taken;
  }

  std::shared_ptr<GuestCommons> commons;
  Amounts most;
  Budget own;
};

Held& Held::operator=(Held&& other) noexcept {
  std::swap(guest_, other.guest_);
  charge_ = std::move(other.charge_);  // Swaps, too.
  return *this;
}

bool Held::grow_to(std::uint64_t amount) {
  return guest_ == nullptr || guest_->note(charge_.grow_to(amount), charge_.resource());
}

std::optional<Held> Share::take(Resource resource, std::uint64_t amount) const {
  Held held;
  if (guest_ == nullptr) return held;
  std::optional<Charge> charge = guest_->own.take(resource, amount);
  if (!guest_->note(charge.has_value(), resource)) return std::nullopt;
  held.guest_ = guest_;
  held.charge_ = *std::move(charge);
  return held;
}

bool Share::spend(Resource resource, std::uint64_t amount) const {
  return guest_ == nullptr || guest_->note(guest_->own.spend(resource, amount), resource);
}

Share::Refusal Share::refusal(Resource resource, std::uint64_t amount) const {
  const std::string name(name_of(resource));
  if (guest_ == nullptr) return {503, "there are no more " + name};
  const std::uint64_t most = guest_->most.of(resource);
  if (amount > most) {
    return {413, "this needs " + std::to_string(amount) + " " + name + ", and one caller gets " +
                     std::to_string(most) + " at most"};
  }
  if (amount > most - std::min(most, guest_->own.taken(resource))) {
    return {429, "this caller has taken its share of " + std::to_string(most) + " " + name +
                     ": come again when less of yours is open"};
  }
  return {503, "the " + std::to_string(guest_->commons->most.of(resource)) + " " + name +
                   " of this server are taken: come again later"};
}

std::uint64_t Share::taken(Resource resource) const {
  return guest_ == nullptr ? 0 : guest_->own.taken(resource);
}

Guests::Guests(const Amounts& all, const Amounts& each)
    : commons_(std::make_shared<GuestCommons>(all)), each_(each) {}

Share Guests::of(const std::string& key) {
  std::weak_ptr<Guest>& known = shares_[key];
  std::shared_ptr<Guest> guest = known.lock();
  if (guest == nullptr) {
    guest = std::make_shared<Guest>(commons_, each_);
    known = guest;
  }
  if (shares_.size() > sweep_at_) {
    std::erase_if(shares_, [](const auto& entry) { return entry.second.expired(); });
    sweep_at_ = std::max<std::size_t>(64, 2 * shares_.size());
  }
  return Share(std::move(guest));
}

Share Guests::trusted() const { return Share(std::make_shared<Guest>(commons_, Amounts())); }

std::uint64_t Guests::taken(Resource resource) const { return commons_->all.taken(resource); }

std::uint64_t Guests::refusals(Resource resource) const {
  return commons_->refusals[static_cast<std::size_t>(resource)];
}

void Guests::refuse_at(std::uint64_t charge) { commons_->all.refuse_at(charge); }

std::uint64_t Guests::charges() const { return commons_->all.charges(); }

}  // namespace plumbline
