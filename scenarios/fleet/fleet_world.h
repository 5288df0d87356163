// FleetWorld is a fleet with all that goes wrong in it, and the connector before it.

#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/rng.h"
#include "core/connector/agent_connector.h"
#include "core/json/redactor.h"
#include "fakes/fleet/sim_agent.h"
#include "fakes/world/sim_loop.h"
#include "scenarios/fleet/fleet_judge.h"
#include "scenarios/fleet/fleet_registry.h"
#include "scenarios/spec/fleet_spec.h"

namespace plumbline::scenarios {

class FleetWorld {
 public:
  // All must outlive the world; `events` may be null.
  FleetWorld(Loop& loop, const FleetSpec& fleet, FleetJudge& judge, const Rng& rng,
             EventSink* events);
  FleetWorld(const FleetWorld&) = delete;
  FleetWorld& operator=(const FleetWorld&) = delete;
  ~FleetWorld();

  connector::AgentConnector& connector() { return *connector_; }
  fakes::SimAgent& agent(std::size_t place) { return *agents_[place]; }
  std::size_t agents() const { return agents_.size(); }
  const FleetRegistry* registry() const { return registry_ ? &*registry_ : nullptr; }

  // began returns when the first trouble began; nothing where there was none.
  std::optional<Instant> began() const { return began_; }

  // heal ends every trouble, and nothing goes wrong any more.
  void heal();

  // stop ends what the world does by itself.
  void stop();

 private:
  class Door;

  // Strike is one trouble with one agent, or with the registry: it comes, goes, and may come back.
  struct Strike {
    Strike(FleetWorld& world, const FleetTrouble& its_trouble, std::size_t its_agent)
        : trouble(its_trouble), agent(its_agent), alarm([this, &world] { world.turn(*this); }) {}

    const FleetTrouble& trouble;
    std::size_t agent;
    bool on = false;
    Instant next_on{};
    Alarm alarm;
  };

  void plan(const Rng& rng);
  void turn(Strike& strike);
  void change(Strike& strike);
  void change_at_once(const Strike& strike);
  int* counter_of(const Strike& strike);
  Task<void> keep_asking();

  Loop& loop_;
  const FleetSpec& fleet_;
  Redactor redactor_;
  std::deque<std::unique_ptr<fakes::SimAgent>> agents_;
  std::map<std::string, fakes::SimAgent*> by_name_;
  std::map<std::string, std::unique_ptr<Door>> doors_;  // By principal.
  std::optional<Instant> began_;
  std::optional<FleetRegistry> registry_;
  std::optional<connector::AgentConnector> connector_;
  std::deque<Strike> strikes_;
  Task<void> asking_;  // Last: dropped first.
};

}  // namespace plumbline::scenarios
