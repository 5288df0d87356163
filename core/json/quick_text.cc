#include "core/json/quick_text.h"

#include <cstddef>

#include "core/json/plain_bytes.h"

namespace plumbline {

namespace {

constexpr int kSkippedDepthMax = 16;

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

class QuickTextReader {
 public:
  QuickTextReader(std::string_view json, std::string& text) : json_(json), text_(text) {}

  bool read(std::span<const TextShape> shape) {
    text_.clear();
    skip_space();
    if (!members(shape)) return false;
    skip_space();
    return at_ == json_.size();
  }

 private:
  // Each of these returns whether it went well, and reads from at_ on.
  bool members(std::span<const TextShape> shape) {
    if (!skip('{')) return false;
    std::uint32_t seen = 0;
    if (!skip('}')) {
      do {
        skip_space();
        std::string_view name;
        if (!token_of_string(name) || !skip(':')) return false;
        skip_space();
        const std::size_t place = place_of(name.substr(1, name.size() - 2), shape);
        if (place == shape.size()) {
          if (!skip_value(kSkippedDepthMax)) return false;
          continue;
        }
        const std::uint32_t bit = std::uint32_t{1} << place;
        if ((seen & bit) != 0 || !member(shape[place])) return false;
        seen |= bit;
      } while (skip(','));
      if (!skip('}')) return false;
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i].required && (seen >> i & 1U) == 0) return false;
    }
    return true;
  }

  bool member(const TextShape& shape) {
    switch (shape.kind) {
      case TextShape::Kind::kText:
        return text();
      case TextShape::Kind::kToken:
        return token(shape.token);
      case TextShape::Kind::kObject:
        return members(shape.members);
      case TextShape::Kind::kOnlyItem:
        if (!skip('[')) return false;
        skip_space();
        return members(shape.members) && skip(']');
    }
    return false;
  }

  static std::size_t place_of(std::string_view name, std::span<const TextShape> shape) {
    std::size_t place = 0;
    while (place < shape.size() && shape[place].name != name) ++place;
    return place;
  }

  bool token(std::string_view expected) {
    const std::size_t start = at_;
    return skip_value(0) && json_.substr(start, at_ - start) == expected;
  }

  // token_of_string takes a string as it stands, with its quotes; of names with escapes in them it
  // takes none.
  bool token_of_string(std::string_view& token) {
    const std::size_t start = at_;
    if (!skip_string()) return false;
    token = json_.substr(start, at_ - start);
    return token.find('\\') == token.npos;
  }

  bool skip_value(int depth_left) {
    switch (next()) {
      case '"':
        return skip_string();
      case '{':
      case '[':
        return depth_left > 0 && skip_items(depth_left - 1);
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return skip_number();
    }
  }

  bool skip_items(int depth_left) {
    const bool object = next() == '{';
    const char end = object ? '}' : ']';
    ++at_;
    if (skip(end)) return true;
    do {
      skip_space();
      if (object && (!skip_string() || !skip(':'))) return false;
      skip_space();
      if (!skip_value(depth_left)) return false;
    } while (skip(','));
    return skip(end);
  }

  void skip_plain() {
    while (at_ < json_.size() && is_plain(json_[at_])) ++at_;
  }

  bool skip_string() {
    if (next() != '"') return false;
    ++at_;
    for (;;) {
      skip_plain();
      const char end = next();
      ++at_;
      if (end == '"') return true;
      if (end != '\\' || meaning_of(next()) == '\0') return false;
      ++at_;
    }
  }

  bool text() {
    if (next() != '"') return false;
    ++at_;
    for (;;) {
      const std::size_t from = at_;
      skip_plain();
      text_.append(json_, from, at_ - from);
      const char end = next();
      ++at_;
      if (end == '"') return true;
      const char meant = meaning_of(next());
      if (end != '\\' || meant == '\0') return false;
      text_ += meant;
      ++at_;
    }
  }

  // meaning_of returns what stands for the letter behind a backslash; NUL: this does not know.
  static char meaning_of(char letter) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t known = kLetters.find(letter);
    return known == kLetters.npos ? '\0' : kMeanings[known];
  }

  bool skip_number() {
    if (next() == '-') ++at_;
    const std::size_t from = at_;
    while (is_decimal(next())) ++at_;
    const std::size_t digits = at_ - from;
    if (digits == 0 || (digits > 1 && json_[from] == '0')) return false;
    if (next() == '.') {
      ++at_;
      if (!is_decimal(next())) return false;
      while (is_decimal(next())) ++at_;
    }
    return true;  // Behind an exponent nobody finds what has to follow.
  }

  bool word(std::string_view expected) {
    if (json_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  void skip_space() {
    while (next() == ' ' || next() == '\t' || next() == '\n' || next() == '\r') ++at_;
  }
  bool skip(char expected) {
    skip_space();
    if (next() != expected) return false;
    ++at_;
    return true;
  }
  char next() const { return at_ < json_.size() ? json_[at_] : '\0'; }

  std::string_view json_;
  std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

bool quick_text(std::string_view json, std::span<const TextShape> members, std::string& text) {
  return QuickTextReader(json, text).read(members);
}

}  // namespace plumbline
