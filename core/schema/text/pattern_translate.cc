#include <array>
#include <cstdint>
#include <utility>

#include "core/base/percent.h"
#include "core/schema/text/ascii.h"
#include "core/schema/text/pattern.h"

namespace plumbline::schema {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// What the shorthands hold, to stand inside brackets.
constexpr std::string_view kSpace =
    "\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
    "\\x{3000}\\x{feff}";
constexpr std::string_view kNoSpace =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
    "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
constexpr std::string_view kAnything = "\\x{0}-\\x{10ffff}";
constexpr std::string_view kNoLineEnd = "[^\\n\\r\\x{2028}\\x{2029}]";

// RE2 knows the general categories by their short names alone.
constexpr auto kCategories = std::to_array<Pair>({
    {"Cased_Letter", "L"},
    {"Close_Punctuation", "Pe"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Lowercase_Letter", "Ll"},
    {"Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"Paragraph_Separator", "Zp"},
    {"Private_Use", "Co"},
    {"Punctuation", "P"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Uppercase_Letter", "Lu"},
    {"digit", "Nd"},
    {"punct", "P"},
});

std::string code_point(std::uint32_t code) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  do {
    hex.insert(hex.begin(), kDigits[code % 16]);
    code /= 16;
  } while (code != 0);
  return "\\x{" + hex + "}";
}

// Translator walks the pattern once. Each step reads at `rest_` and appends to `out_`; what it
// does not know it hands on for RE2 to judge.
class Translator {
 public:
  explicit Translator(std::string_view text) : rest_(text) {}

  Result<std::string> run() {
    while (!rest_.empty() && error_.empty()) {
      if (rest_.front() == '\\') {
        escape();
      } else if (in_class_) {
        class_item();
      } else {
        item();
      }
    }
    if (!error_.empty()) return Error{code_, error_};
    return std::move(out_);
  }

 private:
  void copy(std::size_t bytes = 1) {
    out_ += rest_.substr(0, bytes);
    rest_.remove_prefix(std::min(bytes, rest_.size()));
  }

  void replace(std::size_t bytes, std::string_view by) {
    out_ += by;
    rest_.remove_prefix(bytes);
  }

  void fail(ErrorCode code, std::string why) {
    code_ = code;
    error_ = std::move(why);
  }

  bool starts(std::string_view with) const { return rest_.substr(0, with.size()) == with; }

  void item() {
    if (starts("(?=") || starts("(?!") || starts("(?<=") || starts("(?<!")) {
      return fail(ErrorCode::kUnsupported, "lookaround is not supported");
    }
    if (starts("(?<")) return replace(3, "(?P<");
    if (starts("(?") && !is_group()) {
      return fail(ErrorCode::kInvalidInput, "a group that ECMA-262 does not have");
    }
    if (starts("[^]")) return replace(3, "[" + std::string(kAnything) + "]");
    if (starts("[]")) return replace(2, "[^" + std::string(kAnything) + "]");
    if (rest_.front() == '.') return replace(1, kNoLineEnd);
    if (rest_.front() == '[') {
      in_class_ = true;
      return copy(starts("[^") ? 2 : 1);
    }
    copy();
  }

  // is_group: (?: and (?flags:, but neither (?flags) nor (?P<name>.
  bool is_group() const {
    const std::size_t colon = rest_.find(':');
    if (colon == std::string_view::npos) return false;
    return rest_.substr(2, colon - 2).find_first_not_of("ims-") == std::string_view::npos;
  }

  void class_item() {
    if (rest_.front() == ']') in_class_ = false;
    if (rest_.front() == '[') return replace(1, "\\[");
    copy();
  }

  void escape() {
    if (rest_.size() < 2) return fail(ErrorCode::kInvalidInput, "the pattern ends in a backslash");
    const char c = rest_[1];
    if (c == 's' || c == 'S') {
      const std::string_view set = c == 's' ? kSpace : kNoSpace;
      return replace(2, in_class_ ? std::string(set) : "[" + std::string(set) + "]");
    }
    if (c == 'd' || c == 'D' || c == 'w' || c == 'W') return copy(2);
    if (c == 'b' && in_class_) return replace(2, "\\x08");
    if ((c == 'b' || c == 'B') && !in_class_) return copy(2);
    if (c == 't' || c == 'n' || c == 'v' || c == 'f' || c == 'r') return copy(2);
    if (c == 'c') return control();
    if (c == 'u' || c == 'x') return numeric();
    if (c == 'p' || c == 'P') return property();
    if (c == 'k' || (c >= '1' && c <= '9')) {
      return fail(ErrorCode::kUnsupported, "backreferences are not supported");
    }
    if (c == '0') return replace(2, "\\x00");
    if (is_letter(c)) {
      return fail(ErrorCode::kInvalidInput, std::string("\\") + c + " is no escape of ECMA-262");
    }
    // A multi-byte character needs no backslash, and RE2 allows none.
    if (static_cast<unsigned char>(c) >= 0x80 || c == '_') return replace(1, "");
    copy(2);
  }

  void control() {
    if (rest_.size() < 3 || !is_letter(rest_[2])) {
      return fail(ErrorCode::kInvalidInput, "\\c without a letter");
    }
    replace(3, code_point(static_cast<std::uint32_t>(rest_[2]) % 32));
  }

  // hex reads `digits` hexadecimal digits at `from`; -1 when they are not there.
  std::int64_t hex(std::size_t from, std::size_t digits) const {
    if (digits == 0 || digits > 6 || from + digits > rest_.size()) return -1;
    std::int64_t code = 0;
    for (std::size_t i = from; i < from + digits; ++i) {
      const int digit = hex_digit(rest_[i]);
      if (digit < 0) return -1;
      code = code * 16 + digit;
    }
    return code;
  }

  // \xHH, \uHHHH, \u{H...}, and a surrogate pair of two \uHHHH.
  void numeric() {
    const bool braces = starts("\\u{");
    const std::size_t from = braces ? 3 : 2;
    const std::size_t close = std::min(rest_.find('}'), rest_.size());
    const std::size_t digits = braces ? close - 3 : rest_[1] == 'x' ? 2 : 4;
    std::int64_t code = hex(from, digits);
    std::size_t bytes = from + digits + (braces ? 1 : 0);
    if (code >= 0xd800 && code < 0xdc00 && rest_.substr(bytes, 2) == "\\u") {
      const std::int64_t low = hex(bytes + 2, 4);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        bytes += 6;
      }
    }
    if (code < 0 || code > 0x10ffff || bytes > rest_.size()) {
      return fail(ErrorCode::kInvalidInput, "an escape of a code point is malformed");
    }
    replace(bytes, code_point(static_cast<std::uint32_t>(code)));
  }

  // \p{Letter}, \p{gc=Lu}, \p{Script=Greek}.
  void property() {
    const std::size_t close = rest_.find('}');
    if (rest_.size() < 3 || rest_[2] != '{' || close == std::string_view::npos) {
      return fail(ErrorCode::kInvalidInput, "\\p without a property in braces");
    }
    std::string_view name = rest_.substr(3, close - 3);
    const std::size_t equals = name.find('=');
    if (equals != std::string_view::npos) name.remove_prefix(equals + 1);
    for (const auto& [full, brief] : kCategories) {
      if (name == full) name = brief;
    }
    const bool negated = rest_[1] == 'P';
    if (name == "ASCII" || name == "Any") return range_property(name, negated, close + 1);
    replace(close + 1, std::string(negated ? "\\P{" : "\\p{") + std::string(name) + "}");
  }

  void range_property(std::string_view name, bool negated, std::size_t bytes) {
    if (negated && name == "Any") {
      return fail(ErrorCode::kUnsupported, "\\P{Any} matches nothing");
    }
    std::string set(kAnything);
    if (name == "ASCII") set = negated ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}";
    replace(bytes, in_class_ ? set : "[" + set + "]");
  }

  std::string_view rest_;
  std::string out_;
  bool in_class_ = false;
  ErrorCode code_ = ErrorCode::kInvalidInput;
  std::string error_;
};

}  // namespace

Result<std::string> translate_pattern(std::string_view text) { return Translator(text).run(); }

}  // namespace plumbline::schema
