#include "core/os/random.h"

#include <random>

#include "core/base/percent.h"

namespace plumbline::os {

// The device is the random_get of WASI, which is that of the host's system.
std::string random_bytes(std::size_t count) {
  std::random_device device;
  std::string drawn;
  for (unsigned word = 0; drawn.size() < count; drawn += static_cast<char>(word & 0xffU)) {
    word = drawn.size() % sizeof word == 0 ? device() : word >> 8U;
  }
  return drawn;
}

std::string random_token(std::size_t bytes) { return hex_of(random_bytes(bytes)); }

}  // namespace plumbline::os
