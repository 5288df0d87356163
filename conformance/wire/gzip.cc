#include "conformance/wire/gzip.h"

#include <algorithm>
#include <cstdint>

#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kStoredMax = 65'535;

std::uint32_t crc_of(std::string_view content) {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : content) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
  }
  return ~crc;
}

void append_number(std::string& bytes, std::size_t number, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>((number >> (8 * i)) & 0xFFU);
}

}  // namespace

std::string gzip_of(std::string_view content) {
  std::string bytes("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  std::string_view rest = content;
  do {
    const std::string_view part = rest.substr(0, kStoredMax);
    rest.remove_prefix(part.size());
    bytes += rest.empty() ? '\x01' : '\0';  // Of a stored block; 1: the last one.
    append_number(bytes, part.size(), 2);
    append_number(bytes, ~part.size(), 2);
    bytes += part;
  } while (!rest.empty());
  append_number(bytes, crc_of(content), 4);
  append_number(bytes, content.size(), 4);
  return bytes;
}

bool accepts_gzip(const wire::HttpHeaders& headers) {
  const std::string accepted(headers.get("Accept-Encoding").value_or(""));
  std::string_view rest = accepted;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::string_view coding = trimmed(one.substr(0, one.find(';')));
    const std::size_t weight = one.find("q=0");
    const bool refused = weight != std::string_view::npos &&
                         one.find_first_of("123456789", weight) == std::string_view::npos;
    if (coding == "gzip" && !refused) return true;
  }
  return false;
}

}  // namespace plumbline::conformance
