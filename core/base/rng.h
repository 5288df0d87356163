// Rng is one stream of pseudo-random numbers, named and reproducible.
//
// A run has one seed. Each component forks its own stream by name, so a new draw in one of them
// does not shift the draws of the others. The generator and the bounded draws are our own:
// std distributions differ between libraries.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace plumbline {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  // fork returns the stream called `name` of this one's seed. It draws nothing: forks may be taken
  // in any order and number.
  Rng fork(std::string_view name) const {
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, then mixed with the seed.
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return Rng(mix(state_ ^ mix(hash)));
  }

  // next returns 64 bits. SplitMix64 (Steele, Lea, Flood 2014).
  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15U); }

  // below returns a number in [0, bound). `bound` must not be 0. Without bias.
  std::uint64_t below(std::uint64_t bound) {
    check(bound != 0, "below(0)");
    const std::uint64_t reject_under = (0 - bound) % bound;
    std::uint64_t draw = next();
    while (draw < reject_under) draw = next();
    return draw % bound;
  }

  // between returns a number in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    check(low <= high, "between() of an empty range");
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t draw = span == 0 ? next() : below(span);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + draw);
  }

  // chance is true in `numerator` of `denominator` draws.
  bool chance(std::uint64_t numerator, std::uint64_t denominator) {
    return below(denominator) < numerator;
  }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      const auto pick = static_cast<std::size_t>(below(left));
      std::swap(items[left - 1], items[pick]);
    }
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

}  // namespace plumbline
