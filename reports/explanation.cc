#include "reports/explanation.h"

namespace plumbline::reports {

namespace {

bool is_broken(const CheckResult& result) {
  return result.verdict == Verdict::kFail || result.verdict == Verdict::kExpectedFail;
}

}  // namespace

void add_reasons(Report& report, std::string_view (*why)(std::string_view id)) {
  if (!report.target.is_object()) return;
  for (const CheckResult& result : report.results) {
    const std::string_view reason = is_broken(result) ? why(result.id) : std::string_view();
    if (!reason.empty()) report.target[kWhy][result.id] = reason;
  }
}

std::vector<ExplanationLine> Explanations::of(const CheckResult& result) const {
  std::vector<ExplanationLine> lines;
  const Json* const reasons = find(report_.target, kWhy);
  if (reasons != nullptr && is_broken(result)) {
    std::string why = string_or(*reasons, result.id, "");
    if (!why.empty()) lines.push_back({"why", std::move(why)});
  }
  if (faults_.is_habit(result)) {
    const BuiltWith& sdk = *faults_.sdk_of(result);
    lines.push_back({"whose", "every server on " + sdk.name + " does so, seen in " + sdk.seen});
  }
  std::string fix(faults_.fix_for(result));
  if (!fix.empty()) lines.push_back({"fix", std::move(fix)});
  return lines;
}

}  // namespace plumbline::reports
