// Instants and durations, as integer nanoseconds.
//
// Nothing here can read a clock: LoopClock has no now(). The only source of the current instant is
// a Loop (core/base/loop.h), so code that needs the time has to be handed one.

#pragma once

#include <chrono>
#include <cstdint>

namespace plumbline {

// Duration is a signed span of time. Unit: nanoseconds.
using Duration = std::chrono::nanoseconds;

// LoopClock names the time line of one Loop for std::chrono. It deliberately has no now().
struct LoopClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<LoopClock>;
  static constexpr bool is_steady = true;
};

// Instant is a point on the time line of one Loop. Unit: nanoseconds since that Loop started.
// Instants of two different Loops are not comparable.
using Instant = LoopClock::time_point;

// kNever is later than every Instant a Loop reaches: a wait without a deadline.
inline constexpr Instant kNever = Instant::max();

// after adds without overflow: `start` + kNever-like durations stay kNever.
constexpr Instant after(Instant start, Duration span) {
  return span > kNever - start ? kNever : start + span;
}

constexpr std::int64_t nanoseconds_of(Instant at) { return at.time_since_epoch().count(); }

constexpr std::int64_t milliseconds_of(Duration span) { return span.count() / 1'000'000; }

}  // namespace plumbline
