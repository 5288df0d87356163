// Answers are the two that a report of checks gives, never mixed. Conformance excuses nothing: how
// many MUSTs hold, and in which revisions. What is yours to mend decides the exit status: what
// every server on the same SDK does, and what a baseline excuses, is told and not counted there.
// Every format shows these numbers and no others.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/events/report.h"
#include "core/json/json.h"

namespace plumbline::reports {

enum class Whose {
  kYours,
  kSdk,      // Every server on the SDK that was recognised does so.
  kExcused,  // By a baseline, or as --fail-on does not count its revision.
};

// Finding is one thing that is broken: a check that fails in several revisions or transports is
// one, together with what fails because of it. Borrows from the Report.
struct Finding {
  Whose whose = Whose::kYours;
  const CheckResult* result = nullptr;        // Of the newest revision.
  std::vector<const CheckResult*> variants;   // Of the same check, `result` among them.
  std::vector<const CheckResult*> followers;  // Of other checks, which fail because of it.
};

// Conformance is the first answer.
struct Conformance {
  std::int64_t musts = 0;  // That were judged, each in each revision.
  std::int64_t held = 0;
  std::vector<std::string> revisions;  // In which something was judged, oldest first.
  std::vector<std::string> broken_in;  // Those of them in which a MUST is broken.
};

struct Answers {
  Conformance conformance;
  std::vector<Finding>
      findings;  // The heaviest first: yours, newest revision, what all clients meet.
  std::vector<std::string> sdks;  // Whose doing some of them are.
  std::int64_t warnings = 0;      // Kinds of them that are no SDK's.

  std::int64_t count(Whose whose) const;
};

// is_brought returns whether the check that brings `row` with it is broken in `report` too. A
// warning is brought by a warning as well.
bool is_brought(const CheckResult& row, const Report& report);

// answers_of returns both. They borrow from `report`.
Answers answers_of(const Report& report);

// mending_text says the second answer: "2 failures are yours to mend, 1 from TypeScript SDK 1".
std::string mending_text(const Answers& answers);

// conformance_text says the first: "152 of 154 MUSTs hold, broken in revision
// 2025-03-26".
std::string conformance_text(const Conformance& conformance);

// conformance_json and mending_json return them as the JSON report has them.
Json conformance_json(const Conformance& conformance);
Json mending_json(const Answers& answers);

}  // namespace plumbline::reports
