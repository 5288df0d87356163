// Budget bounds what one peer, one principal or one run may take, and all of them together.
//
// What is taken for a while (bytes, connections, threads) is a Charge, which gives it back when it
// ends. What is spent (steps) never comes back. A budget inside another takes from both, or from
// neither. All of them are of one loop. Reaching the end is an answer, never an abort: the caller
// refuses the peer (429, 503, -32000) or leaves a check undecided, in the words of `spent_words`.

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline {

enum class Resource : std::uint8_t {
  kSteps,       // Of validation, sampling and of whatever loops over what a peer said.
  kTextBytes,   // As it came, or waits to be written.
  kValueBytes,  // Of parsed values, as `value_bytes` of core/json counts them.
  kConnections,
  kThreads,  // Of conversations and graphs, and of the machine.
  kResults,  // Kept for a peer that asks again.
  kProcesses,
};
inline constexpr std::size_t kResources = 7;

std::string_view name_of(Resource resource);  // "steps", "bytes of text" …

// Amounts says how much of each resource there is. What is not set has no end.
class Amounts {
 public:
  Amounts() { amounts_.fill(std::numeric_limits<std::uint64_t>::max()); }

  Amounts& set(Resource resource, std::uint64_t amount) {
    amounts_[static_cast<std::size_t>(resource)] = amount;
    return *this;
  }
  std::uint64_t of(Resource resource) const { return amounts_[static_cast<std::size_t>(resource)]; }

 private:
  std::array<std::uint64_t, kResources> amounts_;
};

class Budget;

// Charge holds what was taken, and gives it back at its end. It must end before its budget does.
class Charge {
 public:
  Charge() = default;
  Charge(Charge&& other) noexcept;
  Charge& operator=(Charge&& other) noexcept;
  ~Charge();

  std::uint64_t amount() const { return amount_; }
  Resource resource() const { return resource_; }

  // grow_to takes what is missing up to `amount`, or gives back what is more. False leaves it as it
  // was.
  [[nodiscard]] bool grow_to(std::uint64_t amount);

 private:
  friend class Budget;
  Charge(Budget* budget, Resource resource, std::uint64_t amount)
      : budget_(budget), resource_(resource), amount_(amount) {}

  Budget* budget_ = nullptr;  // Null once it is moved from.
  Resource resource_{};
  std::uint64_t amount_ = 0;
};

class Budget {
 public:
  // `around` is the budget of all, charged with everything; null is none. It must outlive this one.
  explicit Budget(const Amounts& amounts, Budget* around = nullptr);
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // take returns what was taken, nothing where there is not as much here or around it.
  [[nodiscard]] std::optional<Charge> take(Resource resource, std::uint64_t amount = 1);

  // spend takes for good. False, and nothing taken, where there is not as much.
  [[nodiscard]] bool spend(Resource resource, std::uint64_t amount = 1);

  std::uint64_t left(Resource resource) const;  // Here and around it, whichever is less.
  std::uint64_t taken(Resource resource) const;
  std::uint64_t refusals() const { return refusals_; }

  // spent says in the words of `spent_words` what ran out first, here or around it; empty: nothing.
  std::string spent() const;

  // refuse_at lets the charge with this number fail, counted from 1 over all resources, whatever is
  // left: so a test fails each charge in turn. 0 fails none. `charges` tells how many there were.
  void refuse_at(std::uint64_t charge) { refused_charge_ = charge; }
  std::uint64_t charges() const { return charges_; }

 private:
  friend class Charge;
  bool try_take(Resource resource, std::uint64_t amount);
  void give_back(Resource resource, std::uint64_t amount);
  bool refuse(Resource resource);

  Amounts amounts_;
  Budget* around_;
  std::array<std::uint64_t, kResources> taken_{};
  std::uint64_t charges_ = 0;
  std::uint64_t refusals_ = 0;
  std::size_t refused_first_ = kResources;  // A Resource; that: none.
  std::uint64_t refused_charge_ = 0;
};

// spent_words says what ran out, for a refusal or a verdict: "the budget of 1000000 steps is
// spent".
std::string spent_words(const Amounts& amounts, Resource resource);

}  // namespace plumbline
