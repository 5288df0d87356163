#include "core/os/random.h"

#include <sys/random.h>

#include <cerrno>

#include "core/base/check.h"

namespace plumbline::os {

std::string random_token(std::size_t bytes) {
  std::string drawn(bytes, '\0');
  for (std::size_t filled = 0; filled < bytes;) {
    const ssize_t count = getrandom(drawn.data() + filled, bytes - filled, 0);
    check(count >= 0 || errno == EINTR, "the system gives no random bytes");
    if (count > 0) filled += static_cast<std::size_t>(count);
  }
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  token.reserve(2 * bytes);
  for (const char c : drawn) {
    const auto byte = static_cast<unsigned char>(c);
    token += kDigits[byte >> 4U];
    token += kDigits[byte & 15U];
  }
  return token;
}

}  // namespace plumbline::os
