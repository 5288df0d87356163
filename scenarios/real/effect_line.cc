#include "scenarios/real/effect_line.h"

#include <charconv>
#include <system_error>

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kStart = "effect ";
constexpr std::string_view kSession = "session ";
constexpr std::string_view kTrap = "never rule ";
constexpr std::string_view kIdempotent = " (idempotent)";

}  // namespace

std::string write_effect_line(const EffectLine& effect) {
  std::string line(kStart);
  line.append(effect.server).append("/").append(effect.tool).append(" ");
  for (const char c : effect.key) line += c == '\n' || c == '\r' ? ' ' : c;
  if (effect.idempotent) line += kIdempotent;
  return line + "\n";
}

std::string write_trap_line(const TrapLine& trap) {
  return std::string(kTrap) + std::to_string(trap.rule) + " " + trap.server + "\n";
}

std::optional<TrapLine> read_trap_line(std::string_view line) {
  if (!line.starts_with(kTrap)) return std::nullopt;
  line.remove_prefix(kTrap.size());
  TrapLine trap;
  const auto [end, wrong] = std::from_chars(line.data(), line.data() + line.size(), trap.rule);
  if (wrong != std::errc() || end == line.data() + line.size() || *end != ' ') return std::nullopt;
  trap.server = std::string(end + 1, line.data() + line.size());
  return trap;
}

std::string write_session_line(std::string_view server) {
  return std::string(kSession).append(server) + "\n";
}

std::optional<std::string> read_session_line(std::string_view line) {
  if (!line.starts_with(kSession)) return std::nullopt;
  return std::string(line.substr(kSession.size()));
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

}  // namespace plumbline::scenarios
