// Explanations are what a reader is told of a finding beside its message: why its rule matters,
// what causes it, and what can be done. Every format that is read by people shows the same
// lines, each in its own dress. A report has the reasons in its target, under kWhy.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/events/report.h"
#include "reports/beside.h"
#include "reports/faults.h"

namespace plumbline::reports {

// add_reasons adds to the target of `report` what `why` says of each rule that is broken: nothing
// where that is empty, nor to a report whose target is no object.
void add_reasons(Report& report, std::string_view (*why)(std::string_view id));

// add_mends adds in the same way what `mend` says of each finding that is broken or warned of. What
// is said of a rule twice in other words stands under its id and the message.
void add_mends(Report& report,
               std::string_view (*mend)(std::string_view id, std::string_view message));

// ExplanationLine is one of them: "why", "cause", "mend" or "fix", and a sentence. A mend is of the
// rule, a fix of the SDK that was recognised.
struct ExplanationLine {
  std::string_view label;
  std::string text;
};

// Observation is a message of a finding in its two halves.
struct Observation {
  std::string seen;
  std::string expected;  // Empty: the message does not say it apart.
};

// observation_of splits "what was seen, expected what" of `result` where that is certain, each in
// one line; else all of it is what was seen. Without a message that is the title.
Observation observation_of(const CheckResult& result);

class Explanations {
 public:
  // `report` must outlive it.
  explicit Explanations(const Report& report) : report_(report), faults_(report) {}

  // of returns what there is to say of `result`, in the order in which it is read. Why is said of
  // what fails, expected or not; the others of every finding of which they are known, a mend where
  // there is no fix.
  std::vector<ExplanationLine> of(const CheckResult& result) const;

  // mend_of returns the fix of `result`, else how to mend it; empty: neither is known.
  std::string mend_of(const CheckResult& result) const;

  const Faults& faults() const { return faults_; }

 private:
  const Report& report_;
  const Faults faults_;
};

}  // namespace plumbline::reports
