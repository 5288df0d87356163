#include "scenarios/format/format_fleet.h"

#include <algorithm>
#include <string>
#include <utility>

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kAgentsMax = 2'000;
constexpr std::int64_t kCallersMax = 200;
constexpr std::int64_t kPercentMax = 1'000;

// read_rate reads so many a second, with a fraction or without.
std::optional<double> read_rate(ObjectReader& fields, const char* key) {
  const Json* const value = fields.take(key);
  if (value == nullptr) return std::nullopt;
  const double rate = value->is_number() ? value->get<double>() : 0;
  if (rate > 0 && rate <= 1'000) return rate;
  fields.refuse(key, '"' + std::string(key) + "\" is " + dump_json(*value) +
                         ", expected a number above 0, at most 1000");
  return std::nullopt;
}

// count reads a number of at least one.
std::optional<std::int64_t> count(ObjectReader& fields, const char* key, std::int64_t max) {
  return fields.integer(key, 1, max);
}

void read_caller(ObjectReader fields, FleetSpec& fleet, std::string name) {
  FleetCaller caller;
  caller.name = std::move(name);
  caller.calls_per_second = read_rate(fields, "calls_per_second").value_or(0);
  caller.workers = count(fields, "workers", 1'000).value_or(0);
  caller.changes_things = fields.boolean("changes_things").value_or(false);
  if ((caller.calls_per_second > 0) == (caller.workers > 0) && !fields.failed()) {
    fields.refuse("workers", "a caller has \"calls_per_second\" or \"workers\", expected one");
  }
  fields.finish();
  fleet.callers.push_back(std::move(caller));
}

void read_agents(ObjectReader& fields, const FleetSpec& fleet, FleetTrouble& trouble) {
  trouble.last = fleet.agents - 1;
  const Json* const range = fields.take("agents");
  if (range == nullptr) return;
  const bool two = range->is_array() && range->size() == 2 && range->at(0).is_number_unsigned() &&
                   range->at(1).is_number_unsigned();
  if (two) {
    trouble.first = range->at(0).get<std::size_t>();
    trouble.last = range->at(1).get<std::size_t>();
  }
  if (two && trouble.first <= trouble.last && trouble.last < fleet.agents) return;
  fields.refuse("agents", "\"agents\" is " + dump_json(*range) +
                              ", expected the first and the last of them: [0, " +
                              std::to_string(fleet.agents - 1) + "]");
}

void read_trouble(ObjectReader fields, FleetSpec& fleet) {
  FleetTrouble trouble;
  fields.require("what", "what goes wrong");
  const auto what = fields.choice("what", kFleetTroubles);
  if (what) trouble.what = static_cast<FleetTrouble::What>(*what);
  read_agents(fields, fleet, trouble);
  trouble.at = fields.milliseconds("at_ms").value_or(Duration());
  trouble.lasts = fields.milliseconds("for_ms").value_or(Duration());
  trouble.every = fields.milliseconds("every_ms").value_or(Duration());
  trouble.spread = fields.milliseconds("spread_ms").value_or(Duration());
  trouble.by = fields.milliseconds("by_ms").value_or(Duration());
  if (trouble.every > Duration() && trouble.every <= trouble.lasts) {
    fields.refuse("every_ms", "\"every_ms\" is not above \"for_ms\", expected it to be");
  }
  fields.finish();
  fleet.troubles.push_back(trouble);
}

void read_connector(ObjectReader fields, FleetSpec& fleet) {
  connector::ConnectorOptions& out = fleet.connector;
  if (const auto most = count(fields, "connections_max", 100'000)) {
    out.pool.connections_max = static_cast<std::size_t>(*most);
  }
  if (const auto rate = read_rate(fields, "requests_per_second")) {
    out.rate.enabled = true;
    out.rate.requests_per_second = *rate;
  }
  if (const auto burst = count(fields, "burst", connector::kBurstCapacityMax)) {
    out.rate.burst_capacity = static_cast<int>(*burst);
  }
  if (const auto span = fields.milliseconds("heartbeat_ms")) out.pool.heartbeat_interval = *span;
  if (const auto span = fields.milliseconds("idle_ms_max")) out.pool.idle_max = *span;
  if (const auto span = fields.milliseconds("connect_ms_max")) out.connect_timeout = *span;
  if (const auto span = fields.milliseconds("request_ms_max")) out.request_timeout = *span;
  if (fields.boolean("fallback").value_or(false)) {
    for (connector::ErrorHandlingStrategy& one : out.retries.strategies) {
      one.fallback = connector::Fallback::kAnotherAgent;
    }
  }
  fields.finish();
}

FleetExpect read_expect(ObjectReader fields) {
  FleetExpect out;
  out.answered_percent_min = fields.integer("answered_percent_min", 0, 100);
  out.recovers_max = fields.milliseconds("recovers_ms_max");
  out.recovery_percent_max = fields.integer("recovery_percent_max", 100, kPercentMax);
  out.connections_percent_max = fields.integer("connections_percent_max", 100, kPercentMax);
  out.unfair_percent_max = fields.integer("unfair_percent_max", 0, 100);
  fields.finish();
  return out;
}

void read_own(ObjectReader fields, FleetSpec& fleet, std::optional<Problem>& problem) {
  fields.require("agents", "how many there are");
  fleet.agents = static_cast<std::size_t>(count(fields, "agents", kAgentsMax).value_or(1));
  fields.require("lasts_ms", "how long all of it goes on");
  fleet.lasts = fields.milliseconds("lasts_ms").value_or(Duration());
  fleet.heals = fields.milliseconds("heals_ms").value_or(fleet.lasts);
  if (fleet.heals > fleet.lasts) {
    fields.refuse("heals_ms", "\"heals_ms\" is behind \"lasts_ms\", expected it before");
  }
  if (const auto span = fields.milliseconds("latency_ms")) fleet.latency = *span;
  if (const auto span = fields.milliseconds("call_ms_max")) fleet.call_time_max = *span;
  fleet.registry_every = fields.milliseconds("registry_every_ms");
  if (const Json* const own = fields.take("connector")) {
    read_connector({*own, fields.pointer_to("connector"), "a connector", problem}, fleet);
  }
  const Json* const callers = fields.object("callers");
  if (callers == nullptr || callers->empty() || callers->size() > kCallersMax) {
    return fields.refuse("callers", "\"callers\" is wrong, expected an object of 1 to " +
                                        std::to_string(kCallersMax) + " callers by name");
  }
  for (const auto& [name, value] : callers->items()) {
    read_caller({value, fields.pointer_to("callers") + '/' + name, "a caller", problem}, fleet,
                name);
  }
  if (const Json* const troubles = fields.array("troubles")) {
    for (std::size_t i = 0; i < troubles->size(); ++i) {
      const std::string at = fields.pointer_to("troubles") + '/' + std::to_string(i);
      read_trouble({troubles->at(i), at, "a trouble", problem}, fleet);
    }
  }
  fields.finish();
}

}  // namespace

void read_fleet(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem) {
  // Whoever reads on finds one of each, who does nothing.
  scenario.agents.emplace_back();
  scenario.users.emplace_back();
  FleetSpec& fleet = scenario.fleet.emplace();
  const std::string pointer = fields.pointer_to("fleet");
  read_own({*fields.take("fleet"), pointer, "a fleet", problem}, fleet, problem);
  if (const Json* const expect = fields.take("expect")) {
    fleet.expect = read_expect({*expect, "/expect", "what is expected of a fleet", problem});
  }
}

}  // namespace plumbline::scenarios
