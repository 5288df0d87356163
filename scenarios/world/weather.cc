#include "scenarios/world/weather.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "scenarios/format/fault_verbs.h"
#include "scenarios/format/format_weather.h"

namespace plumbline::scenarios {

namespace {

using Verb = Fault::Verb;

constexpr std::uint64_t kFaultsMax = 12;
constexpr std::size_t kSwizzledMax = 5;  // Servers that clog one after the other.

// One world in seven is calm: what breaks only there is no fault of the weather.
constexpr std::uint64_t kStormyIn = 7;
constexpr std::uint64_t kStormyOf = 6;

Duration milliseconds(std::int64_t count) { return std::chrono::milliseconds(count); }

// Drawer draws one weather: first which kinds there are at all, then how much of each.
class Drawer {
 public:
  Drawer(const Scenario& scenario, fakes::Choices& choices)
      : scenario_(scenario), choices_(choices), weather_(weather_of(scenario)) {
    for (const ServerSpec& server : scenario.servers) hosts_.push_back(server.name);
    for (const ServerSpec& server : scenario.servers) {
      if (server.authorization) hosts_.push_back(issuer_name(server.name));
    }
  }

  Weather draw() {
    if (!choices_.chance(kStormyOf, kStormyIn)) return std::move(weather_);
    draw_world();
    if (!scenario_.servers.empty()) draw_faults();
    if (!scenario_.has_agent()) return std::move(weather_);  // Nobody is there to die.
    std::vector<std::string> agents;
    for (const AgentSpec& agent : scenario_.agents) agents.push_back(agent.name);
    draw_inner_faults(choices_, agents, weather_.inner);
    return std::move(weather_);
  }

 private:
  bool on() { return choices_.chance(1, 2); }
  WorldSpec& world() { return weather_.world; }

  // What the file says of the world stays; what it leaves open is drawn.
  void draw_world() {
    const fakes::Choices::In span(choices_);
    if (on() && scenario_.world.transport == Transport::kAny) draw_transport();
    if (choices_.chance(3, 4) && scenario_.world.latency_max == Duration{}) draw_latency();
    if (choices_.chance(1, 4)) draw_bandwidth();
    if (on() && scenario_.world.fragments == fakes::Fragments::kWhole) draw_fragments();
    if (on()) world().order = fakes::Order::kPermuted;
  }

  void draw_transport() {
    // kAuto, the last, is for files to ask for.
    world().transport = static_cast<Transport>(1 + choices_.below(kTransportNames.size() - 1));
    // HTTP+SSE has sessions, and 2026-07-28 has none.
    const bool stateless = std::ranges::any_of(
        scenario_.servers, [](const ServerSpec& server) { return server.script.is_stateless(); });
    if (stateless && world().transport == Transport::kSse) world().transport = Transport::kHttp;
  }

  void draw_latency() {
    const bool drawn_for_each = on();
    const Duration typical = draw_span(6) + milliseconds(1);
    world().latency_min = drawn_for_each ? milliseconds(0) : typical;
    world().latency_max = typical;
    if (!choices_.chance(1, 4)) return;
    world().latency_tail_percent = static_cast<int>(choices_.between(1, 10));
    world().latency_tail = draw_span(13);
  }

