#include "reports/faults.h"

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

}  // namespace

Json json_of(const BuiltWith& sdk) {
  Json shown(Json::value_t::object);
  shown["name"] = sdk.name;
  shown["seen"] = sdk.seen;
  shown["known_by"] = sdk.signs;
  shown["does"] = json_of(sdk.habits);
  shown["settings"] = json_of(sdk.settings);
  return shown;
}

Faults::Faults(const Report& report) {
  read(report.target);
  const Json* const merged = find(report.target, "merged");
  if (merged == nullptr || !merged->is_array()) return;
  for (const Json& target : *merged) read(target);
}

void Faults::read(const Json& target) {
  const Json* const servers = find(target, "servers");
  if (servers == nullptr || !servers->is_array()) return;
  for (const Json& server : *servers) {
    BuiltWith& read = sdks_.emplace_back();
    read.server = string_or(server, "name", "");
    const Json* const sdk = find(server, "sdk");
    if (sdk == nullptr) continue;
    read.name = string_or(*sdk, "name", "");
    read.seen = string_or(*sdk, "seen", "");
    read.habits = habits_in(*sdk, "does");
    read.settings = habits_in(*sdk, "settings");
    const Json* const signs = find(*sdk, "known_by");
    if (signs == nullptr || !signs->is_array()) continue;
    for (const Json& sign : *signs) {
      if (sign.is_string()) read.signs.push_back(sign.get<std::string>());
    }
  }
}

const BuiltWith* Faults::sdk_of(const CheckResult& row) const {
  const BuiltWith* found = nullptr;
  for (const BuiltWith& sdk : sdks_) {
    if (sdk.server != row.server) continue;
    if (found != nullptr && found->name != sdk.name) return nullptr;
    found = &sdk;
  }
  return found == nullptr || found->name.empty() ? nullptr : found;
}

const Habit* Faults::find_in(Habits habits, const CheckResult& row) const {
  if (!is_finding(row) || sdk_of(row) == nullptr) return nullptr;
  for (const BuiltWith& sdk : sdks_) {
    if (sdk.server != row.server) continue;
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
  if (!is_finding(row) || sdk_of(row) == nullptr) return "";
  return is_habit(row) ? "sdk" : "own";
}

}  // namespace plumbline::reports
