#include "scenarios/world.h"

#include <map>
#include <utility>

namespace plumbline::scenarios {

namespace {

agents::HubOptions hub_options(const Scenario& scenario) {
  agents::HubOptions options;
  for (const ServerSpec& server : scenario.servers) options.servers.push_back(server.name);
  options.connect_timeout = scenario.world.connect_timeout;
  options.request_timeout = scenario.world.request_timeout;
  return options;
}

}  // namespace

World::World(const Scenario& scenario, std::uint64_t seed, Transport transport,
             const Redactor& redactor, EventSink& events)
    : rng_(seed),
      events_(events),
      loop_(scenario.world.order, rng_.fork("order")),
      ledger_(loop_, events),
      faults_(loop_, events, scenario.faults) {
  for (const ServerSpec& server : scenario.servers) memories_.emplace_back(server.name);
  if (scenario.world.transport != Transport::kAny) transport = scenario.world.transport;
  transport::Connector& connector =
      transport == Transport::kValues ? connect_values(scenario) : connect_bytes(scenario);
  hub_.emplace(loop_, connector, hub_options(scenario), redactor, &events);
}

transport::Connector& World::connect_bytes(const Scenario& scenario) {
  fakes::PipeOptions pipes;
  pipes.latency_min = scenario.world.latency_min;
  pipes.latency_max = scenario.world.latency_max;
  pipes.fragments = scenario.world.fragments;
  spawner_.emplace(loop_, rng_.fork("network"), events_);
  faulty_.emplace(*spawner_, faults_);
  std::map<std::string, transport::Command> commands;
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    commands.emplace(server.name, transport::Command({server.name}));
    if (server.unavailable) continue;
    const fakes::ServerWorld world{loop_, ledger_, memories_[i]};
    spawner_->add(server.name, pipes, fakes::scripted_program(server.script, world));
  }
  return stdio_.emplace(loop_, *faulty_, std::move(commands), limits::kStopGrace);
}

transport::Connector& World::connect_values(const Scenario& scenario) {
  fakes::ValueOptions options;
  options.latency_min = scenario.world.latency_min;
  options.latency_max = scenario.world.latency_max;
  values_.emplace(loop_, events_, options, rng_.fork("network"), faults_);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    if (server.unavailable) continue;
    values_->add(server.script, fakes::ServerWorld{loop_, ledger_, memories_[i]});
  }
  return *values_;
}

std::int64_t World::starts(std::string_view server) const {
  for (const fakes::ServerMemory& memory : memories_) {
    if (memory.name == server) return memory.starts;
  }
  return 0;
}

}  // namespace plumbline::scenarios
