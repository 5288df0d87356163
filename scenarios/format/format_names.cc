#include "scenarios/format/format_names.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "core/json/json.h"

namespace plumbline::scenarios {

namespace {

void check_server(const Scenario& scenario, const std::string& name, std::string pointer,
                  std::optional<Problem>& problem) {
  std::string known;
  for (const ServerSpec& server : scenario.servers) {
    if (server.name == name) return;
    known += (known.empty() ? "\"" : ", \"") + server.name + '"';
  }
  add_problem(problem, std::move(pointer),
              "there is no server \"" + name + "\", expected " +
                  (known.empty() ? std::string("some in \"servers\"") : "one of " + known));
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
  for (const ServerSpec& server : scenario.servers) {
    if (!server.http || web_transport(scenario.world.transport)) continue;
    add_problem(problem, "/servers/" + pointer_token(server.name) + "/http",
                "\"http\" needs a network, expected \"transport\": \"http\", \"sse\" or \"ws\"");
  }
  for (const auto& [label, count] : scenario.expect.effects_of) {
    check_name(label.substr(0, label.find('/')), "/expect/effects/" + pointer_token(label));
  }
  if (static_cast<std::int64_t>(scenario.expect.each.size()) > scenario.times) {
    add_problem(problem, "/expect/each",
                "\"each\" has " + std::to_string(scenario.expect.each.size()) +
                    " items, expected at most " + std::to_string(scenario.times) +
                    ", the \"times\" of the request");
  }
  if (scenario.expect.selected && !scenario.expect.selected->empty()) {
    const std::string& label = *scenario.expect.selected;
    check_name(label.substr(0, label.find('/')), "/expect/selected");
  }
}

}  // namespace plumbline::scenarios
