// Any bytes as what is taken from budgets, moved and given back, in any order: what a budget says
// is taken is what is held of it and was spent, it is never more than there is, and a charge is
// refused where there is not as much, and only there.
//
// Three bytes a step: what is done, with which, and how much.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/budget/budget.h"
#include "core/base/budget/guests.h"
#include "core/base/check.h"

namespace {

using plumbline::Amounts;
using plumbline::Budget;
using plumbline::Charge;
using plumbline::check;
using plumbline::Guests;
using plumbline::Held;
using plumbline::Resource;
using plumbline::Share;

constexpr std::array kKinds = {Resource::kSteps, Resource::kTextBytes, Resource::kProcesses};
constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kHeldMax = 64;

// amount_of makes small amounts of most bytes, and of some such as wrap around.
std::uint64_t amount_of(std::uint8_t byte) { return byte < 250 ? byte : kNoEnd - (byte - 250U); }

// Model says what budgets must say: one around all, and each of two within.
struct Model {
  static constexpr std::array<std::uint64_t, 3> kMost = {300, 200, 250};

  // fits returns whether so much more is there of `kind`, for the budget `which`.
  bool fits(std::size_t which, std::size_t kind, std::uint64_t amount) const {
    const auto has = [&](std::size_t one) { return amount <= most(one, kind) - taken[one][kind]; };
    return has(which) && (which == 0 || has(0));
  }
  void add(std::size_t which, std::size_t kind, std::uint64_t amount) {
    taken[which][kind] += amount;
    if (which != 0) taken[0][kind] += amount;
  }
  void give_back(std::size_t which, std::size_t kind, std::uint64_t amount) {
    check(taken[which][kind] >= amount, "more is given back than was taken");
    taken[which][kind] -= amount;
    if (which != 0) taken[0][kind] -= amount;
  }
  // most of the third kind has no end.
  static std::uint64_t most(std::size_t which, std::size_t kind) {
    return kind == 2 ? kNoEnd : kMost.at(which);
  }

  std::array<std::array<std::uint64_t, kKinds.size()>, 3> taken{};
};

Amounts amounts_of(std::size_t which) {
  return Amounts().set(kKinds[0], Model::most(which, 0)).set(kKinds[1], Model::most(which, 1));
}

// Play plays a script on budgets and on the model.
class Play {
 public:
  void step(std::uint8_t what, std::uint8_t with, std::uint8_t much) {
    const std::uint64_t amount = amount_of(much);
    const std::size_t which = with % budgets_.size();
    const std::size_t kind = with / 4 % kKinds.size();
    switch (what % 7) {
      case 0:
      case 1:
        return take(which, kind, amount);
      case 2:
        return spend(which, kind, amount);
      case 3:
        return grow(with, amount);
      case 4:
        return let_go(with);
      case 5:
        return move(with, much);
      default:
        budgets_[refusing_]->refuse_at(0);
        refused_ = budgets_[which]->charges() + 1 + much % 4;
        refusing_ = which;
        budgets_[which]->refuse_at(refused_);
    }
  }

  void compare() const {
    for (std::size_t which = 0; which < budgets_.size(); ++which) {
      for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
        const Budget& budget = *budgets_[which];
        const std::uint64_t taken = model_.taken[which][kind];
        check(budget.taken(kKinds[kind]) == taken, "another sum is taken than was");
        check(taken <= Model::most(which, kind), "more is taken than there is");
        const std::uint64_t here = Model::most(which, kind) - taken;
        const std::uint64_t around = Model::most(0, kind) - model_.taken[0][kind];
        check(budget.left(kKinds[kind]) == std::min(here, around), "another rest is left");
      }
    }
  }

 private:
  struct Owned {
    Charge charge;
    std::size_t which = 0;
    std::size_t kind = 0;
  };

  // expects returns whether the next charge of `which` is to be granted.
  bool expects(std::size_t which, std::size_t kind, std::uint64_t amount) const {
    if (!model_.fits(which, kind, amount)) return false;
    const bool asked = refusing_ == which || (refusing_ == 0 && which != 0);
    return !(asked && budgets_[refusing_]->charges() + 1 == refused_);
  }

