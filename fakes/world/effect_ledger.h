// EffectLedger counts every side effect that a simulated tool commits: the truth against which
// "exactly once" is judged.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"

namespace plumbline::fakes {

// Effect is one side effect by its identity (server, tool, key), and how often it was committed.
struct Effect {
  std::string server;
  std::string tool;
  std::string key;  // What was done: by default the canonical arguments.
  bool idempotent = false;
  std::int64_t count = 0;
  Instant first_at{};
  Instant last_at{};
};

class EffectLedger {
 public:
  // Both must outlive the ledger.
  EffectLedger(const Loop& loop, EventSink& events) : loop_(loop), events_(events) {}

  // commit counts one effect and emits kEffect {"tool", "key", "count", "idempotent"}.
  // An effect is idempotent only when every commit of it said so.
  void commit(std::string server, std::string tool, std::string key, bool idempotent);

  // effects returns each effect once, in the order of its first commit.
  const std::vector<Effect>& effects() const { return effects_; }

  // total returns how many commits there were.
  std::int64_t total() const { return total_; }

  // duplicates returns the effects that were committed more than once and are not idempotent.
  std::vector<Effect> duplicates() const;

 private:
  const Loop& loop_;
  EventSink& events_;
  std::vector<Effect> effects_;
  std::int64_t total_ = 0;
};

// effect_key returns the identity of `arguments`: their canonical dump, or "sha256:<64 hex>" when
// that is longer than 200 bytes.
std::string effect_key(const Json& arguments);

}  // namespace plumbline::fakes
