#include "reports/sweep_json.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/base/limits.h"
#include "reports/json_object.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

constexpr std::uint64_t kSeedsMax = 1'000'000'000'000;  // Of a range; sums stay far from 2^64.
constexpr std::size_t kHexDigits = 16;

Json json_of(const std::optional<FailedWorld>& world) {
  if (!world) return nullptr;
  Json out = Json::object();
  out["seed"] = world->seed;
  out["scenario"] = world->scenario;
  out["message"] = world->message;
  out["reproduce"] = world->reproduce;
  return out;
}

Json json_of(const std::optional<DeterminismTotals>& determinism) {
  if (!determinism) return nullptr;
  Json out = Json::object();
  out["checked"] = determinism->checked;
  out["differ"] = determinism->differ;
  out["traces"] = hex_text(determinism->traces);
  out["first"] = json_of(determinism->first);
  return out;
}

Json json_of(const std::map<std::string, FaultCount>& faults) {
  Json out = Json::object();
  for (const auto& [verb, count] : faults) {
    out[verb] = {{"worlds", count.worlds}, {"struck", count.struck}, {"met", count.met}};
  }
  return out;
}

void append_scenario(std::string& out, const SweptScenario& scenario) {
  JsonObject object(out, "{", ", ");
  object.text("id", scenario.id);
  object.text("area", scenario.area);
  object.text("title", scenario.title);
  object.raw("runs", std::to_string(scenario.runs));
  object.raw("failed", std::to_string(scenario.failed));
  object.raw("first", dump_json(json_of(scenario.first)));
  out += '}';
}

// Reader takes members out of objects and remembers the first that is not as write_json writes it.
class SweepReader {
 public:
  const std::string& problem() const { return problem_; }

  const Json& member(const Json& object, const std::string& key) {
    static const Json kNothing;
    const Json* const found = find(object, key);
    if (found == nullptr) complain(key, "a value");
    return found == nullptr ? kNothing : *found;
  }

  std::uint64_t number(const Json& object, const std::string& key, std::uint64_t max = UINT64_MAX) {
    const Json& value = member(object, key);
    const auto* const read = value.get_ptr<const std::uint64_t*>();
    if (read != nullptr && *read <= max) return *read;
    complain(key, "a number up to " + std::to_string(max));
    return 0;
  }

  std::string text(const Json& object, const std::string& key) {
    const auto* const read = member(object, key).get_ptr<const std::string*>();
    if (read != nullptr) return *read;
    complain(key, "a string");
    return {};
  }

  std::uint64_t hex(const Json& object, const std::string& key) {
    const std::string digits = text(object, key);
    std::uint64_t value = 0;
    bool bad = digits.size() != kHexDigits;
    for (const char c : digits) {
      const std::size_t digit = std::string_view("0123456789abcdef").find(c);
      bad = bad || digit == std::string_view::npos;
      value = value << 4U | (digit & 15U);
    }
    if (bad) complain(key, "16 hexadecimal digits");
    return value;
  }

  std::optional<FailedWorld> world(const Json& object, const std::string& key) {
    const Json& value = member(object, key);
    if (value.is_null()) return std::nullopt;
    FailedWorld out;
    out.seed = number(value, "seed");
    out.scenario = text(value, "scenario");
    out.message = text(value, "message");
    out.reproduce = text(value, "reproduce");
    return out;
  }

  void complain(const std::string& key, const std::string& expected) {
    if (problem_.empty()) problem_ = "\"" + key + "\": expected " + expected;
  }

 private:
  std::string problem_;
};

void read_asked(SweepReader& reader, const Json& sweep, SweepTotals& totals) {
  const Json& seeds = reader.member(sweep, "seeds");
  totals.first = reader.number(seeds, "first");
  totals.last = reader.number(seeds, "last");
  if (totals.last < totals.first || totals.last - totals.first >= kSeedsMax) {
    reader.complain("seeds", "a range from first to last");
  }
  const Json& shard = reader.member(sweep, "shard");
  totals.shard = reader.number(shard, "index", kSeedsMax);
  totals.shards = reader.number(shard, "of", kSeedsMax);
  if (totals.shard < 1 || totals.shard > totals.shards) reader.complain("shard", "index 1 to of");
  totals.profile = reader.text(sweep, "profile");
}

