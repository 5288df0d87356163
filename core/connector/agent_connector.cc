#include "core/connector/agent_connector.h"

#include <utility>

#include "core/base/wait.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;

// held_back is why an opening is put off: what the last one came to, by its code as well.
Failure held_back(const LinkPlace& place, std::string why) {
  Failure failure = place.refusal.value_or(Failure(Failure::Kind::kDisconnected, ""));
  failure.message = std::move(why);
  return failure;
}

}  // namespace

AgentConnector::AgentConnector(Loop& loop, Doors doors, ConnectorOptions options,
                               const Redactor& redactor, EventSink* events,
                               metrics::Metrics* metrics)
    : loop_(loop),
      doors_(std::move(doors)),
      options_(std::move(options)),
      redactor_(redactor),
      events_(events),
      metrics_(metrics),
      jitter_(Rng(options_.seed).fork("connector")),
      opener_(loop, redactor, events),
      pool_(loop, *this, options_.pool),
      health_(loop, *this, options_.health, options_.breaker) {
  options_.client.ask_for_progress = true;
  options_.client.extend_on_progress = options_.request_timeout;
  options_.client.extended_total_max = options_.request_total_max;
  health_.on_health_change([this](const std::string& agent, const HealthStatus& status) {
    health_changed(agent, status);
  });
  if (metrics_.on()) metrics_.all().before_writing([this] { update_metrics(); });
}

AgentConnector::~AgentConnector() = default;

// --- Which agents there are.

AgentConnector::Agent* AgentConnector::find(const std::string& agent) const {
  const auto found = agents_.find(agent);
  return found == agents_.end() || found->second->removed ? nullptr : found->second.get();
}

bool AgentConnector::is_here(const std::string& agent, std::int64_t generation) const {
  const Agent* const known = find(agent);
  return known != nullptr && known->generation == generation;
}

// What was known of an agent of that name before is forgotten, but for links that still close.
void AgentConnector::add(AgentConfig config) {
  if (has(config.agent)) return;
  std::erase_if(places_, [&](const auto& place) {
    return place.first.agent == config.agent && !place.second->in_use() && !place.second->is_open();
  });
  for (auto& [key, place] : places_) {
    if (key.agent == config.agent) place->openings = Pace();
  }
  health_.forget(config.agent);
  std::unique_ptr<Agent>& agent = agents_[config.agent];
  if (agent == nullptr) agent = std::make_unique<Agent>();
  agent->removed = false;
  agent->older = false;
  agent->generation = ++generations_;
  agent->stats = AgentStats();
  const RateLimitConfig& rate = config.rate ? *config.rate : options_.rate;
  if (agent->pacer == nullptr) {
    agent->pacer = std::make_unique<RequestPacer>(
        loop_, rate, [this, name = config.agent] { return health_.allows(name); });
  }
  agent->config = std::move(config);
}

void AgentConnector::remove(const std::string& agent) {
  Agent* const known = find(agent);
  if (known == nullptr) return;
  known->removed = true;
  health_.forget(agent);
  leaving_.spawn(leave(agent));
}

Task<void> AgentConnector::leave(std::string agent) {
  TaskGroup group;
  for (auto& [key, place] : places_) {
    if (key.agent != agent || place->link == nullptr) continue;
    const std::string why = "the server was taken out of the configuration";
    if (place->life.may_move(ConnectionState::kDisconnected)) {
      place->life.move(ConnectionState::kDisconnected, loop_.now(), why);
    }
    group.spawn(let_go(Link(*place->link), why));
  }
  group.spawn(pool_.close(agent));
  co_await group.join(loop_);
}

Task<void> AgentConnector::let_go(Link link, std::string why) {
  co_await link->close(std::move(why));
}

std::vector<std::string> AgentConnector::agents() const {
  std::vector<std::string> out;
  for (const auto& [name, agent] : agents_) {
    if (!agent->removed) out.push_back(name);
  }
  return out;
}

// --- The document's operations.

Task<Reply<mcp::ServerInfo>> AgentConnector::connect(AgentConfig config, std::string principal) {
  PoolKey key{config.agent, std::move(principal)};
  add(std::move(config));
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  Reply<Held> held = co_await use(std::move(key), deadline);
  if (!held.ok()) co_return std::move(held).error();
  co_return held.value().link->session().server();
}

Task<void> AgentConnector::disconnect(std::string agent) {
  Agent* const known = find(agent);
  if (known == nullptr) co_return;
  known->removed = true;
  health_.forget(agent);
  co_await leave(std::move(agent));
}

