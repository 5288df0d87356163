#include "core/schema/text/ecma_pattern.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/schema/text/ascii.h"
#include "core/schema/text/ecma_properties.h"

namespace plumbline::schema {

namespace {

constexpr int kDepthMax = 200;
constexpr std::int64_t kLastCodePoint = 0x10ffff;
constexpr std::int64_t kNoCode = -1;   // Malformed.
constexpr std::int64_t kClassOf = -2;  // An escape that stands for many: \d, \p{L}.
constexpr std::string_view kSyntax = "^$\\.*+?()[]{}|/";

bool is_in(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reader descends through the grammar once. What is wrong first stops it.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::string run() {
    disjunction(0);
    if (!stopped() && at_ < text_.size()) fail("')' closes no group");
    if (!stopped()) check_references();
    return too_deep_ ? "" : problem_;
  }

 private:
  bool stopped() const { return too_deep_ || !problem_.empty(); }
  bool more() const { return at_ < text_.size() && !stopped(); }
  char front() const { return text_[at_]; }
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }
  bool take(std::string_view what) {
    if (!starts(what)) return false;
    at_ += what.size();
    return true;
  }
  void fail(const std::string& what) {
    if (!stopped()) problem_ = what + ", at byte " + std::to_string(at_ + 1);
  }
  // shown returns the next bytes, whole characters of them.
  std::string shown(std::size_t bytes) const {
    while (at_ + bytes < text_.size() && (static_cast<unsigned char>(text_[at_ + bytes]) >> 6) == 2)
      ++bytes;
    return std::string(text_.substr(at_, bytes));
  }

  void disjunction(int depth) {
    if (depth > kDepthMax) too_deep_ = true;
    do {
      while (more() && front() != '|' && front() != ')') term(depth);
    } while (more() && take("|"));
  }

  void term(int depth) {
    if (take("^") || take("$") || take("\\b") || take("\\B")) return;
    if (starts("(")) {
      if (group(depth)) quantifier();
      return;
    }
    if (is_in(front(), "*+?")) return fail("nothing to repeat before '" + shown(1) + "'");
    if (is_in(front(), "{}]"))
      return fail("a lone '" + shown(1) + "', to be written \\" + shown(1));
    if (front() == '[') {
      character_class();
    } else if (front() == '\\') {
      atom_escape();
    } else {
      code_point();
    }
    if (!stopped()) quantifier();
  }

  // group reads one and returns whether it may be repeated: an assertion may not.
  bool group(int depth) {
    const bool assertion = take("(?=") || take("(?!") || take("(?<=") || take("(?<!");
    if (!assertion && !take("(?:")) {
      if (starts("(?<")) {
        at_ += 3;
        const std::string name = group_name();
        if (stopped()) return false;
        names_.insert(name);
        ++groups_;
      } else if (starts("(?")) {
        if (!modifiers()) {
          fail("\"" + shown(3) + "\" begins no group of ECMA-262");
          return false;
        }
      } else {
        ++at_;
        ++groups_;
      }
    }
    disjunction(depth + 1);
    if (!stopped() && !take(")")) fail("a group is not closed");
    return !stopped() && !assertion;
  }

  // modifiers reads "(?i:", "(?ms-i:"; each flag once.
  bool modifiers() {
    std::size_t end = at_ + 2;
    std::string flags;
    int dashes = 0;
    for (; end < text_.size() && text_[end] != ':'; ++end) {
      const char c = text_[end];
      if (c == '-' ? ++dashes > 1 : !is_in(c, "ims") || is_in(c, flags)) return false;
      if (c != '-') flags += c;
    }
    if (end == text_.size() || flags.empty()) return false;
    at_ = end + 1;
    return true;
  }

  // group_name reads "name>".
  std::string group_name() {
    const std::size_t end = text_.find('>', at_);
    const std::string_view name =
        end == std::string_view::npos ? std::string_view() : text_.substr(at_, end - at_);
    const bool good = !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, is_id);
    if (!good) {
      fail("a group has a malformed name");
      return "";
    }
    at_ = end + 1;
    return std::string(name);
  }

  // is_id: letters of other scripts are not told from other characters there.
  static bool is_id(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '\\' || c == '{' ||
           c == '}' || static_cast<unsigned char>(c) >= 0x80;
  }

  void quantifier() {
    if (!more()) return;
    if (is_in(front(), "*+?")) {
      ++at_;
    } else if (front() == '{') {
      ++at_;
      const std::int64_t least = number();
      std::int64_t most = least;
      if (take(",")) most = starts("}") ? std::numeric_limits<std::int64_t>::max() : number();
      if (least < 0 || most < 0 || !take("}")) return fail("a malformed repetition in braces");
      if (most < least) return fail("a repetition whose numbers are out of order");
    } else {
      return;
    }
    take("?");
    if (more() && is_in(front(), "*+?{")) fail("nothing to repeat before '" + shown(1) + "'");
  }

