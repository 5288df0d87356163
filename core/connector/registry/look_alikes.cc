#include "core/connector/registry/look_alikes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>

#include "core/base/text.h"

namespace plumbline::registry {

namespace {

struct Twin {
  std::string_view letter;  // UTF-8.
  char looks_like;
};

// Cyrillic and Greek letters, small and large, and what Latin has beside ASCII without an accent.
constexpr auto kTwins = std::to_array<Twin>({
    {"а", 'a'}, {"А", 'a'}, {"α", 'a'}, {"Α", 'a'}, {"ɑ", 'a'}, {"В", 'b'}, {"Β", 'b'}, {"Ь", 'b'},
    {"ь", 'b'}, {"с", 'c'}, {"С", 'c'}, {"ϲ", 'c'}, {"ԁ", 'd'}, {"е", 'e'}, {"Е", 'e'}, {"Ε", 'e'},
    {"є", 'e'}, {"ё", 'e'}, {"Ё", 'e'}, {"ɡ", 'g'}, {"һ", 'h'}, {"Н", 'h'}, {"Η", 'h'}, {"і", 'l'},
    {"І", 'l'}, {"ї", 'l'}, {"ı", 'l'}, {"ι", 'l'}, {"Ι", 'l'}, {"ӏ", 'l'}, {"Ӏ", 'l'}, {"ј", 'j'},
    {"Ј", 'j'}, {"к", 'k'}, {"К", 'k'}, {"κ", 'k'}, {"Κ", 'k'}, {"М", 'm'}, {"Μ", 'm'}, {"Ν", 'n'},
    {"п", 'n'}, {"η", 'n'}, {"о", 'o'}, {"О", 'o'}, {"ο", 'o'}, {"Ο", 'o'}, {"σ", 'o'}, {"ø", 'o'},
    {"р", 'p'}, {"Р", 'p'}, {"ρ", 'p'}, {"Ρ", 'p'}, {"ԛ", 'q'}, {"г", 'r'}, {"ѕ", 's'}, {"Ѕ", 's'},
    {"ſ", 's'}, {"т", 't'}, {"Т", 't'}, {"τ", 't'}, {"Τ", 't'}, {"υ", 'u'}, {"ս", 'u'}, {"ν", 'v'},
    {"ѵ", 'v'}, {"ԝ", 'w'}, {"ω", 'w'}, {"х", 'x'}, {"Х", 'x'}, {"χ", 'x'}, {"Χ", 'x'}, {"у", 'y'},
    {"У", 'y'}, {"γ", 'y'}, {"Υ", 'y'}, {"Ζ", 'z'},
});

// kAccented are the letters of Latin-1 and Latin Extended-A, from U+00C0 on, as plain letters; '.'
// is none.
constexpr std::string_view kAccented =
    "aaaaaaaceeeelllldnooooo.ouuuuy..aaaaaaaceeeelllldnooooo.ouuuuy.y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhlllllllllllljjkkklllllll"
    "lllnnnnnn.nnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

// letter_bytes returns how many bytes the first character of `text` has, a broken one one.
std::size_t letter_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  const bool whole =
      bytes <= text.size() && std::ranges::all_of(text.substr(1, bytes - 1), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
      });
  return whole ? bytes : 1;
}

std::uint32_t code_of_letter(std::string_view letter) {
  std::uint32_t code = static_cast<unsigned char>(letter.front());
  if (letter.size() > 1) code &= 0xFFU >> (letter.size() + 1);
  for (const char c : letter.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

// plain_ascii writes a character of ASCII as what it looks like; nothing for what only separates.
std::string plain_ascii(char c) {
  const char small = lower_case(c);
  if (small == '0') return "o";
  if (small == '1' || small == 'i' || small == '|' || small == '!') return "l";
  if (small == '5' || small == '$') return "s";
  if (small == '3') return "e";
  if (small == '@') return "a";
  return std::string_view(" -_.").find(small) == std::string_view::npos ? std::string(1, small)
                                                                        : "";
}

struct Span {
  std::uint32_t first;
  std::uint32_t last;
};

// is_blank returns whether a character beyond ASCII only separates, or is not seen at all.
bool is_blank(std::uint32_t code) {
  constexpr auto kBlank = std::to_array<Span>({
      {0x00A0, 0x00A0},    // A space that does not break.
      {0x00AD, 0x00AD},    // A hyphen that is not seen.
      {0x034F, 0x034F},    // Joins, unseen.
      {0x061C, 0x061C},    // A direction.
      {0x115F, 0x1160},    // Fillers.
      {0x180B, 0x180F},    // Without width.
      {0x2000, 0x200F},    // Spaces, and what has no width.
      {0x2010, 0x2015},    // Dashes.
      {0x2028, 0x202F},    // Line ends and directions.
      {0x205F, 0x206F},    // More of them.
      {0x2212, 0x2212},    // A minus.
      {0x3000, 0x3000},    // A wide space.
      {0x3164, 0x3164},    // A filler.
      {0xFE00, 0xFE0F},    // Variants.
      {0xFEFF, 0xFEFF},    // Without width.
      {0xE0000, 0xE0FFF},  // Tags and variants.
  });
  return std::ranges::any_of(
      kBlank, [code](const Span& span) { return code >= span.first && code <= span.last; });
}

std::string plain_letter(std::string_view letter) {
  if (letter.size() == 1) return plain_ascii(letter.front());
  const auto twin = std::ranges::find(kTwins, letter, &Twin::letter);
  if (twin != kTwins.end()) return std::string(1, twin->looks_like);
  const std::uint32_t code = code_of_letter(letter);
  if (code >= 0x0300 && code <= 0x036F) return "";  // Accents that combine.
  if (code == 0x2024) return "";                    // A dot.
  if (is_blank(code)) return "";
  if (code >= 0xFF01 && code <= 0xFF5E) {  // Full width.
    return plain_ascii(static_cast<char>(code - 0xFF01 + '!'));
  }
  constexpr std::uint32_t kFirst = 0x00C0;
  if (code >= kFirst && code - kFirst < kAccented.size() && kAccented[code - kFirst] != '.') {
    return std::string(1, kAccented[code - kFirst]);
  }
  return std::string(letter);
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace

std::string skeleton_of(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::size_t bytes = letter_bytes(name);
    out += plain_letter(name.substr(0, bytes));
    name.remove_prefix(bytes);
  }
  replace_all(out, "rn", "m");
  replace_all(out, "vv", "w");
  replace_all(out, "cl", "d");
  return out;
}

std::vector<std::string> look_alikes(const std::vector<std::string>& known,
                                     const std::vector<OwnedName>& names) {
  std::vector<std::string> lines;
  std::map<std::string, OwnedName> first;  // By skeleton.
  for (const std::string& name : known) first.emplace(skeleton_of(name), OwnedName{name, name});
  std::set<std::string> told;
  for (const OwnedName& one : names) {
    const auto [at, fresh] = first.emplace(skeleton_of(one.name), one);
    const OwnedName& other = at->second;
    if (fresh || other.owner == one.owner || !told.insert(one.owner + '\n' + one.name).second) {
      continue;
    }
    if (other.name == one.name) {
      lines.push_back("agent \"" + one.owner + "\" calls itself \"" + one.name + "\" as \"" +
                      other.owner + "\" does, and is another");
    } else {
      lines.push_back('"' + one.name + "\" looks like \"" + other.name + "\", and is another");
    }
  }
  return lines;
}

}  // namespace plumbline::registry
