#include "scenarios/format/format_faults.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "scenarios/format/fault_verbs.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kBytesMax = 1 << 30;
constexpr std::int64_t kNthMax = 1'000'000;

std::array<std::string_view, kVerbCount> verb_names() {
  std::array<std::string_view, kVerbCount> names;
  std::ranges::transform(all_verbs(), names.begin(), &VerbInfo::name);
  return names;
}

// FaultReader reads one fault.
class FaultReader {
 public:
  FaultReader(const Json& json, std::string pointer, std::optional<Problem>& problem)
      : fields_(json, std::move(pointer), "a fault", problem) {}

  Fault read(WorldSpec& world) {
    static const std::array<std::string_view, kVerbCount> kNames = verb_names();
    fields_.require("server", "the name of a server");
    fields_.require("do", "what happens, as \"reset\"");
    fault_.server = fields_.string("server").value_or("");
    const std::optional<std::size_t> verb = fields_.choice("do", kNames);
    if (!verb) return fault_;
    fault_.verb = static_cast<Fault::Verb>(*verb);
    const VerbInfo& info = info_of(fault_.verb);
    read_when(info);
    read_rest(info);
    fields_.finish();
    need_bytes(world);
    return fault_;
  }

 private:
  void read_when(const VerbInfo& info) {
    if (info.after_bytes == Takes::kMay && fields_.has("after_bytes")) {
      const auto bytes = fields_.integer("after_bytes", 0, kBytesMax);
      fault_.after_bytes = static_cast<std::size_t>(bytes.value_or(0));
    } else if (info.at == Takes::kMust) {
      fields_.require("at_ms", "when it happens");
      fault_.at = fields_.milliseconds("at_ms").value_or(Duration{});
    }
    if (info.lasts == Takes::kMust) fields_.require("for_ms", "how long it lasts");
    if (info.lasts == Takes::kNo) return;
    fault_.lasts = fields_.milliseconds("for_ms").value_or(usual_length(fault_.verb));
  }

  void read_rest(const VerbInfo& info) {
    if (info.nth == Takes::kMust) fields_.require("nth", "which write, from 1");
    if (info.nth == Takes::kMust || fault_.after_bytes) {
      fault_.nth = fields_.integer("nth", 1, kNthMax).value_or(0);
    }
    if (info.bytes_per_s == Takes::kMust) {
      fields_.require("bytes_per_s", "the bandwidth");
      fault_.bytes_per_s = fields_.integer("bytes_per_s", 1, kBytesMax).value_or(1);
    }
    if (!takes_way(fault_)) return;
    fault_.way = info.ways.front();
    const auto way = fields_.choice("way", names_of_ways().first(info.ways.size()));
    if (way) fault_.way = static_cast<Fault::Way>(*way);
  }

  // need_bytes keeps a world that does not mind from passing values.
  void need_bytes(WorldSpec& world) {
    if (!needs_bytes(fault_)) return;
    if (world.transport == Transport::kAny) world.transport = Transport::kBytes;
    if (world.transport != Transport::kValues) return;
    fields_.refuse(fault_.after_bytes ? "after_bytes" : "do",
                   "values have no bytes, expected \"transport\": \"bytes\"");
  }

  ObjectReader fields_;
  Fault fault_;
};

// milliseconds_json returns a whole number where it is one.
Json milliseconds_json(Duration span) {
  constexpr std::int64_t kNanosecondsEach = 1'000'000;
  if (span.count() % kNanosecondsEach == 0) return span.count() / kNanosecondsEach;
  return static_cast<double>(span.count()) / static_cast<double>(kNanosecondsEach);
}

Json latency_json(const WorldSpec& world) {
  Json typical = milliseconds_json(world.latency_min);
  if (world.latency_min != world.latency_max) {
    typical = Json::array({typical, milliseconds_json(world.latency_max)});
  }
  if (world.latency_tail_percent == 0) return typical;
  Json out = Json::object();
  out["typical"] = std::move(typical);
  out["tail"] = milliseconds_json(world.latency_tail);
  out["tail_percent"] = world.latency_tail_percent;
  return out;
}

}  // namespace

std::vector<Fault> read_faults(const Json& faults, WorldSpec& world, InnerFaults& inner,
                               std::optional<Problem>& problem) {
  std::vector<Fault> out;
  if (!faults.is_array()) {
    add_problem(problem, "/faults",
                "\"faults\" is " + std::string(type_name(faults)) + ", expected an array");
    return out;
  }
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::string pointer = "/faults/" + std::to_string(i);
    if (is_inner_fault(faults[i])) {
      read_inner_fault(faults[i], pointer, inner, problem);
    } else {
      FaultReader reader(faults[i], pointer, problem);
      out.push_back(reader.read(world));
    }
  }
  return out;
}

Json to_json(const Fault& fault) {
  const VerbInfo& info = info_of(fault.verb);
  Json out = Json::object();
  out["server"] = fault.server;
  out["do"] = info.name;
  if (fault.after_bytes) {
    out["after_bytes"] = *fault.after_bytes;
  } else if (info.at != Takes::kNo) {
    out["at_ms"] = milliseconds_json(fault.at);
  }
  const bool unusual = info.lasts == Takes::kMay && fault.lasts != usual_length(fault.verb);
  if (unusual || info.lasts == Takes::kMust) out["for_ms"] = milliseconds_json(fault.lasts);
  if (fault.nth != 0) out["nth"] = fault.nth;
  if (info.bytes_per_s != Takes::kNo) out["bytes_per_s"] = fault.bytes_per_s;
  if (takes_way(fault) && fault.way != info.ways.front()) {
    out["way"] = names_of_ways()[static_cast<std::size_t>(fault.way)];
  }
  return out;
}

Json to_json(const WorldSpec& world) {
  const WorldSpec usual;
  Json out = Json::object();
  if (world.transport != usual.transport) {
    out["transport"] = kTransportNames[static_cast<std::size_t>(world.transport) - 1];
  }
  if (world.latency_max != Duration{} || world.latency_tail_percent != 0) {
    out["latency_ms"] = latency_json(world);
  }
  if (world.bytes_per_s != 0) out["bytes_per_s"] = world.bytes_per_s;
  if (world.fragments != usual.fragments) {
    out["fragments"] = kFragmentNames[static_cast<std::size_t>(world.fragments)];
  }
  if (world.order == fakes::Order::kChosen) {
    out["schedule"] = world.schedule;
  } else if (world.order != usual.order) {
    out["order"] = kOrderNames[static_cast<std::size_t>(world.order)];
  }
  if (world.connect_timeout != usual.connect_timeout) {
    out["connect_timeout_ms"] = milliseconds_json(world.connect_timeout);
  }
  if (world.request_timeout != usual.request_timeout) {
    out["request_timeout_ms"] = milliseconds_json(world.request_timeout);
  }
  if (world.revision != usual.revision) out["revision"] = mcp::name_of(world.revision);
  if (world.line_bytes_max != usual.line_bytes_max) out["line_bytes_max"] = world.line_bytes_max;
  return out;
}

}  // namespace plumbline::scenarios
