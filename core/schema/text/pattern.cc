#include "core/schema/text/pattern.h"

#include <utility>

#include <re2/re2.h>

#include "core/base/text.h"

namespace plumbline::schema {

namespace {

// Almost every pattern does with the least; what is left of it RE2 uses for its automaton.
constexpr std::size_t kMemorySteps[] = {64U << 10U, 512U << 10U, kPatternMemoryMax};

RE2::Options options(std::size_t memory) {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  quiet.set_max_mem(static_cast<std::int64_t>(memory));
  return quiet;
}

// is_beyond: repetitions over RE2's bound and unknown properties are ECMA-262 all the same.
bool is_beyond(RE2::ErrorCode code) {
  return code == RE2::ErrorRepeatSize || code == RE2::ErrorPatternTooLarge ||
         code == RE2::ErrorBadCharRange;
}

}  // namespace

struct Pattern::Engine {
  Engine(const std::string& text, std::size_t memory_max)
      : re2(text, options(memory_max)), memory(memory_max) {}
  RE2 re2;
  std::size_t memory;
};

Pattern::Pattern(std::unique_ptr<const Engine> engine) : engine_(std::move(engine)) {}
Pattern::Pattern(Pattern&& other) noexcept = default;
Pattern& Pattern::operator=(Pattern&& other) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(std::string_view text, std::size_t bytes_max,
                                 std::size_t memory_max) {
  if (text.size() > bytes_max) {
    return Error{ErrorCode::kLimitReached, "a pattern of " + std::to_string(text.size()) +
                                               " bytes, at most " + std::to_string(bytes_max) +
                                               " are read"};
  }
  Result<std::string> translated = translate_pattern(text);
  if (!translated.ok()) return std::move(translated).error();
  for (const std::size_t memory : kMemorySteps) {
    if (memory > memory_max) break;
    auto engine = std::make_unique<const Engine>(translated.value(), memory);
    if (engine->re2.ok()) return Pattern(std::move(engine));
    const RE2::ErrorCode code = engine->re2.error_code();
    const bool more_helps = code == RE2::ErrorPatternTooLarge && memory < kPatternMemoryMax;
    if (more_helps) continue;
    return Error{is_beyond(code) ? ErrorCode::kUnsupported : ErrorCode::kInvalidInput,
                 clipped(engine->re2.error())};
  }
  return Error{ErrorCode::kLimitReached, "the patterns of the schema take too much memory"};
}

std::size_t Pattern::memory() const { return engine_->memory; }

// RE2 falls back to a walk over its whole program for each byte when its automaton grows too large.
std::uint64_t Pattern::steps_for(std::size_t bytes) const {
  const auto size = static_cast<std::uint64_t>(engine_->re2.ProgramSize());
  return bytes / 64 + bytes * size / 16;
}

bool Pattern::matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), engine_->re2);
}

}  // namespace plumbline::schema
