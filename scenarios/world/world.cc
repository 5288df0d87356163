#include "scenarios/world/world.h"

#include <map>
#include <utility>
#include <vector>

namespace plumbline::scenarios {

fakes::SimLoop loop_of(const WorldSpec& world, const Rng& rng, fakes::Chooser& schedule,
                       fakes::Chooser* chooser) {
  if (chooser != nullptr) return fakes::SimLoop(*chooser);
  if (world.order == fakes::Order::kChosen) return fakes::SimLoop(schedule);
  return fakes::SimLoop(world.order, rng.fork("order"));
}

fakes::PipeOptions pipe_options(const WorldSpec& world) {
  fakes::PipeOptions pipes;
  pipes.latency_min = world.latency_min;
  pipes.latency_max = world.latency_max;
  pipes.latency_tail = world.latency_tail;
  pipes.latency_tail_percent = world.latency_tail_percent;
  pipes.bytes_per_s = world.bytes_per_s;
  pipes.fragments = world.fragments;
  return pipes;
}

Membership::Membership(Loop& loop, const Scenario& scenario, EventSink& events, OnChange on_change)
    : loop_(loop), events_(events), on_change_(std::move(on_change)) {
  for (const ServerSpec& server : scenario.servers) {
    const auto at = [&](Duration when, bool joins) {
      Alarm& alarm = changes_.emplace_back([this, &server, joins] { change(server.name, joins); });
      loop.arm(alarm, after(loop.now(), when));
    };
    if (server.joins == Duration{}) servers_.push_back(server.name);
    if (server.joins > Duration{}) at(server.joins, true);
    if (server.leaves) at(*server.leaves, false);
  }
}

void Membership::change(const std::string& server, bool joins) {
  if (joins) servers_.push_back(server);
  if (!joins) std::erase(servers_, server);
  const Json detail = {{"text", joins ? "joins the configuration" : "leaves the configuration"}};
  events_.on_event(TraceEvent{loop_.now(), EventKind::kNote, server, detail});
  on_change_(server, joins);
}

connector::HubOptions hub_options(std::vector<std::string> servers, const WorldSpec& world) {
  connector::HubOptions options;
  options.servers = std::move(servers);
  options.connect_timeout = world.connect_timeout;
  options.request_timeout = world.request_timeout;
  options.client.preferred = world.revision;
  return options;
}

World::World(const Scenario& scenario, const Weather& weather, std::uint64_t seed,
             Transport transport, Redactor& redactor, Credentials& credentials, EventSink& events,
             std::vector<EventSink*> agents, fakes::Chooser* chooser)
    : scenario_(scenario),
      weather_(weather),
      redactor_(redactor),
      credentials_(credentials),
      rng_(seed),
      events_(events),
      schedule_(weather.world.schedule),
      loop_(loop_of(weather.world, rng_, schedule_, chooser)),
      ledger_(loop_, events),
      faults_(loop_, events, weather.faults),
      operations_(loop_, events, weather.inner.fail_operation),
      agents_(std::move(agents)),
      membership_(loop_, scenario, events, [this](const std::string& server, bool joins) {
        for (std::optional<connector::McpHub>& hub : hubs_) {
          joins ? hub->add(server) : hub->remove(server);
        }
      }) {
  if (has_defect(weather.inner, kAbortAtReset)) faults_.abort_at_reset();
  for (const ServerSpec& server : scenario.servers) memories_.emplace_back(server.name);
  for (std::size_t i = 0; i < agents_.size(); ++i) models_.emplace_back(loop_, scenario);
  if (scenario.shell) {
    shell_.emplace(loop_, rng_, events, *scenario.shell, pipe_options(weather_.world));
  }
  if (weather.world.transport != Transport::kAny) transport = weather.world.transport;
  connector_ = &connect(scenario, transport);
  hubs_.resize(agents_.size());
  signed_in_.resize(agents_.size());
  for (std::size_t i = 0; i < hubs_.size(); ++i) restart(i);
}

void World::restart(std::size_t agent) {
  std::optional<connector::McpHub>& hub = hubs_[agent];
  const bool again = hub.has_value();
  hub.reset();
  transport::Connector* connector = connector_;
  if (machine_) {
    if (again) machine_->crash();
    signed_in_[agent].reset();
    credentials_.restarted(agent);
    signed_in_[agent].emplace(loop_, scenario_, agent, *web_, *machine_, credentials_,
                              [this](const std::string& secret) { redactor_.add(secret); });
    connector = &signed_in_[agent]->connector();
  }
  hub.emplace(loop_, *connector, hub_options(membership_.servers(), weather_.world), redactor_,
              agents_[agent]);
}

transport::Connector& World::connect(const Scenario& scenario, Transport transport) {
  if (transport == Transport::kValues) return connect_values(scenario);
  return web_transport(transport) ? connect_web(scenario, transport) : connect_bytes(scenario);
}

transport::Connector& World::connect_bytes(const Scenario& scenario) {
  spawner_.emplace(loop_, rng_.fork("network"), events_);
  faulty_.emplace(*spawner_, faults_);
  std::map<std::string, net::Command> commands;
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    commands.emplace(server.name, net::Command({server.name}));
    if (server.unavailable) continue;
    const fakes::ServerWorld world{loop_, ledger_, memories_[i]};
    fakes::PipeOptions pipes = pipe_options(weather_.world);
    pipes.far_actor = static_cast<std::uint32_t>(i + 1);
    spawner_->add(server.name, pipes, fakes::scripted_program(server.script, world));
  }
  failing_.emplace(*faulty_, operations_);
  net::Spawner& spawner = *faulty_;
  net::Spawner& failing = *failing_;
  return stdio_.emplace(loop_, operations_.on() ? failing : spawner, std::move(commands),
                        limits::kStopGrace, scenario.world.line_bytes_max);
}

