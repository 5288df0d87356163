// Randomness that nobody can guess, for session ids and keys. Nothing that a run repeats may ask
// it.

#pragma once

#include <cstddef>
#include <string>

namespace plumbline::os {

// random_bytes returns `count` bytes of the system's generator.
std::string random_bytes(std::size_t count);

// random_token returns `bytes` bytes of the system's generator in lower-case hexadecimal digits.
std::string random_token(std::size_t bytes);

}  // namespace plumbline::os