  void draw_bandwidth() {
    constexpr std::array<std::int64_t, 4> kBytesPerSecond = {1'000'000, 100'000, 20'000, 4'000};
    world().bytes_per_s = kBytesPerSecond[choices_.below(kBytesPerSecond.size())];
  }

  void draw_fragments() {
    const bool one_byte = choices_.chance(1, 16);
    if (world().transport == Transport::kValues) return;
    want_bytes();
    world().fragments = one_byte ? fakes::Fragments::kOneByte : fakes::Fragments::kRandom;
  }

  void want_bytes() {
    if (world().transport == Transport::kAny) world().transport = Transport::kBytes;
  }

  // The faults of one world are of a few kinds, and many or few.
  void draw_faults() {
    std::array<bool, kVerbCount> kinds{};
    {
      const fakes::Choices::In span(choices_);
      for (bool& kind : kinds) kind = choices_.chance(1, 3);
      swizzles_ = choices_.chance(1, 8) && scenario_.servers.size() > 1;
      often_ = choices_.below(3);
    }
    if (world().transport == Transport::kValues) {
      for (const VerbInfo& info : all_verbs()) {
        if (info.needs_bytes) kinds[static_cast<std::size_t>(info.verb)] = false;
      }
    }
    if (std::ranges::find(kinds, true) == kinds.end() && !swizzles_) return;
    for (std::uint64_t i = 0; i < kFaultsMax; ++i) {
      const fakes::Choices::In span(choices_);
      if (!choices_.chance(2 + often_, 3 + often_)) return;
      draw_fault(kinds);
    }
  }

  void draw_fault(const std::array<bool, kVerbCount>& kinds) {
    const bool none = std::ranges::find(kinds, true) == kinds.end();
    std::size_t verb = choices_.below(kVerbCount);
    if (none || (swizzles_ && choices_.chance(1, 4))) return draw_swizzle();
    while (!kinds[verb]) verb = (verb + 1) % kVerbCount;
    Fault fault;
    fault.server = hosts_[choices_.below(hosts_.size())];
    fault.verb = static_cast<Verb>(verb);
    draw_parameters(info_of(fault.verb), fault);
    if (needs_bytes(fault)) want_bytes();
    weather_.faults.push_back(std::move(fault));
  }

  void draw_parameters(const VerbInfo& info, Fault& fault) {
    const bool by_bytes =
        info.after_bytes == Takes::kMay && on() && world().transport != Transport::kValues;
    if (by_bytes) {
      fault.after_bytes = static_cast<std::size_t>(draw_below_power(13));
      fault.nth = choices_.between(1, 4);
    } else if (info.at != Takes::kNo) {
      fault.at = draw_time();
    }
    if (info.nth == Takes::kMust) fault.nth = choices_.between(1, 24);
    if (info.lasts == Takes::kMust || (info.lasts == Takes::kMay && on())) {
      fault.lasts = draw_span(17);
    } else if (info.lasts == Takes::kMay) {
      fault.lasts = usual_length(fault.verb);
    }
    if (info.bytes_per_s == Takes::kMust) fault.bytes_per_s = 4'096 >> choices_.below(8);
    if (takes_way(fault)) fault.way = info.ways[choices_.below(info.ways.size())];
  }

  // draw_swizzle clogs servers one by one, and frees them in an order of their own.
  void draw_swizzle() {
    Duration start = draw_time();
    const Duration step = draw_span(8);
    const std::size_t count = std::min(scenario_.servers.size(), kSwizzledMax);
    for (std::size_t i = 0; i < count; ++i, start += step) {
      Fault fault;
      fault.server = scenario_.servers[i].name;
      fault.verb = Verb::kClog;
      fault.at = start;
      fault.lasts = draw_span(15);
      weather_.faults.push_back(std::move(fault));
    }
  }

  // draw_time draws when something happens: most within two seconds, some within a minute.
  Duration draw_time() {
    const bool late = choices_.chance(1, 8);
    return draw_span(late ? 16 : 12);
  }

  // draw_span draws whole milliseconds below 2^(powers - 1): short ones and long ones alike often.
  Duration draw_span(std::uint64_t powers) { return milliseconds(draw_below_power(powers)); }
  std::int64_t draw_below_power(std::uint64_t powers) {
    const std::uint64_t power = choices_.below(powers);
    return static_cast<std::int64_t>(choices_.below(std::uint64_t{1} << power));
  }

  const Scenario& scenario_;
  fakes::Choices& choices_;
  Weather weather_;
  std::vector<std::string> hosts_;  // The servers, and who gives out their tokens.
  bool swizzles_ = false;
  std::uint64_t often_ = 0;
};

}  // namespace

Weather weather_of(const Scenario& scenario) {
  return Weather{scenario.world, scenario.faults, scenario.inner};
}

Weather draw_weather(const Scenario& scenario, fakes::Choices& choices) {
  return Drawer(scenario, choices).draw();
}

Json to_json(const Weather& weather) {
  Json faults = Json::array();
  for (const Fault& fault : weather.faults) faults.push_back(to_json(fault));
  for (Json& fault : fault_entries(weather.inner)) faults.push_back(std::move(fault));
  Json out = Json::object();
  out["world"] = to_json(weather.world);
  out["faults"] = std::move(faults);
  if (!weather.inner.rare.empty()) out["rare"] = weather.inner.rare;
  return out;
}

fakes::Choices weather_choices(const Scenario& scenario, std::uint64_t seed) {
  return fakes::Choices(Rng(seed).fork("weather").fork(scenario.id));
}

bool keeps_outcome(const Scenario& scenario, const Weather& weather) {
  // What carries the messages, and where it cuts them, changes nothing that a scenario may expect.
  WorldSpec world = weather.world;
  world.fragments = scenario.world.fragments;
  world.transport = scenario.world.transport;
  return weather.faults == scenario.faults && weather.inner == scenario.inner &&
         world == scenario.world;
}

}  // namespace plumbline::scenarios
