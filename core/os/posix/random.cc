#include "core/os/random.h"

#include <sys/random.h>

#include <cerrno>

#include "core/base/check.h"
#include "core/base/percent.h"

namespace plumbline::os {

std::string random_bytes(std::size_t count) {
  std::string drawn(count, '\0');
  for (std::size_t filled = 0; filled < count;) {
    const ssize_t got = getrandom(drawn.data() + filled, count - filled, 0);
    check(got >= 0 || errno == EINTR, "the system gives no random bytes");
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  return drawn;
}

std::string random_token(std::size_t bytes) { return hex_of(random_bytes(bytes)); }

}  // namespace plumbline::os