ServerLink* AgentConnector::connection(const std::string& agent,
                                       const std::string& principal) const {
  const auto place = places_.find(PoolKey{agent, principal});
  return place != places_.end() && place->second->is_open() ? place->second->link.get() : nullptr;
}

std::vector<std::string> AgentConnector::connections() const {
  std::vector<std::string> out;
  for (const auto& [key, place] : places_) {
    if (place->is_open() && (out.empty() || out.back() != key.agent)) out.push_back(key.agent);
  }
  return out;
}

// A connection that has died and that nobody has used since is told as what it is.
std::optional<ConnectionStatus> AgentConnector::status(const std::string& agent,
                                                       const std::string& principal) const {
  const Agent* const known = find(agent);
  if (known == nullptr) return std::nullopt;
  ConnectionStatus out;
  out.health = health_.status(agent);
  out.stats = known->stats;
  out.stats.held = known->pacer->held();
  const auto place = places_.find(PoolKey{agent, principal});
  if (place == places_.end()) return out;
  const ConnectionLife& life = place->second->life;
  out.state = life.state();
  out.since = life.since();
  out.last_error = life.last_error();
  const bool up = out.state == ConnectionState::kReady || out.state == ConnectionState::kConnected;
  if (up && !place->second->is_open()) {
    out.state = ConnectionState::kError;
    out.last_error = "the connection was lost";
  }
  return out;
}

// --- Opening and closing.

LinkPlace& AgentConnector::place_of(const PoolKey& key) {
  std::unique_ptr<LinkPlace>& place = places_[key];
  if (place == nullptr) {
    place =
        std::make_unique<LinkPlace>([this, key](const StateChange& change) { moved(key, change); });
  }
  return *place;
}

Opening AgentConnector::opening_of(const PoolKey& key, Agent& agent) {
  Opening out;
  out.door = &doors_(key.principal);
  out.pacer = agent.pacer.get();
  out.client = options_.client;
  if (options_.on_sample) {
    out.client.on_sample = [this, agent_name = key.agent](Json params) {
      std::string copy = agent_name;
      return options_.on_sample(std::move(copy), std::move(params));
    };
  }
  out.connect_timeout = agent.config.connect_timeout.value_or(options_.connect_timeout);
  return out;
}

// open opens the connection, as often as its pace allows; that of a probe is the breaker's. A first
// failure by the end of the connection is tried again at once: many a server is slow to be there
// only the first time.
Task<Reply<AgentConnector::Link>> AgentConnector::open(PoolKey key, bool probing) {
  LinkPlace& place = place_of(key);
  Agent& agent = *agents_.at(key.agent);  // It stays where it is also when it is removed.
  const std::int64_t generation = agent.generation;
  for (;;) {
    const Instant began = loop_.now();
    const std::optional<std::string> why = place.openings.refusal(began);
    if (why && !probing) co_return held_back(place, *why);
    if (place.life.state() != ConnectionState::kDisconnected &&
        place.life.state() != ConnectionState::kError) {
      place.life.move(ConnectionState::kError, began, "the connection was lost");
    }
    place.life.move(ConnectionState::kConnecting, began, "a request wants it");
    ++agent.stats.openings;
    Opening opening = opening_of(key, agent);
    Reply<Link> opened = co_await opener_.open(key.agent, place, std::move(opening), agent.older);
    const bool here = is_here(key.agent, generation);
    if (opened.ok() && !here) co_await let_go(opened.value(), "it was taken out meanwhile");
    if (!here) {
      if (place.life.may_move(ConnectionState::kDisconnected)) {
        place.life.move(ConnectionState::kDisconnected, loop_.now(), "it was taken out meanwhile");
      }
      co_return removed_agent();
    }
    metrics_.opened(key.agent, loop_.now() - began, opened.ok());
    place.refusal.reset();
    if (opened.ok()) {
      place.openings.opened(loop_.now());
      place.life.move(ConnectionState::kConnected, loop_.now(), "it has answered the opening");
      co_return opened;
    }
    const Failure& failure = opened.error();
    const bool ended = failure.kind == Failure::Kind::kDisconnected;
    const bool again = ended && place.link != nullptr && place.openings.may_repeat() && !probing;
    const bool refused =
        failure.kind == Failure::Kind::kRpc || failure.kind == Failure::Kind::kRefused;
    if (refused) place.refusal = failure;
    const bool waited = failure.kind == Failure::Kind::kTimeout;
    const Duration silent = waited ? loop_.now() - began : Duration();
    place.openings.failed(loop_.now(), silent, failure.message);
    if (is_about_who_asks(failure)) {
      place.life.move(ConnectionState::kAuthenticating, loop_.now(), "it wants to know who asks");
    }
    place.life.move(ConnectionState::kError, loop_.now(), failure.message);
    if (!probing && is_illness(failure)) health_.note(key.agent, loop_.now() - began, true);
    if (!again) co_return opened;
  }
}

