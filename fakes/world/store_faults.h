// What goes wrong in a store of the simulation, as whoever makes the world says for each operation.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/base/time.h"

namespace plumbline::fakes {

enum class StoreFault {
  kNone,
  kFail,       // It is not done, and an Error is told.
  kFailAfter,  // It is done, and an Error is told all the same.
  kConflict,   // Somebody else was first: told as such, not done.
  kTear,       // A part of what is written is there until a crash, and an Error is told.
  kLose,       // It is told as done, and gone after a crash.
};

struct StoreTrouble {
  StoreFault fault = StoreFault::kNone;
  Duration before{};  // Until it is done.
  Duration after{};   // From there until it is told.
};

// StoreTroubles is asked once for each operation ("put", "read", "remove", ...) on `key`.
using StoreTroubles =
    std::function<StoreTrouble(std::string_view operation, const std::string& key)>;

}  // namespace plumbline::fakes
