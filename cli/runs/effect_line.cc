#include "cli/runs/effect_line.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kStart = "effect ";
constexpr std::string_view kIdempotent = " (idempotent)";

}  // namespace

std::string write_effect_line(const EffectLine& effect) {
  std::string line(kStart);
  line.append(effect.server).append("/").append(effect.tool).append(" ");
  for (const char c : effect.key) line += c == '\n' || c == '\r' ? ' ' : c;
  if (effect.idempotent) line += kIdempotent;
  return line + "\n";
}

std::optional<EffectLine> read_effect_line(std::string_view line) {
  if (!line.starts_with(kStart)) return std::nullopt;
  line.remove_prefix(kStart.size());
  EffectLine effect;
  effect.idempotent = line.ends_with(kIdempotent);
  if (effect.idempotent) line.remove_suffix(kIdempotent.size());
  const std::size_t space = line.find(' ');
  const std::size_t slash = line.substr(0, space).find('/');
  if (space == line.npos || slash == line.npos) return std::nullopt;
  effect.server = line.substr(0, slash);
  effect.tool = line.substr(slash + 1, space - slash - 1);
  effect.key = line.substr(space + 1);
  return effect;
}

}  // namespace plumbline::cli
