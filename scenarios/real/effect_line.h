// What `serve` tells on stderr, a line each, and `run --real` reads there: effects that a scripted
// tool has committed ("effect mail/send_email finance"), rules that were followed and are marked
// with "never" ("never rule 2 mail", counted from 0), and sessions over sockets ("session mail").

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::scenarios {

struct EffectLine {
  std::string server;
  std::string tool;
  std::string key;
  bool idempotent = false;
};

struct TrapLine {
  std::string server;
  std::size_t rule = 0;
};

// write_effect_line returns the line with its end; read_effect_line takes it apart, nothing when it
// tells of no effect.
std::string write_effect_line(const EffectLine& effect);
std::optional<EffectLine> read_effect_line(std::string_view line);

// Likewise.
std::string write_trap_line(const TrapLine& trap);
std::optional<TrapLine> read_trap_line(std::string_view line);
std::string write_session_line(std::string_view server);
std::optional<std::string> read_session_line(std::string_view line);

}  // namespace plumbline::scenarios
