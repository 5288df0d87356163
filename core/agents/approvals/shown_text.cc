#include "core/agents/approvals/shown_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace plumbline::agents::approvals {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kEntityBytesMax = 33;  // "&CounterClockwiseContourIntegral;"

enum class Script { kNone, kLatin, kGreek, kCyrillic, kEast };

struct Range {
  std::uint32_t first;
  std::uint32_t last;
  Script script;
};

// Letters that are shown as they are. What is not in here is an escape: marks that join a letter,
// alphabets that are written from the right, symbols, and what will be added to Unicode.
//
// Source: Unicode 15, the blocks by these names.
constexpr std::array<Range, 21> kLetters = {
    {{0x00C0, 0x00D6, Script::kLatin},    {0x00D8, 0x00F6, Script::kLatin},
     {0x00F8, 0x0130, Script::kLatin},    {0x0132, 0x0137, Script::kLatin},
     {0x0139, 0x0148, Script::kLatin},    {0x014A, 0x017E, Script::kLatin},
     {0x0386, 0x0386, Script::kGreek},    {0x0388, 0x038A, Script::kGreek},
     {0x038C, 0x038C, Script::kGreek},    {0x038E, 0x03A1, Script::kGreek},
     {0x03A3, 0x03CE, Script::kGreek},    {0x0401, 0x0401, Script::kCyrillic},
     {0x0404, 0x0407, Script::kCyrillic}, {0x0410, 0x044F, Script::kCyrillic},
     {0x0451, 0x0451, Script::kCyrillic}, {0x0454, 0x0457, Script::kCyrillic},
     {0x0490, 0x0491, Script::kCyrillic}, {0x3041, 0x3096, Script::kEast},
     {0x30A1, 0x30FA, Script::kEast},     {0x4E00, 0x9FFF, Script::kEast},
     {0xAC00, 0xD7A3, Script::kEast}}};

// Of these, what passes for a letter or a sign of ASCII: a word of nothing else is escapes.
//
// Source: Unicode 15, UTS 39, confusables.txt.
constexpr std::u32string_view kLookalikes =
    U"\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7\u03B1"
    U"\u03B3\u03B9\u03BA\u03BD\u03BF\u03C1\u03C3\u03C5\u03C7\u03C9\u0406\u0410\u0412\u0415\u041A"
    U"\u041C\u041D\u041E\u0420\u0421\u0422\u0423\u0425\u0430\u0433\u0435\u043E\u0440\u0441\u0443"
    U"\u0445\u0456\u30CB\u30CE\u4E00\u4E28\u4E36\u4E3F\u5DE5\u516B";

// Letter is one character of a text, or a byte that is none.
struct Letter {
  std::uint32_t code = 0;
  std::size_t at = 0;
  std::size_t bytes = 1;
  bool broken = false;  // The byte of `code` is no UTF-8.
  bool plain = false;   // It is shown as it is.
};

bool is_ascii_letter(std::uint32_t code) {
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

Script script_of(const Letter& letter) {
  if (letter.broken) return Script::kNone;
  if (is_ascii_letter(letter.code)) return Script::kLatin;
  for (const Range& range : kLetters) {
    if (letter.code >= range.first && letter.code <= range.last) return range.script;
  }
  return Script::kNone;
}

Letter letter_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const Letter alone{byte(0), at, 1, byte(0) >= 0x80};
  const std::size_t bytes = byte(0) >= 0xF5   ? 0
                            : byte(0) >= 0xF0 ? 4
                            : byte(0) >= 0xE0 ? 3
                            : byte(0) >= 0xC2 ? 2
                                              : 0;
  if (bytes == 0 || bytes > text.size() - at) return alone;
  std::uint32_t code = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return alone;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return alone;
  return {code, at, bytes, false};
}

// begins_entity returns whether `text` begins with "&name;" or "&#12;".
bool begins_entity(std::string_view text) {
  const std::size_t end = text.substr(0, kEntityBytesMax).find(';');
  if (end == std::string_view::npos || end < 2) return false;
  return std::ranges::all_of(text.substr(1, end - 1), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return is_ascii_letter(code) || (code >= '0' && code <= '9') || code == '#';
  });
}

// means_markup returns whether the sign that `rest` begins with could make a client hide what
// follows.
bool means_markup(std::string_view rest, char before) {
  const char next = rest.size() > 1 ? rest[1] : '\0';
  if (rest.front() == '<') {
    return is_ascii_letter(static_cast<unsigned char>(next)) || next == '!' || next == '/' ||
           next == '?';
  }
  if (rest.front() == '&') return begins_entity(rest);
  return before == ']' && (rest.front() == '(' || rest.front() == '[');
}

// Emphasis is where a text has signs that Markdown takes away in pairs: *a*, _a_, ~a~, `a`.
//
// Source: CommonMark 0.31, 6.2 emphasis and strong emphasis; GitHub's, 6.5 strikethrough.
class Emphasis {
 public:
  explicit Emphasis(std::string_view text) : text_(text) {
    for (std::size_t at = text.find_first_of(kSigns); at != text.npos;
         at = text.find_first_of(kSigns, at + 1)) {
      Pair& pair = pairs_[kSigns.find(text[at])];
      if (opens(at)) pair.first = std::min(pair.first, at);
      if (closes(at)) pair.last = at;
    }
  }

  // takes returns whether the sign at `at` may be one of a pair.
  bool takes(std::size_t at) const {
    const std::size_t sign = kSigns.find(text_[at]);
    if (sign == kSigns.npos) return false;
    const Pair& pair = pairs_[sign];
    return (opens(at) && pair.last > at) || (closes(at) && pair.first < at);
  }

 private:
  static constexpr std::string_view kSigns = "*_~`";

