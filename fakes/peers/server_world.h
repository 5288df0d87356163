// ServerWorld is what surrounds a scripted server: what it borrows, and what outlives it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "fakes/world/effect_ledger.h"

namespace plumbline::fakes {

// Listener hears of changes to what a server of 2026-07-28 offers, over whatever connection.
class Listener {
 public:
  virtual void on_change(std::string_view method, const Json& params) = 0;

 protected:
  ~Listener() = default;
};

// ServerMemory is what of a server outlives its restarts within one world, and what its connections
// share.
struct ServerMemory {
  // `server_name` is who commits the effects.
  explicit ServerMemory(std::string server_name) : name(std::move(server_name)) {}

  std::string name;
  std::int64_t starts = 0;
  std::vector<std::int64_t> rule_hits;  // By the index of ServerScript::rules.
  std::vector<bool> rules_used;         // Likewise: those that were followed.
  std::vector<Listener*> listeners;     // Open subscriptions, the oldest first.
};

class ServerEar;

// ServerWorld is what a server borrows. All of it must outlive the server.
struct ServerWorld {
  Loop& loop;
  EffectLedger& ledger;
  ServerMemory& memory;
  ServerEar* ear = nullptr;  // Null: nobody listens.
};

}  // namespace plumbline::fakes
