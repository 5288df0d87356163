// `connect validate`: whether the agents of a registry are what their descriptors say.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/commands/connect/connect.h"
#include "cli/config/config.h"
#include "core/base/errors/errors.h"
#include "core/connector/registry/discovery.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

// Validated is what came of one agent; `problems` is empty where it is what it says.
struct Validated {
  std::string agent;
  std::vector<std::string> problems{};
  std::size_t capabilities = 0;  // That it lists.
};

// validate_all asks the registry, then each agent, one after the other. An Error: the registry
// cannot be asked (kDisconnected), or has no such agent.
Task<Result<std::vector<Validated>>> validate_all(registry::AgentDiscoveryService& service,
                                                  wire::Url registry,
                                                  std::vector<std::string> wanted) {
  const Result<registry::Discovered> found = co_await service.discover_agents(std::move(registry));
  if (!found.ok()) {
    co_return the_error_as(ErrorCode::kDisconnected, "registry.answer", found.error().message);
  }
  const registry::Listed& listed = found.value().listed;
  if (wanted.empty()) {
    for (const auto& [id, unused] : listed.agents) wanted.push_back(id);
  }
  std::vector<Validated> out;
  for (const std::string& line : listed.refused) out.push_back({"", {line}});
  for (const std::string& id : wanted) {
    Validated one{id};
    std::string named = id;
    Result<registry::Validity> validity = co_await service.validate_agent(std::move(named));
    if (!validity.ok()) co_return validity.error();
    one.problems = std::move(validity.value().problems);
    named = id;
    const auto lists = co_await service.agent_capabilities(std::move(named));
    if (lists.ok()) one.capabilities = lists.value().size();
    out.push_back(std::move(one));
  }
  co_return out;
}

Json to_json(const Validated& one) {
  return {{"agent", one.agent},
          {"valid", one.problems.empty()},
          {"problems", one.problems},
          {"capabilities", one.capabilities}};
}

std::string line_of(const Validated& one) {
  if (one.agent.empty()) return "fail  " + one.problems.front();
  if (one.problems.empty()) {
    return "pass  " + one.agent + ": it lists " + std::to_string(one.capabilities) +
           (one.capabilities == 1 ? " capability" : " capabilities");
  }
  std::string out;
  for (const std::string& problem : one.problems) {
    out += (out.empty() ? "fail  " : "\n      ") + one.agent + ": " + problem;
  }
  return out;
}

Result<registry::AllowedOrigins> allowed_by(const std::vector<std::string>& origins) {
  registry::AllowedOrigins out;
  for (const std::string& origin : origins) {
    if (!registry::read_origin(origin, out).ok()) {
      return the_error("registry.origin", origin);
    }
  }
  return out;
}

}  // namespace

void ConnectValidateOptions::declare(CLI::App& app) {
  app.add_option("registry", registry, "The registry that lists the agents")
      ->required()
      ->type_name("URL");
  app.add_option("--agent", agents, "Validate only this agent; repeatable")->type_name("ID");
  app.add_option("--allow-origin", allow, "Let the registry lead to this origin; repeatable")
      ->type_name("ORIGIN|any");
  app.add_flag("--json", json, "Print one JSON document");
}

int run_connect_validate(const ConnectValidateOptions& options, Host& host) {
  const Result<wire::Url> url = read_registry_url(options.registry);
  if (!url.ok()) return host.complain(url.error(), kExitUsage);
  Result<registry::AllowedOrigins> allowed = allowed_by(options.allow);
  if (!allowed.ok()) return host.complain(allowed.error(), kExitUsage);
  registry::DiscoveryOptions discovery;
  discovery.allowed = std::move(allowed).value();
  os::RealLoop& loop = host.world().loop();
  registry::AgentDiscoveryService service(loop, host.world().network(), os::random_bytes,
                                          host.secrets().redactor(), std::move(discovery));
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  const auto found = os::run(loop, validate_all(service, url.value(), options.agents));
  if (!found) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!found->ok()) {
    const bool lost = found->error().code == ErrorCode::kDisconnected;
    return host.complain(found->error(), lost ? kExitUnreachable : kExitUsage);
  }
  Json all = Json::array();
  std::string text;
  for (const Validated& one : found->value()) {
    all.push_back(to_json(one));
    text += line_of(one) + "\n";
  }
  host.secrets().redact(all);
  host.out(options.json ? reports::safe_json(pretty_json(all)) + "\n"
                        : reports::printable(host.secrets().redactor().redact(text)));
  const bool valid = std::ranges::all_of(found->value(),
                                         [](const Validated& one) { return one.problems.empty(); });
  return valid ? kExitOk : kExitFailed;
}

}  // namespace plumbline::cli
