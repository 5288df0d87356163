// A twist is one thing put wrong in a message that is otherwise as it should be: in its structure,
// or in its bytes.

#pragma once

#include <string>
#include <string_view>

#include "core/base/rng.h"
#include "core/json/json.h"

namespace plumbline::conformance {

struct Twisted {
  std::string text;
  std::string_view twist;  // Its name: "wrong-type".
};

// twist puts something wrong in `message`, drawn from `rng`. The text holds no newline.
Twisted twist(Json message, Rng& rng);

// odd_value returns a value that hardly anybody expects: a boundary, odd text, another type.
Json odd_value(Rng& rng);

}  // namespace plumbline::conformance
