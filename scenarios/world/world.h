// World is everything one run of a scenario happens in: a loop, the servers, what connects to
// them, and the hub that the assistant is given. It shares nothing with other worlds but the
// Scenario.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "core/connector/mcp_hub.h"
#include "core/events/trace_event.h"
#include "core/json/redactor.h"
#include "core/mcp/transport/stdio_connector.h"
#include "fakes/peers/scripted_server.h"
#include "fakes/world/effect_ledger.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_spawner.h"
#include "scenarios/auth/machine.h"
#include "scenarios/auth/signed_in.h"
#include "scenarios/crashes/operations.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/credentials.h"
#include "scenarios/shell/models_of_agent.h"
#include "scenarios/shell/shell_world.h"
#include "scenarios/world/fault_plan.h"
#include "scenarios/world/run_world.h"
#include "scenarios/world/value_connector.h"
#include "scenarios/world/weather.h"
#include "scenarios/world/web_world.h"

namespace plumbline::scenarios {

// Membership is which servers are in the configuration of the agents: some join and leave at times
// that the scenario says, counted from when it was made.
class Membership final {
 public:
  // OnChange is told of each server that joins or leaves, from the loop.
  using OnChange = std::function<void(const std::string& server, bool joins)>;

  // Emits kNote for each. All references must outlive it.
  Membership(Loop& loop, const Scenario& scenario, EventSink& events, OnChange on_change);
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  // servers returns those that are in the configuration now.
  const std::vector<std::string>& servers() const { return servers_; }

  // stop lets nobody join or leave any more.
  void stop() { changes_.clear(); }

 private:
  void change(const std::string& server, bool joins);

  Loop& loop_;
  EventSink& events_;
  OnChange on_change_;
  std::vector<std::string> servers_;
  std::deque<Alarm> changes_;
};

// loop_of returns a loop that orders equal Instants as `world` says, or as `chooser` does where it
// is not null. `schedule` is that of the world, and must outlive the loop as `chooser` must.
fakes::SimLoop loop_of(const WorldSpec& world, const Rng& rng, fakes::Chooser& schedule,
                       fakes::Chooser* chooser);

// pipe_options returns how bytes travel in `world`.
fakes::PipeOptions pipe_options(const WorldSpec& world);

// hub_options returns how the client of `scenario` goes about `servers` in `world`.
connector::HubOptions hub_options(std::vector<std::string> servers, const WorldSpec& world);

class World final : public RunWorld {
 public:
  // What is borrowed must outlive the World. `transport` decides where `weather` does not; kAny is
  // kBytes. Each agent of the scenario tells the sink of its place in `agents` what it does, and
  // everybody else `events`; `credentials` hear of tokens, and `redactor` learns them. `chooser`
  // decides the order of equal Instants instead of the weather.
  World(const Scenario& scenario, const Weather& weather, std::uint64_t seed, Transport transport,
        Redactor& redactor, Credentials& credentials, EventSink& events,
        std::vector<EventSink*> agents, fakes::Chooser* chooser = nullptr);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() { faults_.stop(); }

  fakes::SimLoop& loop() { return loop_; }
  // hub is what the agent of that place reaches the servers by.
  connector::McpHub& hub(std::size_t agent) { return *hubs_[agent]; }
  Operations& operations() { return operations_; }
  // model is what that agent thinks with, which outlives its crashes; null where the file has none.
  model::Model* model(std::size_t agent) { return models_[agent].first(); }
  ModelsOfAgent& models(std::size_t agent) { return models_[agent]; }

  // shell is what commands run on; null where the file has none.
  ShellWorld* shell() { return shell_ ? &*shell_ : nullptr; }

  // restart makes the hub of an agent anew: nothing is left of it but what was kept elsewhere.
  void restart(std::size_t agent);

  // heal has everybody but the agents do as they should from now on. gets_in then returns whether
  // an agent is let in by every server that takes tokens; an Error says what came instead.
  void heal();
  Task<Status> gets_in(std::size_t agent);

  // switch_off ends the servers that outlive their connections, and what agents have for signing
  // in; nothing more goes wrong.
  void switch_off();

  const FaultPlan& faults() const { return faults_; }

  // rules_used returns which of Scenario::rules were followed.
  std::vector<bool> rules_used() const;

  // implements RunWorld ---
  const fakes::EffectLedger& ledger() const override { return ledger_; }
  std::int64_t starts(std::string_view server) const override;
  std::int64_t exchanges(const std::string& label) const override {
    return web_ ? web_->exchanges(label) : 0;
  }
  std::vector<const RuleSite*> traps() const override;

 private:
  transport::Connector& connect(const Scenario& scenario, Transport transport);
  transport::Connector& connect_bytes(const Scenario& scenario);
  transport::Connector& connect_values(const Scenario& scenario);
  transport::Connector& connect_web(const Scenario& scenario, Transport transport);

  const Scenario& scenario_;
  const Weather& weather_;
  Redactor& redactor_;
  Credentials& credentials_;
  Rng rng_;
  EventSink& events_;
  fakes::ScheduleChooser schedule_;
  fakes::SimLoop loop_;
  fakes::EffectLedger ledger_;
  FaultPlan faults_;
  Operations operations_;
  std::deque<fakes::ServerMemory> memories_;  // In the order of the scenario's servers.
  std::deque<ModelsOfAgent> models_;          // By agent.
  std::optional<ShellWorld> shell_;

  // Over bytes.
  std::optional<fakes::SimSpawner> spawner_;
  std::optional<FaultySpawner> faulty_;
  std::optional<FailingSpawner> failing_;
  std::optional<transport::StdioConnector> stdio_;
  // Over values.
  std::optional<ValueConnector> values_;
  // Over a network.
  std::optional<WebWorld> web_;
  std::optional<Machine> machine_;                 // Where a server takes tokens.
  std::deque<std::optional<SignedIn>> signed_in_;  // By agent.

  std::optional<FailingConnector> failing_connector_;
  transport::Connector* connector_ = nullptr;
  std::vector<EventSink*> agents_;
  Membership membership_;
  std::deque<std::optional<connector::McpHub>> hubs_;  // Last: they close what stands above.
};

}  // namespace plumbline::scenarios