void read_found(SweepReader& reader, const Json& sweep, SweepTotals& totals) {
  totals.worlds = reader.number(sweep, "worlds", kSeedsMax);
  totals.fingerprint = reader.hex(sweep, "fingerprint");
  const Json& determinism = reader.member(sweep, "determinism");
  if (!determinism.is_null()) {
    DeterminismTotals& out = totals.determinism.emplace();
    out.checked = reader.number(determinism, "checked", kSeedsMax);
    out.differ = reader.number(determinism, "differ", kSeedsMax);
    out.traces = reader.hex(determinism, "traces");
    out.first = reader.world(determinism, "first");
  }
  for (const auto& [verb, count] : reader.member(sweep, "faults").items()) {
    FaultCount& out = totals.faults[verb];
    out.worlds = reader.number(count, "worlds");
    out.struck = reader.number(count, "struck");
    out.met = reader.number(count, "met");
  }
  const Json& situations = reader.member(sweep, "situations");
  for (const auto& [name, worlds] : situations.items()) {
    totals.situations[name] = reader.number(situations, name);
  }
  for (const Json& scenario : reader.member(sweep, "scenarios")) {
    SweptScenario& out = totals.scenarios.emplace_back();
    out.id = reader.text(scenario, "id");
    out.area = reader.text(scenario, "area");
    out.title = reader.text(scenario, "title");
    out.runs = reader.number(scenario, "runs", kSeedsMax);
    out.failed = reader.number(scenario, "failed", kSeedsMax);
    out.first = reader.world(scenario, "first");
  }
}

}  // namespace

void append_sweep(std::string& out, const SweepTotals& totals) {
  JsonObject object(out, "{\n    ", ",\n    ");
  object.raw("seeds", "{\"first\": " + std::to_string(totals.first) +
                          ", \"last\": " + std::to_string(totals.last) + "}");
  object.raw("shard", "{\"index\": " + std::to_string(totals.shard) +
                          ", \"of\": " + std::to_string(totals.shards) + "}");
  object.text("profile", totals.profile);
  object.raw("worlds", std::to_string(totals.worlds));
  object.text("fingerprint", hex_text(totals.fingerprint));
  object.raw("determinism", dump_json(json_of(totals.determinism)));
  object.raw("faults", dump_json(json_of(totals.faults)));
  object.raw("situations", dump_json(Json(totals.situations)));
  object.key("scenarios");
  out += '[';
  for (const SweptScenario& scenario : totals.scenarios) {
    out += &scenario == totals.scenarios.data() ? "\n      " : ",\n      ";
    append_scenario(out, scenario);
  }
  out += totals.scenarios.empty() ? "]\n  }" : "\n    ]\n  }";
}

Result<Report> read_sweep_report(std::string_view text) {
  Result<Json> parsed = parse_json(text, {.bytes_max = limits::kFileBytesMax});
  if (!parsed.ok()) return std::move(parsed).error();
  const Json& json = parsed.value();
  const Json* const sweep = find(json, "sweep");
  if (sweep == nullptr) {
    return the_error("report.not-ours", " sweep");
  }
  SweepReader reader;
  Report report;
  report.version = reader.text(json, "plumbline");
  report.command = reader.text(json, "command");
  report.target = reader.member(json, "target");
  report.seed = reader.number(json, "seed");
  SweepTotals& totals = report.sweep.emplace();
  read_asked(reader, *sweep, totals);
  read_found(reader, *sweep, totals);
  if (!reader.problem().empty()) return Error{ErrorCode::kInvalidInput, reader.problem()};
  return report;
}

}  // namespace plumbline::reports