bool AgentConnector::is_open(const PoolKey& key) const {
  const auto place = places_.find(key);
  return place != places_.end() && place->second->is_open();
}

Task<bool> AgentConnector::ping(PoolKey key) {
  const auto place = places_.find(key);
  if (place == places_.end() || !place->second->is_open()) co_return false;
  const Link link(*place->second->link);
  const Instant began = loop_.now();
  const bool alive = co_await link->answers(options_.request_timeout);
  if (has(key.agent)) health_.note(key.agent, loop_.now() - began, !alive);
  co_return alive;
}

Task<void> AgentConnector::close(PoolKey key, std::string why) {
  const auto found = places_.find(key);
  if (found == places_.end()) co_return;
  LinkPlace& place = *found->second;
  const bool up = place.life.state() == ConnectionState::kConnected ||
                  place.life.state() == ConnectionState::kReady;
  if (up && !place.is_open()) {
    place.life.move(ConnectionState::kError, loop_.now(), "the connection was lost");
  } else if (place.life.state() != ConnectionState::kError &&
             place.life.may_move(ConnectionState::kDisconnected)) {
    place.life.move(ConnectionState::kDisconnected, loop_.now(), why);
  }
  if (place.link == nullptr) co_return;
  if (place.link->open()) place.openings.closed();
  const Link link(*place.link);
  co_await link->close(std::move(why));
}

Task<void> AgentConnector::hang_up(PoolKey key, std::string why) {
  if (is_open(key)) co_await close(std::move(key), std::move(why));
}

Task<void> AgentConnector::close() {
  for (const auto& [name, agent] : agents_) health_.stop_monitoring(name);
  TaskGroup group;
  for (auto& [key, place] : places_) {
    if (place->link == nullptr) continue;
    if (place->life.may_move(ConnectionState::kDisconnected)) {
      place->life.move(ConnectionState::kDisconnected, loop_.now(), "closed by the client");
    }
    group.spawn(let_go(Link(*place->link), "closed by the client"));
  }
  for (const auto& [name, agent] : agents_) group.spawn(pool_.close(name));
  co_await group.join(loop_);
  co_await leaving_.join(loop_);
  leaving_.cancel();  // What is done still holds its link.
}

// --- What is told.

void AgentConnector::moved(const PoolKey& key, const StateChange& change) {
  metrics_.moved(key.agent, change.to);
  if (events_ != nullptr) {
    Json detail = Json::object();
    add_last(detail, "from", name_of(change.from));
    if (!key.principal.empty()) add_last(detail, "principal", key.principal);
    add_last(detail, "to", name_of(change.to));
    add_last(detail, "why", redactor_.redact(change.reason));
    events_->on_event(TraceEvent{change.at, EventKind::kState, key.agent, detail});
  }
  if (on_state_) on_state_(key, change);
}

// An agent that is unhealthy is probed also when nobody wants anything of it, where idle
// connections are.
void AgentConnector::health_changed(const std::string& agent, const HealthStatus& status) {
  if (events_ != nullptr) {
    Json detail = Json::object();
    detail["health"] = name_of(status.status);
    detail["error_percent"] = status.error_percent;
    detail["response_time_ms"] = milliseconds_of(status.response_time);
    events_->on_event(TraceEvent{loop_.now(), EventKind::kState, agent, detail});
  }
  const Agent* const known = find(agent);
  if (known != nullptr) known->pacer->healed();
  if (options_.pool.heartbeat_interval <= Duration()) return;
  if (status.status == Health::kUnhealthy) {
    health_.start_monitoring(agent, options_.pool.heartbeat_interval);
  } else {
    health_.stop_monitoring(agent);
  }
}

void AgentConnector::update_metrics() {
  metrics_.set_pool(pool_.stats());
  for (const auto& [name, agent] : agents_) {
    if (agent->removed) continue;
    metrics_.set_health(name, health_.status(name).status);
    metrics_.set_waiting(name, agent->pacer->waiting());
  }
}

}  // namespace plumbline::connector
