// An actor is who does something in a simulated world: a server, or 0, which is everybody. Turns of
// different servers meet nowhere, so it does not matter which of them goes first.

#pragma once

#include <compare>
#include <cstdint>

#include "core/base/loop.h"

namespace plumbline::fakes {

// Owned is a timer whose every firing is a turn of one actor. Any other timer fires in a turn of
// whoever armed it.
class Owned : public Timer {
 public:
  std::uint32_t actor() const { return actor_; }
  void belongs_to(std::uint32_t actor) { actor_ = actor; }

 protected:
  ~Owned() = default;

 private:
  std::uint32_t actor_ = 0;
};

// Origin tells armed timers apart, in every order in which a world can go.
struct Origin {
  std::uint32_t owner = 0;     // Whose turn it is when it fires.
  std::uint32_t armed_by = 0;  // In whose turn it was armed.
  std::uint64_t nth = 0;       // Of those that `armed_by` armed.
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

}  // namespace plumbline::fakes
