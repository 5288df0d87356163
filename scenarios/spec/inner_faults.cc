#include "scenarios/spec/inner_faults.h"

#include <algorithm>
#include <array>

#include "core/base/rare.h"
#include "core/json/fields/fields.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kInnerNthMax = 1'000'000;
constexpr std::string_view kPlant = "plant.";

constexpr std::array<CrashPointInfo, 7> kPoints = {{
    {CrashPoint::kBeforeNote, "before_note",
     "A person's decision, or a call that changes something, is about to be noted."},
    {CrashPoint::kBeforeCall, "before_call", "A call is about to be sent."},
    {CrashPoint::kAfterCall, "after_call", "The call was sent."},
    {CrashPoint::kAfterEffect, "after_effect", "A server has committed a side effect."},
    {CrashPoint::kAfterResult, "after_result", "The answer has arrived and has not been used yet."},
    {CrashPoint::kBeforeCheckpoint, "before_checkpoint", "A node is done but not saved yet."},
    {CrashPoint::kAfterCheckpoint, "after_checkpoint",
     "A node is done and saved. The first checkpoint is the one before the first node."},
}};

bool is_known(std::string_view name) {
  return name == kRetryUnknown || name == kAbortAtReset || find_rare(name);
}

Duration whole_milliseconds(std::int64_t count) { return std::chrono::milliseconds(count); }

std::span<const std::string_view> point_names() {
  static const auto kNames = [] {
    std::array<std::string_view, kPoints.size()> names;
    std::ranges::transform(kPoints, names.begin(), &CrashPointInfo::name);
    return names;
  }();
  return kNames;
}

template <typename T>
Field<T> verb_row(std::string_view verb) {
  return field::own<T>("do", shape::only(verb), [](ObjectReader& fields, T&) { fields.take("do"); })
      .must("what happens");
}

// A crash is at a point of the work, or at a time.
const Fields<Crash>& crash_fields(bool at_point) {
  static const Fields<Crash> kCommon(
      "a fault", {verb_row<Crash>("crash_orchestrator"), field::words("agent", &Crash::agent),
                  field::milliseconds("for_ms", &Crash::down)});
  static const Fields<Crash> kAtPoint =
      Fields<Crash>("a fault",
                    {field::choice("at", &Crash::point, point_names()).must("where"),
                     field::whole("nth", &Crash::nth, 1, kInnerNthMax)},
                    {{"description", "The assistant dies at a place in its work."}})
          .and_those(kCommon);
  static const Fields<Crash> kAtTime =
      Fields<Crash>("a fault",
                    {field::milliseconds("at_ms", &Crash::at)
                         .must("when it happens, or \"at\": a crash point")},
                    {{"description", "The assistant dies at a time, and is restarted."}})
          .and_those(kCommon);
  return at_point ? kAtPoint : kAtTime;
}

const Fields<InnerFaults>& operation_fields() {
  static const Fields<InnerFaults> kFields(
      "a fault",
      {verb_row<InnerFaults>("fail_operation"),
       field::whole("nth", &InnerFaults::fail_operation, 1, kInnerNthMax)
           .must("the number of the operation that fails")},
      {{"description",
        "One of the assistant's operations fails: a dial, a read, a write, a checkpoint."}});
  return kFields;
}

Json entry_of(const Crash& crash) {
  Json out = Json::object();
  out["do"] = "crash_orchestrator";
  if (crash.point) {
    out["at"] = kPoints[static_cast<std::size_t>(*crash.point)].name;
    if (crash.nth != 1) out["nth"] = crash.nth;
  } else {
    out["at_ms"] = milliseconds_of(crash.at);
  }
  if (!crash.agent.empty()) out["agent"] = crash.agent;
  if (crash.down > Duration{}) out["for_ms"] = milliseconds_of(crash.down);
  return out;
}

Crash draw_crash(fakes::Choices& choices) {
  Crash crash;
  const std::uint64_t where = choices.below(kPoints.size() + 1);
  if (where == kPoints.size()) {
    crash.at = whole_milliseconds(choices.between(0, 1'000));
  } else {
    crash.point = kPoints[where].point;
    crash.nth = choices.between(1, 4);
  }
  crash.down = whole_milliseconds(choices.between(0, 5'000));
  return crash;
}

}  // namespace

std::span<const CrashPointInfo> all_crash_points() { return kPoints; }

bool is_inner_fault(const Json& fault) {
  const std::string verb = string_or(fault, "do", "");
  return verb == "crash_orchestrator" || verb == "fail_operation";
}

void read_inner_fault(const Json& fault, const std::string& pointer, InnerFaults& into,
                      std::optional<Problem>& problem) {
  ObjectReader fields(fault, pointer, "a fault", problem);
  if (fields.string("do") == "crash_orchestrator") {
    crash_fields(fields.has("at")).read(fields, into.crashes.emplace_back());
  } else {
    operation_fields().read(fields, into);
  }
  fields.finish();
}

std::vector<Json> inner_fault_shapes() {
  return {crash_fields(true).shape(), crash_fields(false).shape(), operation_fields().shape()};
}

void read_rare(const Json& names, InnerFaults& into, std::optional<Problem>& problem) {
  if (!names.is_array()) {
    return add_problem(problem, "/rare", "\"rare\" is wrong, expected an array of names");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto* const name = names[i].get_ptr<const std::string*>();
    if (name == nullptr || !is_known(*name)) {
      return add_problem(problem, "/rare/" + std::to_string(i),
                         "no rare branch is called " + dump_json(names[i]) +
                             ", expected one that `plumbline list faults` shows");
    }
    into.rare.push_back(*name);
  }
}

std::vector<Json> fault_entries(const InnerFaults& inner) {
  std::vector<Json> out;
  for (const Crash& crash : inner.crashes) out.push_back(entry_of(crash));
  if (inner.fail_operation > 0) {
    out.push_back(Json::object({{"do", "fail_operation"}, {"nth", inner.fail_operation}}));
  }
  return out;
}

bool has_defect(const InnerFaults& inner, std::string_view defect) {
  return std::ranges::find(inner.rare, defect) != inner.rare.end();
}

bool plant(std::string_view defect, InnerFaults& into) {
  std::string name = std::string(kPlant) + std::string(defect);
  if (!is_known(name)) return false;
  into.rare.push_back(std::move(name));
  return true;
}

std::string plant_options(const InnerFaults& inner) {
  std::string out;
  for (const std::string& name : inner.rare) {
    if (name.starts_with(kPlant)) out += " --plant " + name.substr(kPlant.size());
  }
  return out;
}

void draw_inner_faults(fakes::Choices& choices, const std::vector<std::string>& agents,
                       InnerFaults& into) {
  {
    const fakes::Choices::In span(choices);
    const bool any = choices.chance(1, 4);
    for (const RareSite& site : rare_sites()) {
      if (!any) continue;
      const fakes::Choices::In one(choices);
      const bool there = std::ranges::find(into.rare, site.name) != into.rare.end();
      if (choices.chance(1, 4) && !there) into.rare.emplace_back(site.name);
    }
  }
  {
    const fakes::Choices::In span(choices);
    if (choices.chance(1, 12)) {
      into.crashes.push_back(draw_crash(choices));
      const bool several = agents.size() > 1;
      into.crashes.back().agent = several ? agents[choices.below(agents.size())] : agents.front();
    }
  }
  const fakes::Choices::In span(choices);
  const bool fails = choices.chance(1, 16);
  if (fails && into.fail_operation == 0) into.fail_operation = choices.between(1, 60);
}

}  // namespace plumbline::scenarios