  struct Pair {
    std::size_t first = std::string_view::npos;  // That opens.
    std::size_t last = 0;                        // That closes.
  };

  static bool is_word(char c) {
    const auto code = static_cast<unsigned char>(c);
    return is_ascii_letter(code) || (code >= '0' && code <= '9') || code >= 0x80;
  }

  // The ends of a text are as blanks.
  char before(std::size_t at) const { return at == 0 ? ' ' : text_[at - 1]; }
  char behind(std::size_t at) const { return at + 1 == text_.size() ? ' ' : text_[at + 1]; }

  bool opens(std::size_t at) const {
    if (text_[at] == '`') return true;
    return behind(at) > ' ' && !(text_[at] == '_' && is_word(before(at)));
  }

  bool closes(std::size_t at) const {
    if (text_[at] == '`') return true;
    return before(at) > ' ' && !(text_[at] == '_' && is_word(behind(at)));
  }

  std::string_view text_;
  std::array<Pair, kSigns.size()> pairs_;
};

// is_plain_sign judges what is no letter.
bool is_plain_sign(std::string_view text, const Letter& letter, const Emphasis& emphasis) {
  if (letter.broken || letter.code < ' ' || letter.code > '~') return false;
  const char before = letter.at == 0 ? '\0' : text[letter.at - 1];
  if (letter.code != ' ') {
    return !means_markup(text.substr(letter.at), before) && !emphasis.takes(letter.at);
  }
  return letter.at != 0 && letter.at + 1 != text.size() && before != ' ';
}

// judge_word says which letters of a word are plain: all of one alphabet that cannot pass for
// another, else those of ASCII.
void judge_word(std::vector<Letter>& letters, std::size_t begin, std::size_t end) {
  const Script script = script_of(letters[begin]);
  bool one_script = true;
  bool unlike = script == Script::kLatin;
  for (std::size_t i = begin; i < end; ++i) {
    one_script = one_script && script_of(letters[i]) == script;
    const auto code = static_cast<char32_t>(letters[i].code);
    unlike = unlike || kLookalikes.find(code) == std::u32string_view::npos;
  }
  for (std::size_t i = begin; i < end; ++i) {
    letters[i].plain = (one_script && unlike) || is_ascii_letter(letters[i].code);
  }
}

std::vector<Letter> letters_of(std::string_view text) {
  std::vector<Letter> letters;
  for (std::size_t at = 0; at < text.size(); at += letters.back().bytes) {
    letters.push_back(letter_at(text, at));
  }
  const Emphasis emphasis(text);
  for (std::size_t i = 0; i < letters.size();) {
    const Script script = script_of(letters[i]);
    if (script == Script::kNone) {
      letters[i].plain = is_plain_sign(text, letters[i], emphasis);
      ++i;
      continue;
    }
    // What is written in the east stands beside other letters without a blank.
    std::size_t end = i + 1;
    for (; end < letters.size(); ++end) {
      const Script next = script_of(letters[end]);
      const bool same_kind = (next == Script::kEast) == (script == Script::kEast);
      if (next == Script::kNone || !same_kind) break;
    }
    judge_word(letters, i, end);
    i = end;
  }
  return letters;
}

std::string escape_of(const Letter& letter) {
  if (!letter.broken && letter.code == '\n') return "\\n";
  if (!letter.broken && letter.code == '\t') return "\\t";
  if (!letter.broken && letter.code == '\r') return "\\r";
  if (letter.broken || letter.code < 0x80) {
    return {'\\', 'x', kHexDigits[letter.code >> 4U], kHexDigits[letter.code & 0xFU]};
  }
  std::string digits;
  for (std::uint32_t left = letter.code; left > 0; left >>= 4U) {
    digits.insert(digits.begin(), kHexDigits[left & 0xFU]);
  }
  return "\\u{" + digits + "}";
}

// next_boundary returns where the character of a shown text ends that begins at `at`.
std::size_t next_boundary(std::string_view shown, std::size_t at, bool quoted) {
  if (!quoted || shown[at] != '\\' || at + 1 == shown.size()) {
    return at + letter_at(shown, at).bytes;
  }
  const char kind = shown[at + 1];
  const std::size_t end = kind == 'x' ? at + 4 : kind == 'u' ? shown.find('}', at) + 1 : at + 2;
  return std::min(end, shown.size());
}

}  // namespace

std::string shown(std::string_view text) {
  const std::vector<Letter> letters = letters_of(text);
  const bool quoted = text.empty() || text.starts_with("$'") ||
                      !std::ranges::all_of(letters, [](const Letter& one) { return one.plain; });
  if (!quoted) return std::string(text);
  std::string out = "$'";
  for (const Letter& letter : letters) {
    if (!letter.plain) {
      out += escape_of(letter);
      continue;
    }
    if (letter.code == '\\' || letter.code == '\'') out += '\\';
    out += text.substr(letter.at, letter.bytes);
  }
  return out + "'";
}

std::string in_one_line(const std::string& text) {
  const bool plain = std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte == 0x7F;
  });
  return plain ? text : shown(text);
}

std::string cut_shown(std::string_view shown, std::size_t bytes_max) {
  if (shown.size() <= bytes_max) return std::string(shown);
  const bool quoted = shown.starts_with("$'");
  std::size_t begins = 0;  // The last boundary of the first half.
  std::size_t ends = 0;    // The first boundary of the last one.
  while (ends < shown.size() - bytes_max / 2) {
    if (ends <= bytes_max / 2) begins = ends;
    ends = next_boundary(shown, ends, quoted);
  }
  return std::string(shown.substr(0, begins)) + " … " + std::to_string(ends - begins) + " of " +
         std::to_string(shown.size()) + " bytes are left out here … " +
         std::string(shown.substr(ends));
}

}  // namespace plumbline::agents::approvals
