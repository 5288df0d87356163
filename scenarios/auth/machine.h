// Machine is that of the users of a world with authorization: a clock, a store of secrets, and a
// browser. Every agent of the world runs on it.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "core/net/network.h"
#include "fakes/world/sim_doors.h"
#include "scenarios/auth/browser.h"
#include "scenarios/auth/issuers.h"
#include "scenarios/crashes/operations.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

class Machine final {
 public:
  // Puts what is stored into the store, given out by `issuers`. All must outlive it; the browser
  // reaches the others over `network`.
  Machine(Loop& loop, net::Network& network, const Scenario& scenario, Issuers& issuers,
          Operations& operations, const Rng& rng, EventSink& events);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  fakes::SimWallClock& clock() { return clock_; }
  SecretStore& secrets() { return secrets_; }
  Browser& browser() { return browser_; }
  RandomBytes random();

  // crash loses what the store has only said to keep.
  void crash() { secrets_.crash(); }

  // heal has the store and the person do as they should; stop ends what is under way.
  void heal();
  void stop();

 private:
  fakes::StoreTrouble trouble_of(std::string_view operation);
  void store(const std::string& server, const Stored& stored, Issuers& issuers);

  Loop& loop_;
  const Scenario& scenario_;
  Operations& operations_;
  StoreState state_ = StoreState::kWorks;
  Rng rng_;
  fakes::SimWallClock clock_;
  fakes::SimSecretStore secrets_;
  Browser browser_;
  std::deque<Alarm> jumps_;
};

}  // namespace plumbline::scenarios
