// EffectLine is how `serve` tells on stderr of an effect that a scripted tool has committed:
// "effect mail/send_email finance". `run --real` reads it there.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumbline::cli {

struct EffectLine {
  std::string server;
  std::string tool;
  std::string key;
  bool idempotent = false;
};

// write_effect_line returns the line with its end; read_effect_line takes it apart, nothing when it
// tells of no effect.
std::string write_effect_line(const EffectLine& effect);
std::optional<EffectLine> read_effect_line(std::string_view line);

}  // namespace plumbline::cli
