#include "scenarios/format/format_weather.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "core/json/fields/fields.h"
#include "scenarios/format/fault_verbs.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kScheduleMax = 100'000;
constexpr std::int64_t kPlaceMax = 1'000'000;
constexpr std::int64_t kBytesMax = 1 << 30;
constexpr std::int64_t kNthMax = 1'000'000;

void read_transport(ObjectReader& fields, WorldSpec& world) {
  if (const auto which = fields.choice("transport", kTransportNames)) {
    world.transport = static_cast<Transport>(*which + 1);
  }
}

// preferred_revisions are those that a client may prefer: older ones are for servers to speak.
std::vector<std::string_view> preferred_revisions() {
  std::vector<std::string_view> names;
  for (const mcp::Revision revision : mcp::all_revisions()) {
    if (revision >= mcp::kLatestStateful) names.push_back(mcp::name_of(revision));
  }
  return names;
}

void read_revision(ObjectReader& fields, WorldSpec& world) {
  const std::vector<std::string_view> names = preferred_revisions();
  if (const auto which = fields.choice("revision", names)) {
    world.revision = *mcp::parse_revision(names[*which]);
  }
}

void read_schedule(ObjectReader& fields, WorldSpec& world) {
  const Json* const list = fields.take("schedule");
  if (list == nullptr) return;
  world.order = fakes::Order::kChosen;
  bool wrong = !list->is_array() || list->size() > kScheduleMax;
  for (std::size_t i = 0; !wrong && i < list->size(); ++i) {
    const std::int64_t place = as_int((*list)[i]).value_or(-1);
    wrong = place < 0 || place > kPlaceMax;
    world.schedule.push_back(static_cast<std::uint32_t>(place));
  }
  if (wrong) {
    fields.refuse("schedule", "\"schedule\" is wrong, expected an array of places from 0");
  }
  if (fields.has("order")) {
    fields.refuse("order", "\"order\" stands beside \"schedule\", expected one of them");
  }
}

void read_typical(const Json& latency, ObjectReader& fields, std::string_view key,
                  WorldSpec& world) {
  const bool range = latency.is_array() && latency.size() == 2;
  const std::optional<Duration> low = milliseconds_from(range ? latency.front() : latency);
  const std::optional<Duration> high = milliseconds_from(range ? latency.back() : latency);
  if (!low || !high || *low > *high) {
    return fields.refuse(
        key, '"' + std::string(key) + "\" is wrong, expected milliseconds or [least, most]");
  }
  world.latency_min = *low;
  world.latency_max = *high;
}

Json typical_shape() {
  return shape::either(shape::milliseconds(), shape::pair(shape::milliseconds()));
}

// A latency with a long tail.
const Fields<WorldSpec>& tail_fields() {
  static const Fields<WorldSpec> kFields(
      "the latency", {
                         field::own<WorldSpec>("typical", typical_shape(),
                                               [](ObjectReader& fields, WorldSpec& world) {
                                                 const Json* const typical = fields.take("typical");
                                                 if (typical)
                                                   read_typical(*typical, fields, "typical", world);
                                               })
                             .must("milliseconds or [least, most]"),
                         field::milliseconds("tail", &WorldSpec::latency_tail)
                             .must("the milliseconds of the slow ones"),
                         field::whole("tail_percent", &WorldSpec::latency_tail_percent, 1, 100)
                             .must("how many are slow"),
                     });
  return kFields;
}

void read_latency(ObjectReader& fields, WorldSpec& world) {
  const Json* const latency = fields.take("latency_ms");
  if (latency == nullptr) return;
  if (!latency->is_object()) return read_typical(*latency, fields, "latency_ms", world);
  world.latency_tail_percent = 1;
  tail_fields().read(*latency, fields.pointer_to("latency_ms"), fields.problem(), world);
}

Json latency_shape() {
  Json shape = typical_shape();
  shape["oneOf"].push_back(tail_fields().shape());
  return shape;
}

