// WallClock is the only way to learn what time it is for people. It may be set while we run, also
// back: what must not go back is measured by the Loop.

#pragma once

#include <string>

#include "core/base/time.h"

namespace plumbline {

class WallClock {
 public:
  // since_1970 returns the time since 1970-01-01T00:00:00Z.
  virtual Duration since_1970() const = 0;

 protected:
  ~WallClock() = default;
};

// rfc3339 returns such a time in UTC, to the second: "2026-07-28T09:30:00Z".
std::string rfc3339(Duration since_1970);

}  // namespace plumbline
