#include "scenarios/real/real_servers.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"
#include "scenarios/real/effect_line.h"
#include "scenarios/world/web_world.h"

namespace plumbline::scenarios {

namespace {

// world_of returns what a world has whose messages go over `over`.
Transport world_of(mcp::Transport over) {
  switch (over) {
    case mcp::Transport::kStdio:
      return Transport::kBytes;
    case mcp::Transport::kStreamableHttp:
      return Transport::kHttp;
    case mcp::Transport::kSse:
      return Transport::kSse;
    case mcp::Transport::kWebSocket:
      return Transport::kWebSocket;
  }
  return Transport::kAny;
}

net::Command command_of(const std::string& program, const Scenario& scenario,
                        const ServerSpec& server, mcp::Transport over) {
  if (server.unavailable) return net::Command({kServerNotThere});
  return net::Command(serve_words(program, scenario.file, over, {}, server.name));
}

// counts_exchanges returns whether something is expected of what comes to servers over HTTP.
bool counts_exchanges(const Scenario& scenario) {
  return !scenario.expect.exchanges.empty() ||
         std::ranges::any_of(scenario.properties, [](const Property& property) {
           const bool after = property.after && property.after->kind == EventKind::kExchange;
           return after || property.what.kind == EventKind::kExchange;
         });
}

// needs_the_world returns whether a rule does what only a simulated world can.
bool needs_the_world(const fakes::HttpRule& rule) {
  return rule.action.forget_sessions || rule.action.down || rule.match.from != Duration{} ||
         rule.match.until != Duration::max();
}

}  // namespace

std::vector<std::string> serve_words(const std::string& program, const std::string& file,
                                     mcp::Transport over, const std::vector<std::string>& more,
                                     const std::string& server) {
  std::vector<std::string> words = {program, "serve", file, "--" + std::string(mcp::name_of(over))};
  if (over != mcp::Transport::kStdio) words.emplace_back("127.0.0.1:0");
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--server", server});
  return words;
}

std::string needs_simulation(const Scenario& scenario) {
  if (!scenario.clients.empty()) return "its clients act in simulation only";
  if (scenario.fleet) return "its fleet is a simulated one";
  if (scenario.shell) return "its commands run in simulation only";
  if (!scenario.models.empty()) return "its models are asked by name in simulation only";
  if (!scenario.faults.empty()) return "its faults are those of a simulated link";
  if (!scenario.inner.crashes.empty() || scenario.inner.fail_operation > 0) {
    return "its assistant fails in simulation only";
  }
  for (const ServerSpec& server : scenario.servers) {
    if (server.joins == Duration{} && !server.leaves) continue;
    return "server " + server.name + " joins or leaves at a time of the simulated world";
  }
  return "";
}

std::string cannot_carry(const Scenario& scenario, mcp::Transport over) {
  const Transport asked = scenario.world.transport;
  const Transport given = world_of(over);
  const bool either = asked == Transport::kAuto && over == mcp::Transport::kStreamableHttp;
  if (asked != Transport::kAny && asked != given && !either) {
    return "its world asks for another transport than " + std::string(mcp::name_of(over));
  }
  if (scenario.has_authorization()) return "who gives tokens out is simulated";
  for (const ServerSpec& server : scenario.servers) {
    if (over == mcp::Transport::kSse && server.script.is_stateless()) {
      return "HTTP+SSE has sessions, and " + server.name + " speaks " +
             std::string(name_of(server.script.revision)) + ", which has none";
    }
    if (server.http && std::ranges::any_of(server.http->rules, needs_the_world)) {
      return "the proxy of " + server.name + " goes by simulated time, or restarts its replicas";
    }
  }
  return "";
}

std::string why_unseen(const Property& property) {
  if (property.kind == Property::Kind::kAlways) return "";
  const EventKind what = property.what.kind;
  const EventKind after = property.after ? property.after->kind : what;
  if (property.after && (what == EventKind::kEffect || after == EventKind::kEffect)) {
    return "when a real process took effect is known at its end alone";
  }
  for (const EventKind kind : {what, after}) {
    if (kind != EventKind::kConnection && kind != EventKind::kNote && kind != EventKind::kFault) {
      continue;
    }
    return "some events \"" + std::string(name_of(kind)) + "\" are those of a simulated world";
  }
  return "";
}

RealServers::RealServers(const Scenario& scenario, mcp::Transport over, const RealDoors& doors,
                         EventSink& events)
    : scenario_(scenario),
      doors_(doors),
      events_(events),
      over_(over),
      ledger_(doors.loop, events),
      watched_(doors.spawner, [this](const std::string& text) { take_told(text); }) {
  if (over == mcp::Transport::kStdio) {
    connect_pipes(scenario);
  } else {
    connect_sockets(scenario, over);
  }
}

void RealServers::connect_pipes(const Scenario& scenario) {
  std::map<std::string, net::Command> commands;
  for (const ServerSpec& server : scenario.servers) {
    commands.emplace(server.name,
                     command_of(doors_.program, scenario, server, mcp::Transport::kStdio));
  }
  pipes_.emplace(doors_.loop, watched_, std::move(commands), limits::kStopGrace,
                 scenario.world.line_bytes_max);
}

void RealServers::connect_sockets(const Scenario& scenario, mcp::Transport over) {
  hosts_.emplace(doors_.loop, doors_.network, watched_);
  const bool finds_out = scenario.world.transport == Transport::kAuto;
  const Transport world = finds_out ? Transport::kAuto : world_of(over);
  std::map<std::string, transport::HttpEndpoint> endpoints;
  for (const ServerSpec& server : scenario.servers) {
    net::Authority at = serve(scenario, server, served_over(server, world));
    endpoints.emplace(server.name, web_endpoint(server, world, std::move(at)));
  }
  sockets_.emplace(doors_.loop, *hosts_, std::move(endpoints), doors_.random_bytes);
}

net::Authority RealServers::serve(const Scenario& scenario, const ServerSpec& server,
                                  mcp::Transport over) {
  if (server.unavailable) return hosts_->add({});
  if (!server.http && !counts_exchanges(scenario)) {
    return hosts_->add(command_of(doors_.program, scenario, server, over));
  }
  const fakes::HttpFront front = server.http.value_or(fakes::HttpFront{});
  std::vector<net::Authority> replicas;
  for (int i = 0; i < front.replicas; ++i) {
    replicas.push_back(hosts_->add(command_of(doors_.program, scenario, server, over)));
  }
  net::Authority at = hosts_->add_listener();
  fronts_.push_back(std::make_unique<WebFront>(doors_.loop, *hosts_, server.name, at, front,
                                               std::move(replicas), events_, [] { return false; }));
  return at;
}

// take_told reads what a process has written to stderr.
void RealServers::take_told(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (std::optional<EffectLine> effect = read_effect_line(line)) {
      ledger_.commit(std::move(effect->server), std::move(effect->tool), std::move(effect->key),
                     effect->idempotent);
    } else if (const std::optional<TrapLine> trap = read_trap_line(line)) {
      const RuleSite* const rule = scenario_.rule_of(trap->server, trap->rule, false);
      if (rule != nullptr) traps_.push_back(rule);
    } else if (const std::optional<std::string> server = read_session_line(line)) {
      ++sessions_[*server];
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::int64_t RealServers::starts(std::string_view server) const {
  if (over_ == mcp::Transport::kStdio) return processes(std::string(server));
  const auto found = sessions_.find(server);
  return found == sessions_.end() ? 0 : found->second;
}

std::int64_t RealServers::exchanges(const std::string& label) const {
  const std::size_t space = label.rfind(' ');
  const auto front = std::ranges::find(fronts_, label.substr(0, space),
                                       [](const auto& one) { return one->name(); });
  return front == fronts_.end() ? 0 : (*front)->exchanges(label.substr(space + 1));
}

std::vector<const RuleSite*> RealServers::traps() const {
  std::vector<const RuleSite*> met = traps_;
  for (const auto& front : fronts_) {
    const std::vector<bool>& used = front->rules_used();
    for (std::size_t i = 0; i < used.size(); ++i) {
      const RuleSite* const rule = scenario_.rule_of(front->name(), i, true);
      if (used[i] && rule != nullptr && rule->never) met.push_back(rule);
    }
  }
  return met;
}

Task<void> RealServers::close() {
  if (!hosts_) co_return;
  co_await hosts_->close();
}

void RealServers::end() {
  sockets_.reset();
  for (const auto& front : fronts_) front->switch_off();
  hosts_.reset();
}

}  // namespace plumbline::scenarios
