#include "core/schema/compile/pattern_table.h"

#include <algorithm>
#include <utility>

namespace plumbline::schema {

const Pattern* PatternTable::pattern(const Location& location, std::string_view text) {
  const auto [slot, fresh] = patterns_.try_emplace(text, nullptr);
  if (!fresh || error_.noted()) return slot->second;
  const SchemaLimits& limits = program_.options.limits;
  const std::size_t left =
      limits.patterns_memory_max - std::min(limits.patterns_memory_max, memory_);
  Result<Pattern> compiled = Pattern::compile(text, limits.pattern_bytes_max, left);
  if (!compiled.ok()) {
    error_.note(compiled.error().code, location, compiled.error().message);
    return nullptr;
  }
  memory_ += compiled.value().memory();
  slot->second = &program_.patterns.emplace_back(std::move(compiled).value());
  return slot->second;
}

}  // namespace plumbline::schema
