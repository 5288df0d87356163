#include "conformance/quality/safety/unfolded.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kWordsFit = 8;       // So many unseen characters spell something.
constexpr std::size_t kEncodedLeast = 28;  // Shorter blocks hold no order.
constexpr std::size_t kLookAlikeNameLeast = 4;

// latin_of returns the Latin letter that a Cyrillic or Greek one looks like; 0: none.
char latin_of(std::uint32_t code) {
  static const std::map<std::uint32_t, char> kLike = {
      {0x430, 'a'}, {0x435, 'e'}, {0x43E, 'o'}, {0x440, 'p'}, {0x441, 'c'}, {0x445, 'x'},
      {0x443, 'y'}, {0x456, 'i'}, {0x458, 'j'}, {0x455, 's'}, {0x501, 'd'}, {0x4BB, 'h'},
      {0x410, 'A'}, {0x412, 'B'}, {0x415, 'E'}, {0x41A, 'K'}, {0x41C, 'M'}, {0x41D, 'H'},
      {0x41E, 'O'}, {0x420, 'P'}, {0x421, 'C'}, {0x422, 'T'}, {0x425, 'X'}, {0x3BF, 'o'},
      {0x3B1, 'a'}, {0x3B5, 'e'}, {0x3B9, 'i'}, {0x3BD, 'v'}, {0x3C1, 'p'}, {0x131, 'i'}};
  // Wide forms of ASCII.
  if (code > 0xFF00 && code < 0xFF5F) return static_cast<char>(code - 0xFEE0);
  const auto found = kLike.find(code);
  return found == kLike.end() ? '\0' : found->second;
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool parts_words(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// latin_word returns a word with look-alike letters made Latin, where it has Latin ones as well.
std::string latin_word(std::string_view word) {
  const bool wide = word.find("\xEF\xBC") != word.npos || word.find("\xEF\xBD") != word.npos;
  if (!wide && std::ranges::none_of(word, is_ascii_letter)) return std::string(word);
  std::string plain;
  for (std::string_view rest = word; !rest.empty();) {
    const Letter letter = first_letter(rest);
    const char like = latin_of(letter.code);
    plain += like == '\0' ? rest.substr(0, letter.bytes) : std::string_view(&like, 1);
    rest.remove_prefix(letter.bytes);
  }
  return plain;
}

std::string with_latin_words(std::string_view text) {
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 128; };
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end =
        static_cast<std::size_t>(std::ranges::find_if(text, parts_words) - text.begin());
    out += latin_word(text.substr(0, end));
    text.remove_prefix(end);
    if (text.empty()) break;
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

// reads_as_words returns whether bytes are a sentence rather than noise.
bool reads_as_words(std::string_view bytes) {
  const auto shown = [](char c) { return (c >= ' ' && c < 127) || c == '\n'; };
  const auto spaces = std::ranges::count(bytes, ' ');
  return bytes.size() >= kWordsFit && spaces >= 2 && std::ranges::all_of(bytes, shown);
}

std::optional<std::string> from_hex(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : lower_case(c) - 'a' + 10;
  };
  const auto is_hex = [](char c) {
    return (c >= '0' && c <= '9') || (lower_case(c) >= 'a' && lower_case(c) <= 'f');
  };
  if (text.size() % 2 != 0 || !std::ranges::all_of(text, is_hex)) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  return bytes;
}

using CommonWords = std::array<std::string_view, 9>;

// Words of English that an order to a model hardly does without, and the same in ROT13.
constexpr CommonWords kCommon = {" the ", " all ",    " and ",        " you", " to ",
                                 " user", "previous", "instructions", "send "};
constexpr CommonWords kCommonTurned = {" gur ", " nyy ",    " naq ",        " lbh", " gb ",
                                       " hfre", "cerivbhf", "vafgehpgvbaf", "fraq "};

std::size_t common_words(std::string_view text, const CommonWords& words) {
  return static_cast<std::size_t>(std::ranges::count_if(
      words, [text](std::string_view word) { return text.find(word) != text.npos; }));
}

// is_turned returns whether `text` reads as English in ROT13.
bool is_turned(std::string_view text) {
  const std::size_t turned = common_words(text, kCommonTurned);
  return turned >= 2 && turned >= common_words(text, kCommon);
}

std::string rotated(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    const char first = c >= 'a' && c <= 'z' ? 'a' : c >= 'A' && c <= 'Z' ? 'A' : '\0';
    if (first != '\0') c = static_cast<char>(first + (c - first + 13) % 26);
  }
  return out;
}

