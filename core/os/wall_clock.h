// The wall clock, for people. Nothing that decides anything may ask it.

#pragma once

#include <string>

#include "core/base/doors/wall_clock.h"
#include "core/base/time.h"

namespace plumbline::os {

// wall_clock_rfc3339 returns the current time in UTC, to the second: "2026-07-28T09:30:00Z".
std::string wall_clock_rfc3339();

// wall_clock_since_1970 returns the current time, UTC.
Duration wall_clock_since_1970();

class RealWallClock final : public WallClock {
 public:
  // implements WallClock ---
  Duration since_1970() const override { return wall_clock_since_1970(); }
};

}  // namespace plumbline::os
