// RunWorld is the servers of a run as far as a scenario expects something of them, simulated or
// real.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/world/effect_ledger.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

class RunWorld {
 public:
  // ledger returns what has taken effect.
  virtual const fakes::EffectLedger& ledger() const = 0;

  // starts returns how often `server` was started.
  virtual std::int64_t starts(std::string_view server) const = 0;

  // exchanges returns how many requests of HTTP came to the proxy of a server: "files GET".
  virtual std::int64_t exchanges(const std::string& label) const = 0;

  // traps returns the rules marked with "never" that were followed all the same.
  virtual std::vector<const RuleSite*> traps() const = 0;

 protected:
  ~RunWorld() = default;
};

}  // namespace plumbline::scenarios