  std::int64_t number() {
    const std::size_t from = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(front()); ++at_) {
      value = std::min<std::int64_t>(value * 10 + (front() - '0'), INT64_C(1) << 53U);
    }
    return at_ == from ? -1 : value;
  }

  std::int64_t code_point() {
    const auto lead = static_cast<unsigned char>(front());
    const int bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::int64_t code = bytes == 1 ? lead : lead & (0xffU >> (bytes + 1));
    for (int i = 1; i < bytes && at_ + i < text_.size(); ++i) {
      code = code << 6 | (static_cast<unsigned char>(text_[at_ + i]) & 0x3fU);
    }
    at_ = std::min(at_ + bytes, text_.size());
    return code;
  }

  void character_class() {
    ++at_;
    take("^");
    while (more() && front() != ']') {
      const std::int64_t low = class_atom();
      if (!starts("-") || starts("-]") || stopped()) continue;
      ++at_;
      if (!more()) break;
      const std::int64_t high = class_atom();
      if (stopped()) return;
      if (low == kClassOf || high == kClassOf) {
        return fail("a class such as \\w is no end of a range");
      }
      if (high < low) return fail("a range whose ends are out of order");
    }
    if (!stopped() && !take("]")) fail("a '[' is not closed");
  }

  std::int64_t class_atom() {
    if (front() != '\\') return code_point();
    if (take("\\b")) return 8;
    if (take("\\-")) return '-';
    return escape();
  }

  void atom_escape() {
    if (take("\\k")) {
      if (!take("<")) return fail("\\k without the name of a group");
      const std::string name = group_name();
      if (!stopped()) named_references_.push_back(name);
      return;
    }
    if (at_ + 1 < text_.size() && text_[at_ + 1] >= '1' && text_[at_ + 1] <= '9') {
      ++at_;
      last_reference_ = std::max(last_reference_, number());
      return;
    }
    escape();
  }

  // escape reads what may stand within brackets and without.
  std::int64_t escape() {
    if (at_ + 1 >= text_.size()) return failed("a backslash at the end");
    const char c = text_[at_ + 1];
    if (is_in(c, "dDsSwW")) return at_ += 2, kClassOf;
    if (c == 'p' || c == 'P') return property();
    constexpr std::array<std::pair<char, int>, 5> kControls = {
        {{'t', 9}, {'n', 10}, {'v', 11}, {'f', 12}, {'r', 13}}};
    for (const auto& [letter, code] : kControls) {
      if (c == letter) return at_ += 2, code;
    }
    if (c == 'c') {
      if (at_ + 2 >= text_.size() || !is_letter(text_[at_ + 2]))
        return failed("\\c without a letter");
      at_ += 3;
      return text_[at_ - 1] % 32;
    }
    if (c == '0') {
      if (at_ + 2 < text_.size() && is_digit(text_[at_ + 2])) return failed("an octal escape");
      return at_ += 2, 0;
    }
    if (c == 'x' || c == 'u') return numeric();
    if (!is_in(c, kSyntax)) return failed("\"" + shown(2) + "\" is no escape of ECMA-262");
    at_ += 2;
    return c;
  }

  std::int64_t failed(const std::string& what) {
    fail(what);
    return kNoCode;
  }

  // hex reads `digits` of them at `from`.
  std::int64_t hex(std::size_t from, std::size_t digits) const {
    if (digits == 0 || from + digits > text_.size()) return kNoCode;
    std::int64_t code = 0;
    for (std::size_t i = from; i < from + digits; ++i) {
      const int digit = hex_value(text_[i]);
      if (digit < 0) return kNoCode;
      code = std::min<std::int64_t>(code * 16 + digit, kLastCodePoint + 1);
    }
    return code;
  }

  std::int64_t numeric() {
    const bool braces = starts("\\u{");
    const std::size_t from = at_ + (braces ? 3 : 2);
    const std::size_t close = braces ? text_.find('}', from) : 0;
    if (close == std::string_view::npos) return failed("a malformed escape of a code point");
    const std::size_t digits = braces ? close - from : text_[at_ + 1] == 'x' ? 2 : 4;
    std::int64_t code = hex(from, digits);
    std::size_t end = from + digits + (braces ? 1 : 0);
    if (!braces && code >= 0xd800 && code < 0xdc00 && text_.substr(end, 2) == "\\u") {
      const std::int64_t low = hex(end + 2, 4);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
        end += 6;
      }
    }
    if (code < 0 || code > kLastCodePoint) return failed("a malformed escape of a code point");
    at_ = end;
    return code;
  }

  std::int64_t property() {
    const std::size_t close = text_.find('}', at_);
    if (at_ + 2 >= text_.size() || text_[at_ + 2] != '{' || close == std::string_view::npos) {
      return failed("\\p without a property in braces");
    }
    const std::string_view name = text_.substr(at_ + 3, close - at_ - 3);
    if (!is_ecma_property(name)) {
      return failed("\"" + shown(close + 1 - at_) + "\" names no property of ECMA-262");
    }
    at_ = close + 1;
    return kClassOf;
  }

  void check_references() {
    if (last_reference_ > groups_) {
      return fail("\\" + std::to_string(last_reference_) + " refers to a group that is not there");
    }
    for (const std::string& name : named_references_) {
      if (!names_.contains(name)) return fail("\\k<" + name + "> refers to no group");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
  bool too_deep_ = false;
  std::int64_t groups_ = 0;
  std::int64_t last_reference_ = 0;
  std::set<std::string> names_;
  std::vector<std::string> named_references_;
};

}  // namespace

std::string ecma_pattern_problem(std::string_view text) { return Reader(text).run(); }

}  // namespace plumbline::schema
