// lint holds what a server offers to the rules of quality and gives a row of the report for each.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/catalogue/selection.h"
#include "conformance/quality/checks.h"
#include "conformance/quality/grade.h"
#include "core/events/report.h"

namespace plumbline::conformance {

struct LintOptions {
  Around around;
  Selection selection;               // By --only and --skip; levels do not matter.
  std::vector<std::string> fail_on;  // Ids, or parts, whose findings are failures.
  bool fails_below = false;          // A grade worse than `least` is one, too:
  char least = 'F';
  // reproduce returns the command that looks at one rule again; may be empty.
  std::function<std::string(std::string_view id)> reproduce;
};

struct Linted {
  std::string server;  // As the host calls it.
  std::vector<CheckResult> results;
  Grade grade;
  std::size_t tools = 0;
  std::int64_t tokens = 0;
};

// lint looks at everything in `offer`. `more` are notes that were found elsewhere, as by pins.
Linted lint(const ServerOffer& offer, const LintOptions& options, const Notes& more = {});

// json_of returns the numbers of `linted` as reports have them below "lint" of their target.
Json json_of(const Linted& linted);

}  // namespace plumbline::conformance
