#include "scenarios/format/format_world.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/format/format_faults.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kBytesPerSecondMax = 1 << 30;
constexpr std::size_t kScheduleMax = 100'000;
constexpr std::int64_t kPlaceMax = 1'000'000;

class WorldReader {
 public:
  explicit WorldReader(std::optional<Problem>& problem) : problem_(problem) {}

  WorldSpec read(const Json& json) {
    ObjectReader fields(json, "/world", "the world", problem_);
    if (const auto which = fields.choice("transport", kTransportNames)) {
      world_.transport = static_cast<Transport>(*which + 1);
    }
    if (const auto which = fields.choice("fragments", kFragmentNames)) {
      world_.fragments = static_cast<fakes::Fragments>(*which);
    }
    if (const auto which = fields.choice("order", kOrderNames)) {
      world_.order = static_cast<fakes::Order>(*which);
    }
    read_schedule(fields);
    read_latency(fields);
    world_.bytes_per_s = fields.integer("bytes_per_s", 1, kBytesPerSecondMax).value_or(0);
    read_revision(fields);
    if (const auto bytes = fields.integer("line_bytes_max", 1'000, limits::kMessageBytesMax)) {
      world_.line_bytes_max = static_cast<std::size_t>(*bytes);
    }
    world_.connect_timeout =
        fields.milliseconds("connect_timeout_ms").value_or(limits::kConnectTimeout);
    world_.request_timeout =
        fields.milliseconds("request_timeout_ms").value_or(limits::kRequestTimeout);
    fields.finish();
    if (world_.fragments != fakes::Fragments::kWhole && world_.transport == Transport::kValues) {
      fields.refuse("fragments", "values are not cut, expected \"transport\": \"bytes\"");
    }
    const bool lines = world_.fragments != fakes::Fragments::kWhole ||
                       world_.line_bytes_max != limits::kMessageBytesMax;
    if (lines && world_.transport == Transport::kAny) world_.transport = Transport::kBytes;
    return std::move(world_);
  }

 private:
  // Older ones than the newest with sessions are for servers to speak.
  void read_revision(ObjectReader& fields) {
    std::vector<std::string_view> names;
    for (const mcp::Revision revision : mcp::all_revisions()) {
      if (revision >= mcp::kLatestStateful) names.push_back(mcp::name_of(revision));
    }
    if (const auto which = fields.choice("revision", names)) {
      world_.revision = *mcp::parse_revision(names[*which]);
    }
  }

  void read_schedule(ObjectReader& fields) {
    const Json* const list = fields.take("schedule");
    if (list == nullptr) return;
    world_.order = fakes::Order::kChosen;
    bool wrong = !list->is_array() || list->size() > kScheduleMax;
    for (std::size_t i = 0; !wrong && i < list->size(); ++i) {
      const std::int64_t place = as_int((*list)[i]).value_or(-1);
      wrong = place < 0 || place > kPlaceMax;
      world_.schedule.push_back(static_cast<std::uint32_t>(place));
    }
    if (wrong) {
      fields.refuse("schedule", "\"schedule\" is wrong, expected an array of places from 0");
    }
    if (fields.has("order")) {
      fields.refuse("order", "\"order\" stands beside \"schedule\", expected one of them");
    }
  }

  void read_latency(ObjectReader& fields) {
    const Json* const latency = fields.take("latency_ms");
    if (latency == nullptr) return;
    if (!latency->is_object()) return read_typical(*latency, fields, "latency_ms");
    ObjectReader parts(*latency, "/world/latency_ms", "the latency", problem_);
    parts.require("typical", "milliseconds or [least, most]");
    parts.require("tail", "the milliseconds of the slow ones");
    parts.require("tail_percent", "how many are slow");
    if (const Json* const typical = parts.take("typical")) read_typical(*typical, parts, "typical");
    world_.latency_tail = parts.milliseconds("tail").value_or(Duration{});
    world_.latency_tail_percent =
        static_cast<int>(parts.integer("tail_percent", 1, 100).value_or(1));
    parts.finish();
  }

  void read_typical(const Json& latency, ObjectReader& fields, std::string_view key) {
    const bool range = latency.is_array() && latency.size() == 2;
    const std::optional<Duration> low = milliseconds_from(range ? latency.front() : latency);
    const std::optional<Duration> high = milliseconds_from(range ? latency.back() : latency);
    if (!low || !high || *low > *high) {
      return fields.refuse(
          key, '"' + std::string(key) + "\" is wrong, expected milliseconds or [least, most]");
    }
    world_.latency_min = *low;
    world_.latency_max = *high;
  }

  std::optional<Problem>& problem_;
  WorldSpec world_;
};

}  // namespace

WorldSpec read_world(const Json& json, std::optional<Problem>& problem) {
  return WorldReader(problem).read(json);
}

}  // namespace plumbline::scenarios
