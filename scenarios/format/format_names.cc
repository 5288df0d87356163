#include "scenarios/format/format_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/wildcard.h"
#include "core/json/json.h"

namespace plumbline::scenarios {

namespace {

void check_server(const Scenario& scenario, const std::string& name, std::string pointer,
                  std::optional<Problem>& problem) {
  std::string known;
  for (const ServerSpec& server : scenario.servers) {
    if (server.name == name) return;
    if (server.authorization && issuer_name(server.name) == name) return;
    known += (known.empty() ? "\"" : ", \"") + server.name + '"';
  }
  add_problem(problem, std::move(pointer),
              "there is no server \"" + name + "\", expected " +
                  (known.empty() ? std::string("some in \"servers\"") : "one of " + known));
}

// check_transport refuses what a server has where its world does not have it.
void check_transport(const Scenario& scenario, const ServerSpec& server,
                     std::optional<Problem>& problem) {
  const Transport world = scenario.world.transport;
  const std::string pointer = "/servers/" + pointer_token(server.name);
  if (server.http && !web_transport(world)) {
    add_problem(problem, pointer + "/http",
                "\"http\" needs a network, expected \"transport\": \"http\", \"sse\", \"ws\" or "
                "\"auto\" of the world");
  }
  if (server.authorization && !web_transport(world)) {
    add_problem(problem, pointer + "/authorization",
                "\"authorization\" needs a network, expected \"transport\": \"http\", \"sse\", "
                "\"ws\" or \"auto\" of the world");
  }
  if (server.has && world != Transport::kAuto) {
    add_problem(problem, pointer + "/transport",
                "every server has the transport of the world, expected that to be \"auto\"");
  }
  const bool over_sse = web_transport(world) && served_over(server, world) == mcp::Transport::kSse;
  if (over_sse && server.script.is_stateless()) {
    add_problem(problem, pointer + "/revision",
                "HTTP+SSE has sessions and " + std::string(name_of(server.script.revision)) +
                    " has none, expected \"http\" or \"ws\", or a revision up to " +
                    std::string(name_of(mcp::kLatestStateful)));
  }
}

// check_answers refuses what is expected of answers that there are not, or of servers.
void check_answers(const Scenario& scenario, const UserSpec& user,
                   std::optional<Problem>& problem) {
  const Expect& expect = scenario.expect_of(user);
  const std::string at =
      scenario.names_users() ? "/users/" + pointer_token(user.name) + "/expect" : "/expect";
  if (static_cast<std::int64_t>(expect.each.size()) > user.times) {
    add_problem(problem, at + "/each",
                "\"each\" has " + std::to_string(expect.each.size()) + " items, expected at most " +
                    std::to_string(user.times) + ", the \"times\" of the request");
  }
  if (!expect.selected || expect.selected->empty()) return;
  const std::string& label = *expect.selected;
  check_server(scenario, label.substr(0, label.find('/')), at + "/selected", problem);
}

// check_shows refuses to watch what comes to `server` over HTTP where nothing counts it.
void check_shows(const ServerSpec& server, const std::string& pointer,
                 std::optional<Problem>& problem) {
  if (server.http) return;
  add_problem(problem, pointer,
              "what comes to \"" + server.name +
                  "\" over HTTP is counted by the proxy before it, expected an \"http\" there, {} "
                  "at least");
}

// check_exchanges does so for all that a file expects of exchanges.
void check_exchanges(const Scenario& scenario, std::optional<Problem>& problem) {
  for (const auto& [label, count] : scenario.expect.exchanges) {
    const auto server =
        std::ranges::find(scenario.servers, label.substr(0, label.rfind(' ')), &ServerSpec::name);
    if (server == scenario.servers.end()) continue;
    check_shows(*server, "/expect/exchanges/" + pointer_token(label), problem);
  }
  if (!web_transport(scenario.world.transport)) return;
  for (std::size_t i = 0; i < scenario.properties.size(); ++i) {
    const Property& property = scenario.properties[i];
    for (const EventPattern& one : {property.what, property.after.value_or(property.what)}) {
      if (one.kind != EventKind::kExchange || property.kind == Property::Kind::kAlways) continue;
      for (const ServerSpec& server : scenario.servers) {
        if (one.who && !fits(*one.who, server.name)) continue;
        check_shows(server, "/invariants/" + std::to_string(i), problem);
      }
    }
  }
}

// check_crashes refuses a crash of nobody, and one that does not say whose it is.
void check_crashes(const Scenario& scenario, std::optional<Problem>& problem) {
  for (const Crash& crash : scenario.inner.crashes) {
    const auto same = [&](const AgentSpec& agent) { return agent.name == crash.agent; };
    if (std::ranges::any_of(scenario.agents, same)) continue;
    if (crash.agent.empty() && scenario.agents.size() == 1) continue;
    add_problem(
        problem, "/faults",
        crash.agent.empty()
            ? "a crash does not say whose it is, expected \"agent\": one of \"agents\""
            : "there is no agent \"" + crash.agent + "\" to crash, expected one of \"agents\"");
  }
}

// check_sign_in refuses what lies there for a server that takes no tokens.
void check_sign_in(const Scenario& scenario, std::optional<Problem>& problem) {
  for (const auto& [name, stored] : scenario.sign_in.stored) {
    const auto takes_it = [&](const ServerSpec& server) {
      return server.name == name && server.authorization;
    };
    if (std::ranges::any_of(scenario.servers, takes_it)) continue;
    add_problem(problem, "/sign_in/stored/" + pointer_token(name),
                "there is no server \"" + name + "\" with an \"authorization\"");
  }
}

}  // namespace

void check_names(const Scenario& scenario, std::optional<Problem>& problem) {
  const auto check_name = [&](const std::string& name, std::string pointer) {
    check_server(scenario, name, std::move(pointer), problem);
  };
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    check_name(scenario.faults[i].server, "/faults/" + std::to_string(i) + "/server");
  }
  for (const auto& [server, count] : scenario.expect.starts) {
    check_name(server, "/expect/starts/" + pointer_token(server));
  }
  for (const auto& [label, count] : scenario.expect.exchanges) {
    check_name(label.substr(0, label.rfind(' ')), "/expect/exchanges/" + pointer_token(label));
  }
  for (const ServerSpec& server : scenario.servers) check_transport(scenario, server, problem);
  for (const auto& [label, count] : scenario.expect.effects_of) {
    check_name(label.substr(0, label.find('/')), "/expect/effects/" + pointer_token(label));
  }
  check_exchanges(scenario, problem);
  check_crashes(scenario, problem);
  check_sign_in(scenario, problem);
  for (const UserSpec& user : scenario.users) check_answers(scenario, user, problem);
}

}  // namespace plumbline::scenarios
