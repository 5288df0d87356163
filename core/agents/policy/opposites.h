// Verbs of which one undoes the other.

#pragma once

#include <string_view>

namespace plumbline::agents {

// are_opposites returns whether one folded verb undoes the other: "add" and "delete", "lock" and
// "unlock".
bool are_opposites(std::string_view one, std::string_view other);

}  // namespace plumbline::agents
