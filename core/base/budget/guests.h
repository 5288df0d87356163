// Guests are those who call a server that anybody may reach. All take from one budget, and each has
// a share of it, so that nobody can take what others need.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/budget/budget.h"

namespace plumbline {

struct Guest;         // One of them; in the source.
struct GuestCommons;  // What all have in common.

// Held is a charge of a share. It may outlive the Guests.
class Held {
 public:
  Held() = default;
  Held(Held&& other) noexcept = default;
  Held& operator=(Held&& other) noexcept;

  std::uint64_t amount() const { return charge_.amount(); }

  // grow_to is Charge::grow_to. What is of nobody's share is always there.
  [[nodiscard]] bool grow_to(std::uint64_t amount);

 private:
  friend class Share;

  std::shared_ptr<Guest> guest_;
  Charge charge_;  // Ends before its budget.
};

// Share is what one guest may take; copies are of the same guest. The Share that belongs to nobody
// has no end.
class Share {
 public:
  Share() = default;

  [[nodiscard]] std::optional<Held> take(Resource resource, std::uint64_t amount = 1) const;
  [[nodiscard]] bool spend(Resource resource, std::uint64_t amount) const;

  // Refusal is what a guest is told who has got no `amount` of `resource`.
  struct Refusal {
    int status = 503;  // 413: nobody gets so much. 429: the guest has taken its share.
    std::string what;
  };
  Refusal refusal(Resource resource, std::uint64_t amount) const;

  std::uint64_t taken(Resource resource) const;

 private:
  friend class Guests;
  explicit Share(std::shared_ptr<Guest> guest) : guest_(std::move(guest)) {}

  std::shared_ptr<Guest> guest_;
};

class Guests {
 public:
  // `all` is what all together may take, `each` what one of them may.
  Guests(const Amounts& all, const Amounts& each);

  // of returns the share of the guest `key`.
  Share of(const std::string& key);

  // trusted returns a share that ends where that of all does: of a proxy, which speaks for many.
  Share trusted() const;

  std::uint64_t taken(Resource resource) const;
  std::uint64_t refusals(Resource resource) const;  // Of all and of each.

  // refuse_at and charges are those of the budget of all: see Budget.
  void refuse_at(std::uint64_t charge);
  std::uint64_t charges() const;

 private:
  std::shared_ptr<GuestCommons> commons_;
  Amounts each_;
  std::map<std::string, std::weak_ptr<Guest>> shares_;
  std::size_t sweep_at_ = 64;  // When there are so many, those that hold nothing are forgotten.
};

}  // namespace plumbline
