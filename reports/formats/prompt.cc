#include <algorithm>
#include <string>
#include <vector>

#include "reports/answers/answers.h"
#include "reports/answers/explanation.h"
#include "reports/answers/finding_prompt.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kPromptsMax = 50;

std::vector<const CheckResult*> with_verdict(const Report& report, Verdict verdict) {
  std::vector<const CheckResult*> rows;
  for (const CheckResult& result : report.results) {
    if (result.verdict == verdict) rows.push_back(&result);
  }
  return rows;
}

// to_mend returns what is the author's to mend, the heaviest first: failures, or else warnings.
std::vector<const CheckResult*> to_mend(const Report& report) {
  std::vector<const CheckResult*> rows;
  for (const Finding& finding : answers_of(report).findings) {
    if (finding.whose == Whose::kYours) rows.push_back(finding.result);
  }
  if (rows.empty()) rows = with_verdict(report, Verdict::kWarn);
  return rows;
}

}  // namespace

std::string write_prompt(const Report& report) {
  const std::vector<const CheckResult*> rows = to_mend(report);
  if (rows.empty()) return "Nothing is to be mended.\n";
  const Explanations explanations(report);
  const std::size_t shown = std::min(rows.size(), kPromptsMax);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? "## Prompt " : "\n## Prompt ") + std::to_string(i + 1) + " of " +
           std::to_string(shown) + "\n\n" + finding_prompt(*rows[i], report, explanations);
  }
  if (shown < rows.size()) {
    out += "\n" + std::to_string(rows.size() - shown) + " more findings have no prompt here.\n";
  }
  return out;
}

}  // namespace plumbline::reports
