#include "core/os/wall_clock.h"

#include <chrono>

namespace plumbline::os {

std::string wall_clock_rfc3339() { return rfc3339(wall_clock_since_1970()); }

Duration wall_clock_since_1970() {
  return std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace plumbline::os
