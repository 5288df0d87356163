#include "reports/answers/explanation.h"

#include <utility>

#include "reports/text.h"

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

void add_mends(Report& report, std::string_view (*mend)(std::string_view id)) {
  if (!report.target.is_object()) return;
  for (const CheckResult& result : report.results) {
    const bool wanted = is_broken(result) || result.verdict == Verdict::kWarn;
    const std::string_view text = wanted ? mend(result.id) : std::string_view();
    if (!text.empty()) report.target[kMend][result.id] = text;
  }
}

Observation observation_of(const CheckResult& result) {
  constexpr std::string_view kExpected = "expected ";
  const std::string message = one_line(result.message.empty() ? result.title : result.message);
  const std::size_t at = message.find(kExpected);
  if (at < 3 || at == std::string::npos) return {message, ""};
  const bool parted = message[at - 1] == ' ' &&  // A space is left of a new line.
                      std::string_view(",;.: ").find(message[at - 2]) != std::string_view::npos;
  const bool again = message.find(kExpected, at + 1) != std::string::npos;
  std::string expected = message.substr(at + kExpected.size());
  if (!parted || again || expected.empty()) return {message, ""};
  std::string seen = message.substr(0, at - 2);
  // How often it was seen stands behind all of the message.
  const std::size_t count = expected.rfind(" (");
  const bool counts =
      count != std::string::npos && (expected.ends_with(" times)") || expected.ends_with(" more)"));
  if (counts) {
    seen += expected.substr(count);
    expected.resize(count);
  }
  return {std::move(seen), std::move(expected)};
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
    lines.push_back(
        {"cause", sdk.name + " (every server on it does this; last seen in " + sdk.seen + ")"});
  }
  std::string fix(faults_.fix_for(result));
  if (!fix.empty()) {
    lines.push_back({"fix", std::move(fix)});
  } else if (std::string mend = mend_of(result); !mend.empty()) {
    lines.push_back({"mend", std::move(mend)});
  }
  return lines;
}

std::string Explanations::mend_of(const CheckResult& result) const {
  std::string fix(faults_.fix_for(result));
  const Json* const mends = find(report_.target, kMend);
  const bool finding = is_broken(result) || result.verdict == Verdict::kWarn;
  if (!fix.empty() || mends == nullptr || !finding) return fix;
  return string_or(*mends, result.id, "");
}

}  // namespace plumbline::reports
