#include "conformance/judge/rows.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace plumbline::conformance {

RuleShown shown_of(const Requirement& rule) {
  return {rule.id, rule.area, rule.level, rule.summary, rule.page, rule.contested};
}

bool shows_evidence(Verdict verdict) {
  return verdict != Verdict::kPass && verdict != Verdict::kSkip;
}

Finding only_over(const Requirement& rule) {
  return not_for_it("a rule of " + std::string(rule.transport) + " alone");
}

RowWriter::RowWriter(const Redactor& redactor, std::string revision, std::string_view transport,
                     Reproduce reproduce)
    : redactor_(redactor),
      revision_(std::move(revision)),
      transport_(transport),
      reproduce_(std::move(reproduce)) {}

CheckResult RowWriter::row(const RuleShown& rule, Finding finding, Duration took) const {
  const bool must = rule.level.starts_with("MUST") && rule.contested.empty();
  CheckResult row;
  row.id = std::string(rule.id);
  row.verdict = finding.verdict == Verdict::kFail && !must ? Verdict::kWarn : finding.verdict;
  row.level = std::string(rule.level);
  std::ranges::replace(row.level, '_', ' ');
  row.area = std::string(rule.area);
  row.revision = revision_;
  row.transport = transport_;
  row.title = std::string(rule.title);
  row.message = clipped(redactor_.redact(std::move(finding.message)));
  if (shows_evidence(row.verdict) && !rule.contested.empty()) {
    row.message += "; disputed: " + std::string(rule.contested);
  }
  row.reason = std::move(finding.reason);
  row.kinds = finding.kinds;
  row.member = std::move(finding.member);
  row.observed = finding.observed;
  row.spec = std::string(rule.page);
  row.duration_ms = static_cast<double>(took.count()) / 1e6;
  if (!shows_evidence(row.verdict)) return row;
  row.evidence = std::move(finding.evidence);
  if (reproduce_) row.reproduce = reproduce_(row.id, revision_);
  return row;
}

}  // namespace plumbline::conformance
