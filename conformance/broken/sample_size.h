// How many of the wrong peers a test takes: every one, but under sanitizers, which are ten times
// slower, a sample. What it proves of all of them is proved without.

#pragma once

#include <cstddef>

namespace plumbline::conformance {

#ifdef PLUMBLINE_SANITIZED
inline constexpr std::size_t kEachNth = 12;
#else
inline constexpr std::size_t kEachNth = 1;
#endif

}  // namespace plumbline::conformance
