// How many of the things that a test could try it tries: every one, but under sanitizers, which are
// ten times slower, a sample. What it proves of all of them is proved without.

#pragma once

namespace plumbline {

#ifdef PLUMBLINE_SANITIZED
inline constexpr unsigned kEachNth = 12;
#else
inline constexpr unsigned kEachNth = 1;
#endif

}  // namespace plumbline
