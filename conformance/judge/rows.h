// The one writer of rows: what is found out of a server, a client or a gateway becomes a row of the
// report here.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/catalogue/requirement.h"
#include "core/base/time.h"
#include "core/events/report.h"
#include "core/json/redactor.h"

namespace plumbline::conformance {

// Reproduce returns the command that runs one check again.
using Reproduce = std::function<std::string(const std::string& id, const std::string& revision)>;

// RuleShown is what a row says of the rule that it judges.
struct RuleShown {
  std::string_view id;
  std::string_view area;
  std::string_view level;  // "MUST", "SHOULD_NOT" ...
  std::string_view title;
  std::string_view page;
  std::string_view contested = {};  // Where it is disputed. Whoever breaks it is warned at most.
};

RuleShown shown_of(const Requirement& rule);

// shows_evidence returns whether the row of such a verdict says what was seen.
bool shows_evidence(Verdict verdict);

// only_over is the finding for a rule of one transport where another one is spoken.
Finding only_over(const Requirement& rule);

class RowWriter {
 public:
  // `redactor` must outlive the writer; `reproduce` may be empty.
  RowWriter(const Redactor& redactor, std::string revision, std::string_view transport,
            Reproduce reproduce);

  // row returns `finding` as a row. What breaks a rule that is no MUST, or is disputed, is a
  // warning.
  CheckResult row(const RuleShown& rule, Finding finding, Duration took = {}) const;

 private:
  const Redactor& redactor_;
  std::string revision_;
  std::string transport_;
  Reproduce reproduce_;
};

}  // namespace plumbline::conformance