// stands_for returns the letter that a digit stands for; 0: none.
char stands_for(char c) {
  constexpr std::string_view kDigits = "013457@$";
  constexpr std::string_view kLetters = "oieastas";
  const std::size_t at = kDigits.find(c);
  return at == kDigits.npos ? '\0' : kLetters[at];
}

// with_letters returns a text with the letters that digits stand for in its words: "1gn0re".
// Nothing where fewer than two words are written so.
std::string with_letters(std::string_view text) {
  if (text.find_first_of("013457@$") == text.npos) return {};
  std::string out(text);
  std::size_t words = 0;
  for (std::size_t at = 0; at < out.size();) {
    const auto ends = [](char c) { return !is_ascii_letter(c) && stands_for(c) == '\0'; };
    std::size_t end = at;
    while (end < out.size() && !ends(out[end])) ++end;
    const auto whole = out.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last = out.begin() + static_cast<std::ptrdiff_t>(end);
    // "$match" and "@user" are names, unless there is more of that kind in them.
    const auto first = std::find_if(whole, last, [](char c) { return c != '$' && c != '@'; });
    const auto letters = std::count_if(first, last, is_ascii_letter);
    // Names such as "utf8" and "s3" have their digits at the end.
    const bool mixed = letters >= 3 && last - first > letters && is_ascii_letter(out[end - 1]);
    for (auto c = whole; mixed && c != last; ++c) {
      if (const char letter = stands_for(*c); letter != '\0') *c = letter;
    }
    words += mixed ? 1 : 0;
    at = end + 1;
  }
  return words < 2 ? std::string() : out;
}

// add_blocks decodes what looks like Base64 or hexadecimal digits.
void add_blocks(std::string_view text, std::vector<std::string>& decoded) {
  const auto in_block = [](char c) {
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '-' ||
           c == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_block(text[end])) ++end;
    const std::string_view block = text.substr(at, end - at);
    at = end + 1;
    if (block.size() < kEncodedLeast) continue;
    std::string standard(block);
    std::ranges::replace(standard, '-', '+');
    std::ranges::replace(standard, '_', '/');
    standard.append((4 - standard.size() % 4) % 4, '=');
    for (const auto& bytes : {from_hex(block), decode_base64(standard)}) {
      if (bytes && reads_as_words(*bytes)) decoded.push_back(*bytes);
    }
  }
}

// Bits collects characters without width, of which two kinds are the bits of bytes.
class Bits {
 public:
  void add(std::uint32_t code) {
    if (zero_ == 0) zero_ = code;
    bits_ += code == zero_ ? '0' : '1';
  }
  std::size_t size() const { return bits_.size(); }

  void decode(std::vector<std::string>& decoded) const {
    for (const char one : {'1', '0'}) {
      std::string bytes;
      for (std::size_t i = 0; i + 8 <= bits_.size(); i += 8) {
        unsigned byte = 0;
        for (std::size_t bit = i; bit < i + 8; ++bit) byte = byte * 2 + (bits_[bit] == one ? 1 : 0);
        bytes += static_cast<char>(byte);
      }
      if (reads_as_words(bytes)) decoded.push_back(bytes);
    }
  }

 private:
  std::uint32_t zero_ = 0;
  std::string bits_;
};

bool turns_direction(std::uint32_t code) {
  return code == 0x202D || code == 0x202E || (code >= 0x2066 && code <= 0x2068);
}

bool has_no_width(std::uint32_t code) {
  return (code >= 0x200B && code <= 0x200D) || code == 0x2060 || code == 0x2062 || code == 0x2063 ||
         code == 0x2064 || code == 0xFEFF || (code >= 0xFE00 && code <= 0xFE0F);
}

void add_unseen(std::string_view text, Unfolded& out) {
  std::string tags;
  std::string reversed;
  Bits bits;
  bool turned = false;
  for (std::string_view rest = text; !rest.empty();) {
    const Letter letter = first_letter(rest);
    const std::uint32_t code = letter.code;
    if (code >= 0xE0020 && code < 0xE007F) tags += static_cast<char>(code - 0xE0000);
    if (has_no_width(code)) bits.add(code);
    if (turns_direction(code)) turned = out.hides_words = true;
    if (turned && code < 128) reversed += static_cast<char>(code);
    rest.remove_prefix(letter.bytes);
  }
  std::ranges::reverse(reversed);
  out.hides_words = out.hides_words || tags.size() >= kWordsFit || bits.size() >= kWordsFit * 4;
  if (!tags.empty()) out.decoded.push_back(tags);
  if (!reversed.empty()) out.decoded.push_back(reversed);
  bits.decode(out.decoded);
}

