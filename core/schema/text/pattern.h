// Pattern is one regular expression of a schema: ECMA-262 written, RE2 run, so that no pattern of
// a peer can take more than linear time.
//
// Translated: \d \w \s (as ECMA-262 defines them), `.`, \cX, \uXXXX, \u{X}, \/, [] and [^],
// (?<name>...), \p{...} with long names. Lookahead directly behind a leading ^ is
// tried by itself. Not to be had with RE2: other lookaround, backreferences, more than 1000
// repetitions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumbline::schema {

inline constexpr std::size_t kPatternMemoryMax = 4U << 20U;  // Of one pattern.

class Pattern {
 public:
  // compile reads `text`, UTF-8. kLimitReached: more than `bytes_max`, or it needs more than
  // `memory_max`, compiled and at work. kInvalidInput: no pattern. kUnsupported: more than RE2 can
  // do.
  static Result<Pattern> compile(std::string_view text, std::size_t bytes_max,
                                 std::size_t memory_max = kPatternMemoryMax);

  // memory returns what it takes at most, in bytes.
  std::size_t memory() const;

  // steps_for returns how long `bytes` of text take at worst, counted in steps of a validation.
  std::uint64_t steps_for(std::size_t bytes) const;

  Pattern(Pattern&& other) noexcept;
  Pattern& operator=(Pattern&& other) noexcept;
  ~Pattern();

  // matches returns whether the pattern is found anywhere in `text`. Safe from several threads.
  bool matches(std::string_view text) const;

 private:
  struct Engine;
  explicit Pattern(std::unique_ptr<const Engine> engine);

  std::unique_ptr<const Engine> engine_;
};

// translate_pattern returns the RE2 spelling of an ECMA-262 pattern. Exposed for tests.
Result<std::string> translate_pattern(std::string_view text);

}  // namespace plumbline::schema
