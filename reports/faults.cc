#include "reports/faults.h"

#include <algorithm>
#include <utility>

namespace plumbline::reports {

namespace {

bool is_finding(const CheckResult& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kWarn ||
         row.verdict == Verdict::kExpectedFail;
}

std::vector<Habit> habits_in(const Json& sdk, std::string_view key) {
  std::vector<Habit> habits;
  const Json* const list = find(sdk, key);
  if (list == nullptr || !list->is_array()) return habits;
  for (const Json& each : *list) {
    habits.push_back({string_or(each, "id", ""), string_or(each, "revision", ""),
                      string_or(each, "transport", ""), string_or(each, "fix", "")});
  }
  return habits;
}

std::vector<std::string> texts_in(const Json& sdk, std::string_view key) {
  std::vector<std::string> texts;
  const Json* const list = find(sdk, key);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& each : *list) {
    if (each.is_string()) texts.push_back(each.get<std::string>());
  }
  return texts;
}

Json json_of(const std::vector<Habit>& habits) {
  Json list = Json::array();
  for (const Habit& habit : habits) {
    Json each(Json::value_t::object);
    each["id"] = habit.id;
    each["revision"] = habit.revision;
    each["transport"] = habit.transport;
    if (!habit.fix.empty()) each["fix"] = habit.fix;
    list.push_back(std::move(each));
  }
  return list;
}

bool is_built_with(const BuiltWith& sdk, const CheckResult& row) {
  return sdk.server == row.server &&
         std::ranges::find(sdk.revisions, row.revision) != sdk.revisions.end();
}

}  // namespace

void add_built_with(Json& target, const BuiltWith& sdk) {
  Json shown(Json::value_t::object);
  if (!sdk.server.empty()) shown["server"] = sdk.server;
  shown["name"] = sdk.name;
  shown["revisions"] = sdk.revisions;
  shown["seen"] = sdk.seen;
  shown["whole"] = sdk.whole;
  shown["known_by"] = sdk.signs;
  shown["does"] = json_of(sdk.habits);
  shown["settings"] = json_of(sdk.settings);
  target[kBuiltWith].push_back(std::move(shown));
}

Faults::Faults(const Report& report) {
  const Json* const list = find(report.target, kBuiltWith);
  if (list == nullptr || !list->is_array()) return;
  for (const Json& sdk : *list) {
    const Json* const whole = find(sdk, "whole");
    sdks_.push_back({string_or(sdk, "server", ""), string_or(sdk, "name", ""),
                     texts_in(sdk, "revisions"), whole != nullptr && *whole == true,
                     string_or(sdk, "seen", ""), texts_in(sdk, "known_by"), habits_in(sdk, "does"),
                     habits_in(sdk, "settings")});
  }
}

const BuiltWith* Faults::sdk_of(const CheckResult& row) const {
  const BuiltWith* found = nullptr;
  for (const BuiltWith& sdk : sdks_) {
    if (!is_built_with(sdk, row)) continue;
    if (found != nullptr && found->name != sdk.name) return nullptr;
    found = &sdk;
  }
  return found;
}

const Habit* Faults::find_in(Habits habits, const CheckResult& row) const {
  if (!is_finding(row) || sdk_of(row) == nullptr) return nullptr;
  for (const BuiltWith& sdk : sdks_) {
    if (!is_built_with(sdk, row)) continue;
    for (const Habit& habit : sdk.*habits) {
      const bool same = habit.id == row.id && habit.revision == row.revision;
      if (same && habit.transport == row.transport) return &habit;
    }
  }
  return nullptr;
}

bool Faults::is_habit(const CheckResult& row) const {
  return find_in(&BuiltWith::habits, row) != nullptr;
}

std::string_view Faults::fix_for(const CheckResult& row) const {
  const Habit* habit = find_in(&BuiltWith::habits, row);
  if (habit == nullptr) habit = find_in(&BuiltWith::settings, row);
  return habit == nullptr ? std::string_view() : habit->fix;
}

std::string_view Faults::word_for(const CheckResult& row) const {
  const BuiltWith* const sdk = is_finding(row) ? sdk_of(row) : nullptr;
  if (sdk == nullptr) return "";
  if (is_habit(row)) return "sdk";
  return sdk->whole || !fix_for(row).empty() ? "own" : "";
}

}  // namespace plumbline::reports
