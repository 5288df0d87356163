#include "core/schema/text/pattern.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

// end_of_group returns where the group ends that `text` begins with, behind its parenthesis; npos:
// nowhere.
std::size_t end_of_group(std::string_view text) {
  int depth = 0;
  bool in_class = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

// has_choice returns whether `text` has a "|" outside of groups and classes.
bool has_choice(std::string_view text) {
  const std::string group = '(' + std::string(text) + ')';
  int depth = 0;
  bool in_class = false;
  for (std::size_t at = 0; at < group.size(); ++at) {
    const char c = group[at];
    if (c == '\\') ++at;
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    if (in_class || c == '\\') continue;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == '|' && depth == 1) return true;
  }
  return false;
}

// Ahead is what must, or must not, be found from the beginning of a text.
struct Ahead {
  std::string pattern;
  bool wanted = false;
};

// take_aheads takes what a pattern looks ahead for at its beginning, "^(?!a)(?=b)", out of `text`.
// It stays as it is where that does not hold for all of it.
std::vector<Ahead> take_aheads(std::string& text) {
  std::vector<Ahead> aheads;
  std::string_view rest = text;
  if (!rest.starts_with("^(?!") && !rest.starts_with("^(?=")) return aheads;
  rest.remove_prefix(1);
  while (rest.starts_with("(?!") || rest.starts_with("(?=")) {
    const std::size_t end = end_of_group(rest);
    if (end == rest.npos) return {};
    const std::string_view behind = rest.substr(end);
    if (!behind.empty() && std::string_view("?*+{").find(behind.front()) != behind.npos) return {};
    aheads.push_back({"^(?:" + std::string(rest.substr(3, end - 4)) + ')', rest[2] == '='});
    rest = behind;
  }
  if (has_choice(rest)) return {};
  text = '^' + std::string(rest);
  return aheads;
}

}  // namespace

struct Pattern::Engine {
  Engine(const std::string& text, std::size_t memory_max)
      : re2(text, options(memory_max)), memory(memory_max) {}
  RE2 re2;
  std::size_t memory;
  std::vector<std::pair<Pattern, bool>> aheads{};  // With whether each must be found.
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
  std::string rest(text);
  std::vector<std::pair<Pattern, bool>> aheads;
  std::size_t left = memory_max;
  for (const Ahead& ahead : take_aheads(rest)) {
    Result<Pattern> compiled = compile(ahead.pattern, bytes_max + ahead.pattern.size(), left);
    if (!compiled.ok()) return std::move(compiled).error();
    left -= std::min(left, compiled.value().memory());
    aheads.emplace_back(std::move(compiled).value(), ahead.wanted);
  }
  Result<std::string> translated = translate_pattern(rest);
  if (!translated.ok()) return std::move(translated).error();
  for (const std::size_t memory : kMemorySteps) {
    if (memory > left) break;
    auto engine = std::make_unique<Engine>(translated.value(), memory);
    if (engine->re2.ok()) {
      engine->aheads = std::move(aheads);
      return Pattern(std::move(engine));
    }
    const RE2::ErrorCode code = engine->re2.error_code();
    const bool more_helps = code == RE2::ErrorPatternTooLarge && memory < kPatternMemoryMax;
    if (more_helps) continue;
    return Error{is_beyond(code) ? ErrorCode::kUnsupported : ErrorCode::kInvalidInput,
                 clipped(engine->re2.error())};
  }
  return Error{ErrorCode::kLimitReached, "the patterns of the schema take too much memory"};
}

std::size_t Pattern::memory() const {
  std::size_t all = engine_->memory;
  for (const auto& [ahead, wanted] : engine_->aheads) all += ahead.memory();
  return all;
}

// RE2 falls back to a walk over its whole program for each byte when its automaton grows too large.
std::uint64_t Pattern::steps_for(std::size_t bytes) const {
  const auto size = static_cast<std::uint64_t>(engine_->re2.ProgramSize());
  std::uint64_t all = bytes / 64 + bytes * size / 16;
  for (const auto& [ahead, wanted] : engine_->aheads) all += ahead.steps_for(bytes);
  return all;
}

bool Pattern::matches(std::string_view text) const {
  const bool ahead_as_wanted = std::ranges::all_of(
      engine_->aheads, [&](const auto& one) { return one.first.matches(text) == one.second; });
  return ahead_as_wanted &&
         RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), engine_->re2);
}

}  // namespace plumbline::schema
