#include "conformance/quality/safety/words.h"

#include <algorithm>
#include <array>

#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {

namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr auto kWide = std::to_array<Range>(
    {{0x0E00, 0x0E7F}, {0x3040, 0xD7FF}, {0xF900, 0xFAFF}, {0xFF66, 0xFFDC}, {0x20000, 0x3FFFF}});
constexpr auto kSpacedLetters = std::to_array<Range>({{0x00C0, 0x1FFF},
                                                      {0x2C00, 0x2DFF},
                                                      {0xFE70, 0xFEFE},
                                                      {0xFF10, 0xFF19},
                                                      {0xFF21, 0xFF3A},
                                                      {0xFF41, 0xFF5A}});
constexpr auto kMarks = std::to_array<Range>({{0x00D7, 0x00D7},
                                              {0x00F7, 0x00F7},
                                              {0x037E, 0x037E},
                                              {0x05BE, 0x05BE},
                                              {0x060C, 0x060C},
                                              {0x061B, 0x061B},
                                              {0x061F, 0x061F},
                                              {0x066A, 0x066D},
                                              {0x06D4, 0x06D4},
                                              {0x0964, 0x0965}});

template <typename Ranges>
bool within(std::uint32_t code, const Ranges& ranges) {
  return std::ranges::any_of(
      ranges, [code](const Range& one) { return code >= one.first && code <= one.last; });
}

constexpr bool is_ascii(std::uint32_t code) {
  return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z');
}

bool is_wide_letter(std::uint32_t code) { return code >= 0x0E00 && within(code, kWide); }

bool is_letter(std::uint32_t code) {
  if (code < 0x80) return is_ascii(code);
  return is_wide_letter(code) || (within(code, kSpacedLetters) && !within(code, kMarks));
}

constexpr std::uint32_t kApostrophe = 0x2019;

}  // namespace

Words::Code Words::code_at(std::size_t at) const {
  if (at >= text_.size()) return {' ', 0};
  const auto first = static_cast<unsigned char>(text_[at]);
  if (first < 0x80) return {first, 1};
  const Letter letter = first_letter(text_.substr(at));
  return {letter.code, letter.bytes};
}

bool Words::is_ascii_at(std::size_t at) const {
  return at < text_.size() && is_ascii(static_cast<unsigned char>(text_[at]));
}

bool Words::next() {
  mark_ = false;
  while (at_ < text_.size()) {
    const Code now = code_at(at_);
    if (is_letter(now.code)) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("https://") || rest.starts_with("http://")) {
        take_address();
      } else {
        take_word();
      }
      return true;
    }
    const bool found = take_mark();
    at_ += now.bytes;
    behind_letter_ = false;
    if (found) return true;
  }
  return false;
}

void Words::take_address() {
  while (at_ < text_.size() &&
         std::string_view(" \n\t\r\"'<>)]").find(text_[at_]) == std::string_view::npos) {
    const Code code = code_at(at_);
    behind_letter_ = is_letter(code.code);
    at_ += code.bytes;
  }
  word_ = "<url>";
  wide_ = false;
}

void Words::take_word() {
  Code code = code_at(at_);
  wide_ = is_wide_letter(code.code);
  word_.clear();
  while (at_ < text_.size()) {
    const bool joins = !wide_ && (code.code == '\'' || code.code == kApostrophe) &&
                       is_letter(code_at(at_ + code.bytes).code);
    if (is_wide_letter(code.code) != wide_ || (!is_letter(code.code) && !joins)) break;
    word_ += joins ? std::string_view("'") : text_.substr(at_, code.bytes);
    at_ += code.bytes;
    code = code_at(at_);
  }
  behind_letter_ = true;
  if (take_mail()) return;
  if (std::ranges::all_of(word_, [](char c) { return c >= '0' && c <= '9'; })) word_ = "0";
}

bool Words::take_mail() {
  if (at_ >= text_.size() || text_[at_] != '@' || !is_ascii_at(at_ + 1)) return false;
  const auto joins = [&] { return text_[at_] == '.' || text_[at_] == '-'; };
  for (++at_; at_ < text_.size();) {
    if (!is_ascii_at(at_) && !(joins() && is_ascii_at(at_ + 1))) break;
    ++at_;
  }
  word_ = "<mail>";
  wide_ = false;
  return true;
}

bool Words::take_mark() {
  const char now = text_[at_];
  const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  wide_ = false;
  if ((now == '~' && after == '/') ||
      (!behind_letter_ && (now == '/' || now == '.') && is_ascii_at(at_ + 1))) {
    word_ = "<path>";
  } else if (now == '$' && (is_ascii_at(at_ + 1) || after == '{')) {
    word_ = "<var>";
  } else if (now == '<' && (is_ascii_at(at_ + 1) || after == '/' || after == '|' || after == '!')) {
    word_ = "<tag>";
  } else if (std::string_view("!?:\"`{[%").find(now) != std::string_view::npos) {
    word_ = now;
    mark_ = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace plumbline::conformance
