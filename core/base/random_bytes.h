#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace plumbline {

// RandomBytes returns that many bytes that nobody can guess; in simulation, bytes of the seed.
using RandomBytes = std::function<std::string(std::size_t count)>;

}  // namespace plumbline
