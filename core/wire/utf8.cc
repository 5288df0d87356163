#include "core/wire/utf8.h"

#include <cstdint>
#include <cstring>

namespace plumbline::wire {

namespace {

// ascii_prefix returns how many bytes at the start are ASCII, up to seven too few.
std::size_t ascii_prefix(std::string_view bytes) {
  std::size_t at = 0;
  for (std::uint64_t word = 0; bytes.size() - at >= sizeof(word); at += sizeof(word)) {
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    if ((word & 0x8080808080808080U) != 0) break;
  }
  return at;
}

}  // namespace

bool Utf8Check::feed(std::string_view bytes) {
  while (!bytes.empty() && !failed_) {
    if (left_ == 0) bytes.remove_prefix(ascii_prefix(bytes));
    // Characters that are not ASCII come together: the fast way is tried again after some.
    const std::size_t some = bytes.size() < 16 ? bytes.size() : 16;
    for (std::size_t i = 0; i < some && !failed_; ++i) {
      failed_ = !take(static_cast<unsigned char>(bytes[i]));
    }
    bytes.remove_prefix(some);
  }
  return !failed_;
}

bool Utf8Check::take(unsigned char byte) {
  if (left_ > 0) {
    const bool fits = byte >= low_ && byte <= high_;
    --left_;
    low_ = 0x80;
    high_ = 0xBF;
    return fits;
  }
  if (byte < 0x80) return true;
  if (byte < 0xC2 || byte > 0xF4) return false;
  left_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
  low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
  high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
  return true;
}

bool is_utf8(std::string_view text) {
  Utf8Check check;
  return check.feed(text) && check.whole();
}

}  // namespace plumbline::wire
