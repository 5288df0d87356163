// CheckResult is one row of a report: what came of one check or scenario.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline {

enum class Verdict {
  kPass,
  kFail,          // A MUST is broken, or a scenario's expectation or invariant is.
  kWarn,          // A SHOULD is broken, or another implementation may stumble over it.
  kSkip,          // Does not apply; the message says why.
  kInconclusive,  // The subject died or timed out before it could tell.
  kExpectedFail,  // Failed as the baseline says it does.
};

// name_of returns the verdict as reports spell it: "pass", "fail", "warn", "skip",
// "inconclusive", "xfail".
std::string_view name_of(Verdict verdict);

// Evidence is one line of the wire log that a verdict rests on.
struct Evidence {
  std::int64_t at_ms = 0;
  std::string direction;  // "->" from the harness, "<-" to it, "--" neither.
  Json message;
  bool judged = false;  // The verdict is about this line: it is wrong, or was not answered rightly.
};

// CheckResult is one row.
struct CheckResult {
  std::string id;
  std::string server;  // Which of several was judged, by its name in a configuration. Else empty.
  Verdict verdict = Verdict::kPass;
  std::string level;      // "MUST", "SHOULD", "MAY"; empty for a scenario.
  std::string area;       // The page or the library folder: "lifecycle", "basics".
  std::string revision;   // Empty when it does not matter.
  std::string transport;  // Likewise.
  std::string title;
  std::string message;  // What was seen, what was expected. Empty on a plain pass.
  std::string because;  // The check that brings this failure, or warning, with it; else empty.
  std::vector<std::string> kinds{};  // Of mistakes, where the message tells of several.
  std::string member;  // Of the message that is judged, that is wrong; empty: no single one.
  std::string spec;    // "<page>#<heading>". Empty for a scenario.
  std::vector<Evidence> evidence;
  std::string reproduce;  // One command. Empty on a pass.
  double duration_ms = 0;
  std::int64_t observed = 0;  // How often a check put its rule to the test. 0: it was not counted.
  std::string reason;         // Which of several, for who decides by it; the message is for people.
  Json outcome;  // Of a scenario: what came of it, by the names of docs/reports.md. Null: not told.
};

}  // namespace plumbline
