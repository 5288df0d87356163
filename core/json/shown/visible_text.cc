#include "core/json/shown/visible_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace plumbline {

namespace {

constexpr std::string_view kCommentStart = "<!--";
constexpr std::string_view kCommentEnd = "-->";

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Zero-width joiners are left alone: they hold emoji and whole scripts together, and say nothing.
constexpr std::array<Range, 10> kUnseen = {{{0x00AD, 0x00AD},  // Soft hyphen.
                                            {0x061C, 0x061C},
                                            {0x180E, 0x180E},
                                            {0x200B, 0x200B},  // Zero-width space.
                                            {0x200E, 0x200F},
                                            {0x202A, 0x202E},  // Turns of direction.
                                            {0x2060, 0x2064},
                                            {0x2066, 0x206F},
                                            {0xFEFF, 0xFEFF},
                                            {0xE0000, 0xE007F}}};  // Tags.

bool is_unseen(Letter letter) {
  if (letter.bytes == 1) {
    const bool blank = letter.code == '\n' || letter.code == '\r' || letter.code == '\t';
    return (letter.code < 32 && !blank) || letter.code == 127;
  }
  return std::ranges::any_of(kUnseen, [&](const Range& range) {
    return letter.code >= range.first && letter.code <= range.last;
  });
}

// unseen_bytes returns how many bytes at the beginning of `text` are not shown.
std::size_t unseen_bytes(std::string_view text) {
  if (text.starts_with(kCommentStart)) {
    const std::size_t end = text.find(kCommentEnd, kCommentStart.size());
    return end == std::string_view::npos ? text.size() : end + kCommentEnd.size();
  }
  const Letter letter = first_letter(text);
  return is_unseen(letter) ? letter.bytes : 0;
}

// is_plain returns whether nothing in `text` needs a closer look: nearly always.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return (c >= ' ' && c < 127 && c != '<') || c == '\n'; });
}

}  // namespace

Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC0 ? 2 : 1;
  if (bytes == 1 || bytes > text.size()) return {byte(0), 1};
  std::uint32_t code = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {byte(0), 1};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  return {code, bytes};
}

bool hides_text(std::string_view text) {
  if (is_plain(text)) return false;
  while (!text.empty()) {
    if (unseen_bytes(text) > 0) return true;
    text.remove_prefix(first_letter(text).bytes);
  }
  return false;
}

std::string visible_text(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t unseen = unseen_bytes(text);
    const std::size_t bytes = unseen > 0 ? unseen : first_letter(text).bytes;
    if (unseen == 0) shown += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return shown;
}

bool show_schema_texts(Json& schema) {
  bool hid = false;
  if (auto* const members = schema.get_ptr<Json::object_t*>()) {
    for (auto& [key, member] : *members) {
      auto* const text = member.get_ptr<std::string*>();
      if (text == nullptr) {
        hid = show_schema_texts(member) || hid;
      } else if ((key == "title" || key == "description") && hides_text(*text)) {
        *text = visible_text(*text);
        hid = true;
      }
    }
  } else if (schema.is_array()) {
    for (Json& item : schema) hid = show_schema_texts(item) || hid;
  }
  return hid;
}

}  // namespace plumbline