  void take(std::size_t which, std::size_t kind, std::uint64_t amount) {
    const bool granted = expects(which, kind, amount);
    std::optional<Charge> charge = budgets_[which]->take(kKinds[kind], amount);
    check(charge.has_value() == granted, "a charge is granted against the sums");
    if (!charge) return;
    model_.add(which, kind, amount);
    owned_.push_back({*std::move(charge), which, kind});
    if (owned_.size() > kHeldMax) let_go(0);
  }

  void spend(std::size_t which, std::size_t kind, std::uint64_t amount) {
    const bool granted = expects(which, kind, amount);
    check(budgets_[which]->spend(kKinds[kind], amount) == granted, "what is spent was not there");
    if (granted) model_.add(which, kind, amount);
  }

  void grow(std::uint8_t with, std::uint64_t amount) {
    if (owned_.empty()) return;
    Owned& one = owned_[with % owned_.size()];
    const std::uint64_t before = one.charge.amount();
    const bool more = amount > before;
    const bool granted = !more || expects(one.which, one.kind, amount - before);
    check(one.charge.grow_to(amount) == granted, "a charge grows against the sums");
    check(one.charge.amount() == (granted ? amount : before), "a charge is of another amount");
    if (more && granted) model_.add(one.which, one.kind, amount - before);
    if (!more) model_.give_back(one.which, one.kind, before - amount);
  }

  void let_go(std::size_t with) {
    if (owned_.empty()) return;
    const auto gone = owned_.begin() + static_cast<std::ptrdiff_t>(with % owned_.size());
    model_.give_back(gone->which, gone->kind, gone->charge.amount());
    std::swap(*gone, owned_.back());
    owned_.pop_back();
  }

  // move changes places of two charges, or moves one away and back.
  void move(std::size_t from, std::size_t to) {
    if (owned_.empty()) return;
    Owned& source = owned_[from % owned_.size()];
    Owned& target = owned_[to % owned_.size()];
    if (&source == &target) {
      Charge moved(std::move(source.charge));
      check(source.charge.amount() == 0 && !source.charge.grow_to(1), "a moved charge holds some");
      source.charge = std::move(moved);
      return;
    }
    std::swap(source, target);
  }

  Model model_;
  Budget all_{amounts_of(0)};
  Budget one_{amounts_of(1), &all_};
  Budget two_{amounts_of(2), &all_};
  std::array<Budget*, 3> budgets_ = {&all_, &one_, &two_};
  std::vector<Owned> owned_;  // Ends before its budgets.
  std::uint64_t refused_ = 0;
  std::size_t refusing_ = 0;
};

// play_guests does the same with shares, which are forgotten while somebody holds some of them.
void play_guests(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kAll = 300;
  constexpr std::uint64_t kEach = 150;
  const auto text = [](std::uint64_t amount) {
    return Amounts().set(Resource::kTextBytes, amount);
  };
  struct Owned {
    Held held;
    std::string guest;
  };
  std::deque<Owned> owned;
  std::optional<Guests> guests(std::in_place, text(kAll), text(kEach));
  for (std::size_t at = 0; at + 2 < size; at += 3) {
    const std::string guest(1, static_cast<char>('a' + data[at + 1] % 5));
    const std::uint64_t amount = amount_of(data[at + 2]);
    std::uint64_t all = 0;
    std::uint64_t own = 0;
    for (const Owned& one : owned) {
      all += one.held.amount();
      if (one.guest == guest) own += one.held.amount();
    }
    const bool fits = amount <= kAll - all && amount <= kEach - own;
    if (data[at] % 3 == 0 && !owned.empty()) {
      owned.pop_front();
    } else {
      std::optional<Held> held = guests->of(guest).take(Resource::kTextBytes, amount);
      check(held.has_value() == fits, "a share is granted against the sums");
      if (!fits) {
        check(!guests->of(guest).refusal(Resource::kTextBytes, amount).what.empty(), "no words");
      }
      if (held) owned.push_back({*std::move(held), guest});
    }
    all = 0;
    for (const Owned& one : owned) all += one.held.amount();
    check(guests->taken(Resource::kTextBytes) == all, "all have taken another sum");
  }
  guests.reset();  // What is held outlives them.
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 3'000) return 0;
  Play play;
  for (std::size_t at = 0; at + 2 < size; at += 3) {
    play.step(data[at], data[at + 1], data[at + 2]);
    play.compare();
  }
  play_guests(data, size);
  return 0;
}
