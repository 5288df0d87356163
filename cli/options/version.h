// The version of this program, as the build sets it.

#pragma once

namespace plumbline::cli {

inline constexpr const char* kVersion = PLUMBLINE_VERSION;

}  // namespace plumbline::cli
