#include "scenarios/format/format_fleet.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/json/fields/fields.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kAgentsMax = 2'000;
constexpr std::int64_t kCallersMax = 200;
constexpr std::int64_t kPercentMax = 1'000;

constexpr std::int64_t kRateMax = 1'000;

// read_rate reads so many a second, with a fraction or without.
std::optional<double> read_rate(ObjectReader& fields, std::string_view key) {
  const Json* const value = fields.take(key);
  if (value == nullptr) return std::nullopt;
  const double rate = value->is_number() ? value->get<double>() : 0;
  if (rate > 0 && rate <= static_cast<double>(kRateMax)) return rate;
  fields.refuse(key, '"' + std::string(key) + "\" is " + dump_json(*value) +
                         ", expected a number above 0, at most 1000");
  return std::nullopt;
}

const Fields<FleetCaller>& caller_fields() {
  static const Fields<FleetCaller> kFields(
      "a caller",
      {
          field::own<FleetCaller>("calls_per_second", shape::number(0, kRateMax),
                                  [](ObjectReader& fields, FleetCaller& caller) {
                                    caller.calls_per_second =
                                        read_rate(fields, "calls_per_second").value_or(0);
                                  }),
          field::whole("workers", &FleetCaller::workers, 1, 1'000)
              .says("each calls again as soon as it has an answer"),
          field::yes("changes_things", &FleetCaller::changes_things)
              .says("its calls may not be repeated"),
      },
      shape::one_of_two("calls_per_second", "workers"));
  return kFields;
}

void read_caller(ObjectReader fields, FleetSpec& fleet, std::string name) {
  FleetCaller caller;
  caller.name = std::move(name);
  caller_fields().read(fields, caller);
  if ((caller.calls_per_second > 0) == (caller.workers > 0) && !fields.failed()) {
    fields.refuse("workers", "a caller has \"calls_per_second\" or \"workers\", expected one");
  }
  fields.finish();
  fleet.callers.push_back(std::move(caller));
}

void read_callers(ObjectReader& fields, FleetSpec& fleet) {
  const Json* const callers = fields.object("callers");
  if (callers == nullptr || callers->empty() || callers->size() > kCallersMax) {
    return fields.refuse("callers", "\"callers\" is wrong, expected an object of 1 to " +
                                        std::to_string(kCallersMax) + " callers by name");
  }
  for (const auto& [name, value] : callers->items()) {
    const std::string at = fields.pointer_to("callers") + '/' + name;
    read_caller({value, at, "a caller", fields.problem()}, fleet, name);
  }
}

Json callers_shape() {
  Json shape = shape::by_name(caller_fields().shape());
  shape["minProperties"] = 1;
  return shape::with(std::move(shape), "maxProperties", kCallersMax);
}

// Of the agents, the first and the last: they are held against how many there are by read_trouble.
void read_agents(ObjectReader& fields, FleetTrouble& trouble) {
  const Json* const range = fields.take("agents");
  if (range == nullptr) return;
  const bool two = range->is_array() && range->size() == 2 && range->at(0).is_number_unsigned() &&
                   range->at(1).is_number_unsigned();
  trouble.first = two ? range->at(0).get<std::size_t>() : 1;
  trouble.last = two ? range->at(1).get<std::size_t>() : 0;
}

const Fields<FleetTrouble>& trouble_fields() {
  static const Json kPlace = {{"type", "integer"}, {"minimum", 0}};
  static const Fields<FleetTrouble> kFields(
      "a trouble",
      {
          field::choice("what", &FleetTrouble::what, kFleetTroubles).must("what goes wrong"),
          field::own<FleetTrouble>("agents", shape::pair(kPlace), read_agents)
              .says("the first and the last of them"),
          field::milliseconds("at_ms", &FleetTrouble::at),
          field::milliseconds("for_ms", &FleetTrouble::lasts),
          field::milliseconds("every_ms", &FleetTrouble::every).says("again and again"),
          field::milliseconds("spread_ms", &FleetTrouble::spread)
              .says("each agent begins later by what is drawn of this"),
          field::milliseconds("by_ms", &FleetTrouble::by).says("how much slower"),
      });
  return kFields;
}

void read_trouble(ObjectReader fields, FleetSpec& fleet) {
  FleetTrouble trouble;
  if (fields.failed()) return;  // How many agents there are may be what is wrong.
  trouble.last = fleet.agents - 1;
  trouble_fields().read(fields, trouble);
  if (trouble.first > trouble.last || trouble.last >= fleet.agents) {
    fields.refuse("agents", "\"agents\" is " + dump_json(*fields.take("agents")) +
                                ", expected the first and the last of them: [0, " +
                                std::to_string(fleet.agents - 1) + "]");
  }
  if (trouble.every > Duration() && trouble.every <= trouble.lasts) {
    fields.refuse("every_ms", "\"every_ms\" is not above \"for_ms\", expected it to be");
  }
  fields.finish();
  fleet.troubles.push_back(trouble);
}

void read_troubles(ObjectReader& fields, FleetSpec& fleet) {
  const Json* const troubles = fields.array("troubles");
  for (std::size_t i = 0; troubles != nullptr && i < troubles->size(); ++i) {
    const std::string at = fields.pointer_to("troubles") + '/' + std::to_string(i);
    read_trouble({troubles->at(i), at, "a trouble", fields.problem()}, fleet);
  }
}

void read_requests_per_second(ObjectReader& fields, connector::RateLimitConfig& limit) {
  const auto rate = read_rate(fields, "requests_per_second");
  if (!rate) return;
  limit.enabled = true;
  limit.requests_per_second = *rate;
}

void read_fallback(ObjectReader& fields, connector::ConnectorOptions& out) {
  if (!fields.boolean("fallback").value_or(false)) return;
  for (connector::ErrorHandlingStrategy& one : out.retries.strategies) {
    one.fallback = connector::Fallback::kAnotherAgent;
  }
}

const Fields<connector::ConnectorOptions>& connector_fields() {
  using connector::ConnectorOptions;
  using connector::PoolOptions;
  using connector::RateLimitConfig;
  static const Fields<PoolOptions> kPool(
      "a connector", {
                         field::whole("connections_max", &PoolOptions::connections_max, 1, 100'000),
                         field::milliseconds("heartbeat_ms", &PoolOptions::heartbeat_interval),
                         field::milliseconds("idle_ms_max", &PoolOptions::idle_max),
                     });
  static const Fields<RateLimitConfig> kRate(
      "a connector",
      {
          field::own<RateLimitConfig>("requests_per_second", shape::number(0, kRateMax),
                                      read_requests_per_second),
          field::whole("burst", &RateLimitConfig::burst_capacity, 1, connector::kBurstCapacityMax),
      });
  static const Fields<ConnectorOptions> kFields =
      kPool.within(&ConnectorOptions::pool)
          .and_those(kRate.within(&ConnectorOptions::rate))
          .and_those({"a connector",
                      {
                          field::milliseconds("connect_ms_max", &ConnectorOptions::connect_timeout),
                          field::milliseconds("request_ms_max", &ConnectorOptions::request_timeout),
                          field::own<ConnectorOptions>("fallback", shape::yes(), read_fallback)
                              .says("another agent is asked in its place"),
                      }});
  return kFields;
}

const Fields<FleetSpec>& fleet_fields() {
  static const Fields<FleetSpec> kFields(
      "a fleet",
      {
          field::whole("agents", &FleetSpec::agents, 1, kAgentsMax).must("how many there are"),
          field::milliseconds("lasts_ms", &FleetSpec::lasts).must("how long all of it goes on"),
          field::own<FleetSpec>("heals_ms", shape::milliseconds(),
                                [](ObjectReader& fields, FleetSpec& fleet) {
                                  fleet.heals =
                                      fields.milliseconds("heals_ms").value_or(fleet.lasts);
                                })
              .says("when all troubles end"),
          field::milliseconds("latency_ms", &FleetSpec::latency),
          field::milliseconds("call_ms_max", &FleetSpec::call_time_max),
          field::milliseconds("registry_every_ms", &FleetSpec::registry_every)
              .says("how often a registry is asked which agents there are"),
          field::part_of("connector", &FleetSpec::connector, connector_fields()),
          field::own<FleetSpec>("callers", callers_shape(), read_callers).must("who calls"),
          field::own<FleetSpec>("troubles", shape::list(trouble_fields().shape()), read_troubles),
      });
  return kFields;
}

const Fields<FleetExpect>& expect_fields() {
  static const Fields<FleetExpect> kFields(
      "what is expected of a fleet",
      {
          field::whole("answered_percent_min", &FleetExpect::answered_percent_min, 0, 100)
              .says("percentage of the calls that are answered"),
          field::milliseconds("recovers_ms_max", &FleetExpect::recovers_max)
              .says("time from the healing until all agents are called again"),
          field::whole("recovery_percent_max", &FleetExpect::recovery_percent_max, 100, kPercentMax)
              .says("the same from the first trouble on, as a percentage of the time from then "
                    "until the healing"),
          field::whole("connections_percent_max", &FleetExpect::connections_percent_max, 100,
                       kPercentMax)
              .says("connections opened after the healing, as a percentage of those that exist at "
                    "the end"),
          field::whole("unfair_percent_max", &FleetExpect::unfair_percent_max, 0, 100)
              .says("of the callers with workers, how much less the one that got least got than "
                    "the one that got most"),
      });
  return kFields;
}

}  // namespace

void read_fleet(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem) {
  // Whoever reads on finds one of each, who does nothing.
  scenario.agents.emplace_back();
  scenario.users.emplace_back();
  FleetSpec& fleet = scenario.fleet.emplace();
  const std::string pointer = fields.pointer_to("fleet");
  ObjectReader own(*fields.take("fleet"), pointer, "a fleet", problem);
  fleet_fields().read(own, fleet);
  if (fleet.heals > fleet.lasts) {
    own.refuse("heals_ms", "\"heals_ms\" is behind \"lasts_ms\", expected it before");
  }
  own.finish();
  if (const Json* const expect = fields.take("expect")) {
    expect_fields().read(*expect, "/expect", problem, fleet.expect);
  }
}

Json fleet_shape() { return fleet_fields().shape(); }
Json fleet_expect_shape() { return expect_fields().shape(); }

}  // namespace plumbline::scenarios
