#include "core/schema/pattern.h"

#include <utility>

#include <re2/re2.h>

namespace plumbline::schema {

namespace {

RE2::Options options() {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  return quiet;
}

}  // namespace

struct Pattern::Engine {
  explicit Engine(const std::string& text) : re2(text, options()) {}
  RE2 re2;
};

Pattern::Pattern(std::unique_ptr<const Engine> engine) : engine_(std::move(engine)) {}
Pattern::Pattern(Pattern&& other) noexcept = default;
Pattern& Pattern::operator=(Pattern&& other) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(std::string_view text, std::size_t bytes_max) {
  if (text.size() > bytes_max) {
    return Error{ErrorCode::kLimitReached, "a pattern of " + std::to_string(text.size()) +
                                               " bytes, at most " + std::to_string(bytes_max) +
                                               " are read"};
  }
  Result<std::string> translated = translate_pattern(text);
  if (!translated.ok()) return std::move(translated).error();
  auto engine = std::make_unique<const Engine>(translated.value());
  if (engine->re2.ok()) return Pattern(std::move(engine));
  // Repetitions over RE2's bound and unknown properties are ECMA-262 all the same.
  const RE2::ErrorCode code = engine->re2.error_code();
  const bool beyond = code == RE2::ErrorRepeatSize || code == RE2::ErrorPatternTooLarge ||
                      code == RE2::ErrorBadCharRange;
  return Error{beyond ? ErrorCode::kUnsupported : ErrorCode::kInvalidInput, engine->re2.error()};
}

bool Pattern::matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), engine_->re2);
}

}  // namespace plumbline::schema
