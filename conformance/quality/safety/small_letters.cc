#include "conformance/quality/safety/small_letters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/text.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {

namespace {

constexpr std::uint32_t kPairs = 1;  // A capital letter, its small one, the next capital letter ...

// Capitals are letters whose small ones stand `distance` behind them, or beside them: kPairs.
struct Capitals {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t distance;
};

constexpr auto kCapitals = std::to_array<Capitals>(
    {{0x00C0, 0x00D6, 32},     {0x00D8, 0x00DE, 32},     {0x0100, 0x012F, kPairs},
     {0x0132, 0x0137, kPairs}, {0x0139, 0x0148, kPairs}, {0x014A, 0x0177, kPairs},
     {0x0179, 0x017E, kPairs}, {0x01CD, 0x01DC, kPairs}, {0x01DE, 0x01EF, kPairs},
     {0x01F8, 0x021F, kPairs}, {0x0386, 0x0386, 38},     {0x0388, 0x038A, 37},
     {0x038C, 0x038C, 64},     {0x038E, 0x038F, 63},     {0x0391, 0x03AB, 32},
     {0x0400, 0x040F, 80},     {0x0410, 0x042F, 32},     {0x0460, 0x0481, kPairs},
     {0x048A, 0x04BF, kPairs}, {0x04C1, 0x04CE, kPairs}, {0x04D0, 0x052F, kPairs},
     {0x1E00, 0x1E95, kPairs}, {0x1EA0, 0x1EFF, kPairs}});

// Letters whose small ones are told one by one.
struct Odd {
  std::uint32_t letter;
  std::uint32_t small;
};

constexpr auto kOdd = std::to_array<Odd>(
    {{0x00B5, 0x03BC}, {0x0178, 0x00FF}, {0x01A0, 0x01A1}, {0x01AF, 0x01B0}, {0x03C2, 0x03C3},
     {0x03D0, 0x03B2}, {0x03D1, 0x03B8}, {0x03D5, 0x03C6}, {0x03D6, 0x03C0}, {0x03F0, 0x03BA},
     {0x03F1, 0x03C1}, {0x03F4, 0x03B8}, {0x03F5, 0x03B5}, {0x1C80, 0x0432}, {0x1C81, 0x0434},
     {0x1C82, 0x043E}, {0x1C83, 0x0441}, {0x1C84, 0x0442}, {0x1C85, 0x0442}, {0x1C86, 0x044A},
     {0x1C87, 0x0463}, {0x1C88, 0xA64B}, {0xA64A, 0xA64B}, {0x1E9B, 0x1E61}, {0x1E9E, 0x00DF},
     {0x1FBE, 0x03B9}, {0x0345, 0x03B9}, {0x2126, 0x03C9}, {0x212B, 0x00E5}});

std::uint32_t small_letter(std::uint32_t code) {
  for (const Capitals& capitals : kCapitals) {
    if (code < capitals.first || code > capitals.last) continue;
    if (capitals.distance != kPairs) return code + capitals.distance;
    return (code - capitals.first) % 2 == 0 ? code + 1 : code;
  }
  for (const Odd& odd : kOdd) {
    if (code == odd.letter) return odd.small;
  }
  return code;
}

// add_letter adds one of the scripts above, as UTF-8.
void add_letter(std::string& text, std::uint32_t code) {
  const auto tail = [&](std::uint32_t shift) {
    text += static_cast<char>(0x80U | (code >> shift & 0x3FU));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | code >> 6U);
    tail(0);
  } else {
    text += static_cast<char>(0xE0U | code >> 12U);
    tail(6);
    tail(0);
  }
}

}  // namespace

bool has_odd_ascii(std::string_view text) {
  return text.find("\u017F") != text.npos || text.find("\u212A") != text.npos;
}

std::string small_letters(std::string_view text) {
  std::string small = lower_case(text);
  if (std::ranges::all_of(small, [](char c) { return static_cast<unsigned char>(c) < 128; })) {
    return small;
  }
  std::string out;
  for (std::size_t at = 0; at < small.size();) {
    const Letter letter = first_letter(std::string_view(small).substr(at));
    const std::uint32_t code = letter.bytes > 1 ? small_letter(letter.code) : letter.code;
    if (code == letter.code) {
      out.append(small, at, letter.bytes);
    } else {
      add_letter(out, code);
    }
    at += letter.bytes;
  }
  return out;
}

}  // namespace plumbline::conformance