const Fields<WorldSpec>& world_fields() {
  constexpr auto kLineBytesMax = static_cast<std::int64_t>(limits::kMessageBytesMax);
  static const Fields<WorldSpec> kFields(
      "the world",
      {
          field::own<WorldSpec>("transport", shape::one_of(kTransportNames), read_transport)
              .says("`\"bytes\"`: lines over the streams of simulated child processes, by the code "
                    "that talks to real servers. `\"values\"`: JSON values without serialisation, "
                    "the fast way. `\"http\"`, `\"sse\"`, `\"ws\"`: Streamable HTTP, HTTP+SSE and "
                    "WebSocket over a simulated network. `\"auto\"`: over that network, each "
                    "server has its own transport, and the client finds out which as it does for "
                    "real: it tries Streamable HTTP, and HTTP+SSE once that is refused with 400, "
                    "404 or 405; a `ws` URL says what it is. A file without it has the same "
                    "outcome over all of them"),
          field::choice("fragments", &WorldSpec::fragments, kFragmentNames)
              .says("`\"random\"`: cut and joined at bytes that the seed draws. `\"one_byte\"`: a "
                    "byte at a time. By default `\"whole\"`. Needs bytes"),
          field::choice("order", &WorldSpec::order, kOrderNames)
              .says("`\"permuted\"`: the seed orders events that are due at the same instant. By "
                    "default `\"fifo\"`"),
          field::own<WorldSpec>(
              "schedule",
              shape::with(shape::list(shape::whole(0, kPlaceMax)), "maxItems", kScheduleMax),
              read_schedule)
              .says("instead of `order`: which event goes first, each time that several are due at "
                    "the same instant, as its position among them in order of creation. `[]` is "
                    "`\"fifo\"`; beyond the end of the list, the first goes first"),
          field::own<WorldSpec>("latency_ms", latency_shape(), read_latency)
              .says("latency of each message (0), or `[least, most]`: drawn for each. With a long "
                    "tail: `{\"typical\": 5, \"tail\": 400, \"tail_percent\": 2}`; `typical` may "
                    "be a range"),
          field::whole("bytes_per_s", &WorldSpec::bytes_per_s, 1, kBytesMax)
              .says("bandwidth of each direction of a stream, by default unlimited; a value counts "
                    "as its line of JSON"),
          field::own<WorldSpec>("revision", shape::one_of(preferred_revisions()), read_revision)
              .says("the revision that the client prefers, by default `2025-11-25`: with "
                    "`2026-07-28` it sends server/discover first"),
          field::whole("line_bytes_max", &WorldSpec::line_bytes_max, 1'000, kLineBytesMax)
              .says("maximum length of a line from a child process (16777216). Needs bytes"),
          field::milliseconds("connect_timeout_ms", &WorldSpec::connect_timeout)
              .says("timeout of a server's start, handshake and lists (30000)"),
          field::milliseconds("request_timeout_ms", &WorldSpec::request_timeout)
              .says("timeout of one call (30000)"),
      });
  return kFields;
}

std::array<std::string_view, kVerbCount> verb_names() {
  std::array<std::string_view, kVerbCount> names;
  std::ranges::transform(all_verbs(), names.begin(), &VerbInfo::name);
  return names;
}

// fault_rows are what a fault of that verb has: at a time, or behind so many bytes of a stream.
Fields<Fault>::Rows fault_rows(const VerbInfo& info, bool after_bytes) {
  Fields<Fault>::Rows rows;
  const auto add = [&rows](Takes takes, std::string_view expected, Field<Fault> row) {
    if (takes == Takes::kMust) row.needed = expected;
    if (takes != Takes::kNo) rows.push_back(std::move(row));
  };
  add(Takes::kMust, "the name of a server", field::words("server", &Fault::server));
  add(Takes::kMust, "what happens, as \"reset\"",
      field::own<Fault>("do", shape::only(info.name),
                        [](ObjectReader& fields, Fault&) { fields.take("do"); }));
  add(after_bytes ? Takes::kMust : Takes::kNo, "behind how many bytes",
      field::whole("after_bytes", &Fault::after_bytes, 0, kBytesMax));
  add(after_bytes ? Takes::kNo : info.at, "when it happens",
      field::milliseconds("at_ms", &Fault::at));
  add(info.lasts, "how long it lasts", field::milliseconds("for_ms", &Fault::lasts));
  add(info.nth == Takes::kMust || after_bytes ? info.nth : Takes::kNo, "which write, from 1",
      field::whole("nth", &Fault::nth, 1, kNthMax));
  add(info.bytes_per_s, "the bandwidth",
      field::whole("bytes_per_s", &Fault::bytes_per_s, 1, kBytesMax));
  const bool has_way = !info.ways.empty() && (info.after_bytes == Takes::kNo || after_bytes);
  add(has_way ? Takes::kMay : Takes::kNo, "",
      field::choice("way", &Fault::way, names_of_ways().first(info.ways.size())));
  return rows;
}

const Fields<Fault>& fault_fields(const VerbInfo& info, bool after_bytes) {
  static const std::vector<Fields<Fault>> kAll = [] {
    std::vector<Fields<Fault>> all;
    for (const VerbInfo& one : all_verbs()) {
      all.emplace_back("a fault", fault_rows(one, false), Json{{"description", one.what}});
      all.emplace_back("a fault", fault_rows(one, true),
                       Json{{"description", one.what_after_bytes}});
    }
    return all;
  }();
  return kAll[2 * static_cast<std::size_t>(info.verb) + (after_bytes ? 1 : 0)];
}

// need_bytes keeps a world that does not mind from passing values.
void need_bytes(const Fault& fault, ObjectReader& fields, WorldSpec& world) {
  if (!needs_bytes(fault)) return;
  if (world.transport == Transport::kAny) world.transport = Transport::kBytes;
  if (world.transport != Transport::kValues) return;
  fields.refuse(fault.after_bytes ? "after_bytes" : "do",
                "values have no bytes, expected \"transport\": \"bytes\"");
}

Fault read_fault(ObjectReader fields, WorldSpec& world) {
  static const std::array<std::string_view, kVerbCount> kNames = verb_names();
  Fault fault;
  fields.require("do", "what happens, as \"reset\"");
  fields.take("server");  // It stands first where unknown keys are told.
  const std::optional<std::size_t> verb = fields.choice("do", kNames);
  if (!verb) return fault;
  fault.verb = static_cast<Fault::Verb>(*verb);
  fault.lasts = usual_length(fault.verb);
  const VerbInfo& info = info_of(fault.verb);
  if (!info.ways.empty()) fault.way = info.ways.front();
  const bool after_bytes = info.after_bytes != Takes::kNo && fields.has("after_bytes");
  fault_fields(info, after_bytes).read(fields, fault);
  fields.finish();
  need_bytes(fault, fields, world);
  return fault;
}

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

WorldSpec read_world(const Json& json, std::optional<Problem>& problem) {
  ObjectReader fields(json, "/world", "the world", problem);
  WorldSpec world;
  world_fields().read(fields, world);
  fields.finish();
  if (world.fragments != fakes::Fragments::kWhole && world.transport == Transport::kValues) {
    fields.refuse("fragments", "values are not cut, expected \"transport\": \"bytes\"");
  }
  const bool lines = world.fragments != fakes::Fragments::kWhole ||
                     world.line_bytes_max != limits::kMessageBytesMax;
  if (lines && world.transport == Transport::kAny) world.transport = Transport::kBytes;
  return world;
}

Json world_shape() { return shape::says(world_fields().shape(), "how messages travel"); }

Json faults_shape() {
  Json kinds = Json::array();
  for (const VerbInfo& info : all_verbs()) {
    kinds.push_back(fault_fields(info, false).shape());
    if (info.after_bytes != Takes::kNo) kinds.push_back(fault_fields(info, true).shape());
  }
  for (Json& inner : inner_fault_shapes()) kinds.push_back(std::move(inner));
  return shape::says(shape::list(Json{{"oneOf", std::move(kinds)}}), "what breaks");
}

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
      out.push_back(read_fault({faults[i], pointer, "a fault", problem}, world));
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
