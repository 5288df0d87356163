#include "conformance/peer/client/verdicts.h"

#include <algorithm>
#include <utility>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kEvidenceOfRunMax = 40;

}  // namespace

int rank(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFail:
      return 4;
    case Verdict::kWarn:
      return 3;
    case Verdict::kPass:
      return 2;
    case Verdict::kInconclusive:
      return 1;
    default:
      return 0;
  }
}

void Verdicts::say(std::string_view id, Finding finding) {
  const bool shows = finding.verdict != Verdict::kPass && finding.verdict != Verdict::kSkip;
  if (shows && finding.evidence.empty() && record_ != nullptr) {
    const std::vector<LogEntry>& entries = record_->log.entries();
    const std::size_t from = entries.size() - std::min(entries.size(), kEvidenceOfRunMax);
    for (std::size_t i = from; i < entries.size(); ++i) {
      finding.evidence.push_back(record_->log.evidence(entries[i]));
    }
  }
  const auto found = findings_.find(id);
  if (found == findings_.end()) {
    findings_.emplace(std::string(id), std::move(finding));
  } else if (rank(finding.verdict) > rank(found->second.verdict)) {
    found->second = std::move(finding);
  }
}

}  // namespace plumbline::conformance
