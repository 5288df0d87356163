// The rules by which the quality of what a server offers is judged: a line each in rules.tsv.

#pragma once

#include <span>
#include <string_view>

namespace plumbline::conformance {

struct QualityRule {
  std::string_view id;      // "quality.name-form".
  std::string_view part;    // "names": what the grade has a letter for.
  std::string_view level;   // "advice", "warning". Grades go by warnings alone.
  double limit = 0;         // What it is measured by; 0: nothing.
  std::string_view rule;    // What should hold.
  std::string_view why;     // It matters.
  std::string_view advice;  // What to do, as a command: "describe the arguments".
  std::string_view source;  // Where it is from; empty: our own judgement.

  bool is_warning() const { return level == "warning"; }
};

// quality_rules returns all of them, those of one part after the other.
std::span<const QualityRule> quality_rules();

// find_quality_rule returns the one with this id; nullptr: there is none.
const QualityRule* find_quality_rule(std::string_view id);

}  // namespace plumbline::conformance