transport::Connector& World::connect_values(const Scenario& scenario) {
  values_.emplace(loop_, events_, pipe_options(weather_.world).pace(), rng_.fork("network"),
                  faults_);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    if (server.unavailable) continue;
    values_->add(server.script, fakes::ServerWorld{loop_, ledger_, memories_[i]});
  }
  if (!operations_.on()) return *values_;
  return failing_connector_.emplace(*values_, operations_);
}

transport::Connector& World::connect_web(const Scenario& scenario, Transport transport) {
  web_.emplace(loop_, events_, transport, pipe_options(weather_.world), rng_.fork("network"),
               faults_, operations_, credentials_);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    const ServerSpec& server = scenario.servers[i];
    if (server.unavailable) continue;
    web_->add(server, fakes::ServerWorld{loop_, ledger_, memories_[i]});
  }
  if (scenario.has_authorization()) {
    machine_.emplace(loop_, web_->whole(), scenario, web_->issuers(), operations_,
                     rng_.fork("machine"), web_->events());
  }
  return web_->connector(scenario.servers);
}

void World::switch_off() {
  faults_.stop();
  membership_.stop();
  if (machine_) {
    for (std::optional<connector::McpHub>& hub : hubs_) hub.reset();
    signed_in_.clear();
    machine_->stop();
  }
  if (shell_) shell_->switch_off();
  if (web_) web_->switch_off();
}

void World::heal() {
  faults_.stop();
  membership_.stop();
  web_->heal();
  machine_->heal();
}

Task<Status> World::gets_in(std::size_t agent) {
  for (const ServerSpec& server : scenario_.servers) {
    if (!server.authorization || server.unavailable) continue;
    const Status in = co_await signed_in_[agent]->gets_in(server.name);
    if (!in.ok()) co_return in;
  }
  co_return Done{};
}

std::vector<bool> World::rules_used() const {
  std::vector<bool> used;
  for (std::size_t i = 0; i < scenario_.servers.size(); ++i) {
    const ServerSpec& server = scenario_.servers[i];
    const std::size_t before = used.size();
    const std::vector<bool>& own = memories_[i].rules_used;
    used.insert(used.end(), own.begin(), own.end());
    used.resize(before + server.script.rules.size());
    const auto add = [&](const std::string& host, std::size_t rules) {
      const std::size_t so_far = used.size();
      const std::vector<bool> web = web_ ? web_->rules_used(host) : std::vector<bool>();
      used.insert(used.end(), web.begin(), web.end());
      used.resize(so_far + rules);
    };
    if (server.http) add(server.name, server.http->rules.size());
    if (server.authorization) {
      add(issuer_name(server.name), server.authorization->front.rules.size());
    }
  }
  return used;
}

std::vector<const RuleSite*> World::traps() const {
  const std::vector<bool> used = rules_used();
  std::vector<const RuleSite*> met;
  for (std::size_t i = 0; i < scenario_.rules.size(); ++i) {
    if (scenario_.rules[i].never && used[i]) met.push_back(&scenario_.rules[i]);
  }
  return met;
}

std::int64_t World::starts(std::string_view server) const {
  for (const fakes::ServerMemory& memory : memories_) {
    if (memory.name == server) return memory.starts;
  }
  return 0;
}

}  // namespace plumbline::scenarios
