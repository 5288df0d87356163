#include "core/schema/text/pattern_sample.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/schema/text/ascii.h"
#include "core/schema/text/pattern.h"

namespace plumbline::schema {

namespace {

constexpr int kSampledDepthMax = 30;
constexpr std::size_t kSampleMemoryMax = 1U << 20U;
constexpr std::size_t kRepetitionsMax = kPatternSampleBytesMax;

// Which characters of a class are taken rather than others.
constexpr std::string_view kLiked = "aA1xX0-_ ";

using Range = std::pair<unsigned char, unsigned char>;

// Writer descends through a pattern once and writes the first thing that each part stands for.
class Writer {
 public:
  explicit Writer(std::string_view pattern) : rest_(pattern) {}

  std::optional<std::string> run() {
    std::string text = disjunction();
    if (failed_ || !rest_.empty()) return std::nullopt;
    return text;
  }

 private:
  bool more() const { return !failed_ && !rest_.empty(); }
  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  char next() {
    if (!more()) {
      failed_ = true;
      return '\0';
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::string disjunction() {
    if (++depth_ > kSampledDepthMax) failed_ = true;
    std::string first = alternative();
    while (more() && take("|")) alternative();
    --depth_;
    return first;
  }

  std::string alternative() {
    std::string text;
    while (more() && rest_.front() != '|' && rest_.front() != ')') {
      const std::string part = term();
      const std::size_t times = more() ? repetitions() : 1;
      if (text.size() + part.size() * times > kPatternSampleBytesMax) failed_ = true;
      for (std::size_t i = 0; i < times && !failed_; ++i) text += part;
    }
    return text;
  }

  std::string term() {
    if (take("^") || take("$") || take("\\b")) return {};
    if (take("(")) return group();
    if (take("[")) return one_of(character_class());
    if (take(".")) return "a";
    if (take("\\")) return one_of(escaped(next()));
    std::string character(1, next());
    while (more() && (static_cast<unsigned char>(rest_.front()) & 0xC0U) == 0x80U) {
      character += next();
    }
    return character;
  }

  std::string group() {
    if (take("?") && !take(":")) {
      const bool named = take("<") && !rest_.starts_with("=") && !rest_.starts_with("!");
      const std::size_t end = rest_.find('>');
      if (!named || end == rest_.npos) {
        failed_ = true;
        return {};
      }
      rest_.remove_prefix(end + 1);
    }
    std::string text = disjunction();
    if (!take(")")) failed_ = true;
    return text;
  }

  // repetitions reads a quantifier, if there is one, and returns how often it repeats.
  std::size_t repetitions() {
    std::size_t times = 1;
    if (take("?")) {
      times = 0;
    } else if (take("{")) {
      times = 0;
      while (more() && is_digit(rest_.front())) {
        times = std::min(times * 10 + static_cast<std::size_t>(next() - '0'), kRepetitionsMax + 1);
      }
      while (more() && rest_.front() != '}') next();
      next();
    } else if (!take("*") && !take("+")) {
      return times;
    }
    take("?");
    return times;
  }

  // escaped returns what an escape stands for.
  std::vector<Range> escaped(char c) {
    switch (c) {
      case 'd':
        return {{'0', '9'}};
      case 'w':
        return {{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}};
      case 's':
        return {{' ', ' '}, {'\t', '\n'}};
      case 'D':
      case 'S':
        return {{'a', 'z'}};
      case 'W':
        return {{'-', '-'}};
      case 'n':
        return {{'\n', '\n'}};
      case 't':
        return {{'\t', '\t'}};
      case 'r':
        return {{'\r', '\r'}};
      default:
        break;
    }
    const auto byte = static_cast<unsigned char>(c);
    const bool stands_for_itself = byte > ' ' && byte < 0x7F && !is_digit(c) && !is_letter(c);
    if (!stands_for_itself) failed_ = true;
    return {{byte, byte}};
  }

  std::vector<Range> character_class() {
    const bool negated = take("^");
    std::vector<Range> ranges;
    while (more() && rest_.front() != ']') {
      std::vector<Range> some = class_atom();
      const bool is_range = rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']';
      if (is_range && some.size() == 1 && some[0].first == some[0].second) {
        take("-");
        const std::vector<Range> last = class_atom();
        if (last.size() == 1) some[0].second = last[0].second;
      }
      ranges.insert(ranges.end(), some.begin(), some.end());
    }
    if (!take("]")) failed_ = true;
    return negated ? beside(ranges) : ranges;
  }

  std::vector<Range> class_atom() {
    if (take("\\")) return escaped(next());
    const auto byte = static_cast<unsigned char>(next());
    if (byte >= 0x80U) failed_ = true;
    return {{byte, byte}};
  }

  static bool holds(const std::vector<Range>& ranges, char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::ranges::any_of(
        ranges, [byte](const Range& range) { return range.first <= byte && byte <= range.second; });
  }

  // beside returns a character that is in none of `ranges`.
  static std::vector<Range> beside(const std::vector<Range>& ranges) {
    for (const char c : kLiked) {
      const auto byte = static_cast<unsigned char>(c);
      if (!holds(ranges, c)) return {{byte, byte}};
    }
    return {};
  }

  std::string one_of(const std::vector<Range>& ranges) {
    const auto liked = std::ranges::find_if(kLiked, [&](char c) { return holds(ranges, c); });
    if (liked != kLiked.end()) return std::string(1, *liked);
    if (ranges.empty()) {
      failed_ = true;
      return {};
    }
    return std::string(1, static_cast<char>(ranges.front().first));
  }

  std::string_view rest_;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  const Result<Pattern> compiled =
      Pattern::compile(pattern, kSampledPatternBytesMax, kSampleMemoryMax);
  return compiled.ok() && compiled.value().matches(text);
}

std::optional<std::string> text_of_pattern(std::string_view pattern) {
  if (pattern.size() > kSampledPatternBytesMax) return std::nullopt;
  std::optional<std::string> text = Writer(pattern).run();
  if (!text || !matches_pattern(pattern, *text)) return std::nullopt;
  return text;
}

}  // namespace plumbline::schema
