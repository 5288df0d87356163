// Whose a finding is: the server's own, or that of the SDK which it is built with and which makes
// every server do so. A report says what was recognised in its target, under kBuiltWith; where
// nothing was, nobody is named.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/report.h"

namespace plumbline::reports {

// Of Report::target: what was recognised, a list. In JSON it stands beside the target.
inline constexpr const char* kBuiltWith = "built_with";

// Habit is a row that every server on an SDK gets, or one that its user can prevent by a setting.
struct Habit {
  std::string id;  // Of the check.
  std::string revision;
  std::string transport;
  std::string fix;  // What a user of the SDK can do. May be empty.
};

// BuiltWith is an SDK that was recognised.
struct BuiltWith {
  std::string server;  // Of several, by its name in a configuration. Else empty.
  std::string name;
  std::vector<std::string> revisions;  // In which it was judged.
  // Whether all that the SDK does is known: what is no habit is then the server's own.
  bool whole = false;
  std::string seen;                // The versions in which the habits were seen.
                                   // The versions in which the habits were seen.
  std::vector<std::string> signs;  // By which it was recognised.
  std::vector<Habit> habits;       // What is the SDK's doing.
  std::vector<Habit> settings;     // What is the server's own, and how it is set right.
};

// add_built_with adds it to the target of a report.
void add_built_with(Json& target, const BuiltWith& sdk);

// Faults answers whose the rows of one report are.
class Faults {
 public:
  explicit Faults(const Report& report);

  // sdks returns what was recognised.
  const std::vector<BuiltWith>& sdks() const { return sdks_; }

  // sdk_of returns with what the server of `row` is built; null: nobody knows.
  const BuiltWith* sdk_of(const CheckResult& row) const;

  // is_habit returns whether `row` is the doing of its SDK. False, too, where nobody knows with
  // what it is built.
  bool is_habit(const CheckResult& row) const;

  // fix_for returns what a user of the SDK can do about `row`; empty: nothing is known.
  std::string_view fix_for(const CheckResult& row) const;

  // word_for returns whose `row` is as reports spell it: "own", "sdk"; empty: it is no finding, or
  // nobody knows.
  std::string_view word_for(const CheckResult& row) const;

 private:
  using Habits = std::vector<Habit> BuiltWith::*;

  const Habit* find_in(Habits habits, const CheckResult& row) const;

  std::vector<BuiltWith> sdks_;
};

}  // namespace plumbline::reports