// without_stretch returns a text in which letters stand apart, "i g n o r e", as words.
std::string without_stretch(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between = i > 0 && i + 1 < text.size() && text[i] == ' ' &&
                         is_ascii_letter(text[i - 1]) && is_ascii_letter(text[i + 1]) &&
                         (i < 2 || text[i - 2] == ' ') &&
                         (i + 2 >= text.size() || text[i + 2] == ' ');
    if (!between) out += text[i];
  }
  return out;
}

bool is_mark_of_direction(std::uint32_t code) {
  return code == 0x200E || code == 0x200F || code == 0x061C;
}

// without_ordinary returns a text without what is unseen in honest ones, too: a few marks of
// direction beside letters that are written from the right, and comments of a word or two.
std::string without_ordinary(std::string_view text) {
  std::size_t marks = 0;
  bool from_right = false;
  for (std::string_view rest = text; !rest.empty();) {
    const Letter letter = first_letter(rest);
    marks += is_mark_of_direction(letter.code) ? 1 : 0;
    from_right = from_right || (letter.code >= 0x590 && letter.code < 0x900 &&
                                !is_mark_of_direction(letter.code));
    rest.remove_prefix(letter.bytes);
  }
  const bool drop_marks = from_right && marks < kWordsFit;
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("<!--")) {
      const std::size_t end = text.find("-->");
      const std::string_view inside = trimmed(text.substr(4, end - std::min<std::size_t>(end, 4)));
      if (end != text.npos && std::ranges::count(inside, ' ') < 2) {
        text.remove_prefix(end + 3);
        continue;
      }
    }
    const Letter letter = first_letter(text);
    if (!drop_marks || !is_mark_of_direction(letter.code)) out += text.substr(0, letter.bytes);
    text.remove_prefix(letter.bytes);
  }
  return out;
}

std::string folded_name(std::string_view name) {
  std::string folded;
  for (std::string_view rest = name; !rest.empty();) {
    const Letter letter = first_letter(rest);
    const char like = latin_of(letter.code);
    std::string one(rest.substr(0, letter.bytes));
    if (like != '\0') one = std::string(1, like);
    if (one == "0") one = "o";
    if (one == "1" || one == "I") one = "l";
    if (one != "_" && one != "-" && one != ".") folded += lower_case(one);
    rest.remove_prefix(letter.bytes);
  }
  return folded;
}

}  // namespace

Unfolded unfold(std::string_view text) {
  Unfolded out;
  out.hides = hides_text(text) && hides_text(without_ordinary(text));
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 128; };
  if (out.hides || !std::ranges::all_of(text, is_plain)) add_unseen(text, out);
  out.plain = with_latin_words(out.hides ? visible_text(text) : std::string(text));
  add_blocks(out.plain, out.decoded);
  const std::string together = without_stretch(out.plain);
  if (together.size() + 8 < out.plain.size()) out.decoded.push_back(together);
  if (is_turned(out.plain)) out.decoded.push_back(rotated(out.plain));
  const std::string letters = with_letters(out.plain);
  if (!letters.empty()) out.decoded.push_back(letters);
  return out;
}

bool look_alike(std::string_view a, std::string_view b) {
  if (a == b || std::min(a.size(), b.size()) < kLookAlikeNameLeast) return false;
  const std::string x = folded_name(a);
  const std::string y = folded_name(b);
  if (x == y) return true;
  if (x.size() > y.size() + 1 || y.size() > x.size() + 1) return false;
  std::size_t same = 0;
  while (same < std::min(x.size(), y.size()) && x[same] == y[same]) ++same;
  const std::string_view rest_x = std::string_view(x).substr(same);
  const std::string_view rest_y = std::string_view(y).substr(same);
  if (x.size() == y.size()) return rest_x.substr(1) == rest_y.substr(1);
  return x.size() > y.size() ? rest_x.substr(1) == rest_y : rest_y.substr(1) == rest_x;
}

}  // namespace plumbline::conformance
