// Choices is where a world's decisions come from: drawn from a seed and written down, or taken from
// a list that was written down before. Whoever draws them is a pure function of the list, so a
// failure can be made smaller by making the list smaller.
//
// Every choice is a number below a bound, and 0 is the simplest one: no fault, the first of a list,
// the shortest time. A list that ends early goes on with zeros, so cutting one off is simpler, too.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace plumbline::fakes {

class Choices {
 public:
  struct Choice {
    std::uint64_t value = 0;
    std::uint64_t bound = 1;  // value < bound.
    friend bool operator==(const Choice&, const Choice&) = default;
  };

  // Span is the choices [first, last) that were made for one thing: a fault, a command. Spans nest,
  // and stand in the order in which they began.
  struct Span {
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(const Span&, const Span&) = default;
  };

  // Draws from `rng`.
  explicit Choices(Rng rng) : rng_(rng) {}

  // Repeats `values`, then zeros. One that is not below the bound it meets becomes the highest.
  explicit Choices(std::vector<std::uint64_t> values) : given_(std::move(values)) {}

  // below returns a number in [0, bound). `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound);

  // between returns a number in [low, high]; low is the simplest.
  std::int64_t between(std::int64_t low, std::int64_t high);

  // chance is true in `numerator` of `denominator` draws; false is the simplest. A replayed choice
  // is true when it is not 0.
  bool chance(std::uint64_t numerator, std::uint64_t denominator);

  // In is alive while the choices of one thing are made.
  class In {
   public:
    explicit In(Choices& choices) : choices_(choices), index_(choices.begin_span()) {}
    In(const In&) = delete;
    In& operator=(const In&) = delete;
    ~In() { choices_.spans_[index_].last = choices_.made_.size(); }

   private:
    Choices& choices_;
    std::size_t index_;
  };

  // made returns every choice so far, and spans what belongs together.
  const std::vector<Choice>& made() const { return made_; }
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::size_t begin_span();
  std::uint64_t note(std::uint64_t value, std::uint64_t bound);

  std::optional<Rng> rng_;
  std::vector<std::uint64_t> given_;
  std::vector<Choice> made_;
  std::vector<Span> spans_;
};

}  // namespace plumbline::fakes
