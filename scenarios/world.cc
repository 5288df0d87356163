#include "scenarios/world.h"

#include <map>
#include <utility>
#include <vector>

namespace plumbline::scenarios {

namespace {

agents::HubOptions hub_options(const Scenario& scenario, const WorldSpec& world) {
  agents::HubOptions options;
  for (const ServerSpec& server : scenario.servers) options.servers.push_back(server.name);
  options.connect_timeout = world.connect_timeout;
  options.request_timeout = world.request_timeout;
  return options;
}

fakes::PipeOptions pipe_options(const WorldSpec& world) {
  fakes::PipeOptions pipes;
  pipes.latency_min = world.latency_min;
  pipes.latency_max = world.latency_max;
  pipes.fragments = world.fragments;
  return pipes;
}

}  // namespace

World::World(const Scenario& scenario, const Weather& weather, std::uint64_t seed,
             Transport transport, const Redactor& redactor, EventSink& events)
    : weather_(weather),
      rng_(seed),
      events_(events),
      loop_(weather.world.order, rng_.fork("order")),
      ledger_(loop_, events),
      faults_(loop_, events, weather.faults) {
  for (const ServerSpec& server : scenario.servers) memories_.emplace_back(server.name);
  if (weather.world.transport != Transport::kAny) transport = weather.world.transport;
  hub_.emplace(loop_, connect(scenario, transport), hub_options(scenario, weather.world), redactor,
               &events);
}

transport::Connector& World::connect(const Scenario& scenario, Transport transport) {
  using Web = transport::WebTransport;
  if (transport == Transport::kValues) return connect_values(scenario);
  if (transport == Transport::kHttp) return connect_web(scenario, Web::kStreamableHttp);
  if (transport == Transport::kSse) return connect_web(scenario, Web::kSse);
  if (transport == Transport::kWebSocket) return connect_web(scenario, Web::kWebSocket);
  return connect_bytes(scenario);
}

transport::Connector& World::connect_bytes(const Scenario& scenario) {
  spawner_.emplace(loop_, rng_.fork("network"), events_);
  faulty_.emplace(*spawner_, faults_);
  std::map<std::string, transport::Command> commands;
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    commands.emplace(server.name, transport::Command({server.name}));
    if (server.unavailable) continue;
    const fakes::ServerWorld world{loop_, ledger_, memories_[i]};
    spawner_->add(server.name, pipe_options(weather_.world),
                  fakes::scripted_program(server.script, world));
  }
  return stdio_.emplace(loop_, *faulty_, std::move(commands), limits::kStopGrace);
}

transport::Connector& World::connect_values(const Scenario& scenario) {
  fakes::ValueOptions options;
  options.latency_min = weather_.world.latency_min;
  options.latency_max = weather_.world.latency_max;
  values_.emplace(loop_, events_, options, rng_.fork("network"), faults_);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    if (server.unavailable) continue;
    values_->add(server.script, fakes::ServerWorld{loop_, ledger_, memories_[i]});
  }
  return *values_;
}

transport::Connector& World::connect_web(const Scenario& scenario,
                                         transport::WebTransport transport) {
  web_.emplace(loop_, events_, transport, pipe_options(weather_.world), rng_.fork("network"),
               faults_);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    names.push_back(server.name);
    if (server.unavailable) continue;
    web_->add(server.script, fakes::ServerWorld{loop_, ledger_, memories_[i]}, server.http);
  }
  return web_->connector(names);
}

std::int64_t World::starts(std::string_view server) const {
  for (const fakes::ServerMemory& memory : memories_) {
    if (memory.name == server) return memory.starts;
  }
  return 0;
}

}  // namespace plumbline::scenarios
