#include "reports/answers/explanation.h"

#include <algorithm>
#include <utility>

#include "reports/text.h"

namespace plumbline::reports {

namespace {

constexpr std::string_view kExpected = "expected ";

bool is_broken(const CheckResult& result) {
  return result.verdict == Verdict::kFail || result.verdict == Verdict::kExpectedFail;
}

// expectations_in returns where `message` says what was expected: not in brackets and not in
// quotation marks, where somebody else speaks.
std::vector<std::size_t> expectations_in(std::string_view message) {
  std::vector<std::size_t> places;
  int brackets = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (message[at] == '"') quoted = !quoted;
    if (message[at] == '(') ++brackets;
    if (message[at] == ')') brackets = std::max(0, brackets - 1);
    if (brackets == 0 && !quoted && message.substr(at).starts_with(kExpected)) places.push_back(at);
  }
  return places;
}

// named returns the name of one finding of a rule among the mends.
std::string named(const CheckResult& result) { return result.id + ": " + result.message; }

}  // namespace

void add_reasons(Report& report, std::string_view (*why)(std::string_view id)) {
  if (!report.target.is_object()) return;
  for (const CheckResult& result : report.results) {
    const std::string_view reason = is_broken(result) ? why(result.id) : std::string_view();
    if (!reason.empty()) report.target[kWhy][result.id] = reason;
  }
}

void add_mends(Report& report,
               std::string_view (*mend)(std::string_view id, std::string_view message)) {
  if (!report.target.is_object()) return;
  for (const CheckResult& result : report.results) {
    const bool wanted = is_broken(result) || result.verdict == Verdict::kWarn;
    const std::string_view text = wanted ? mend(result.id, result.message) : std::string_view();
    if (text.empty()) continue;
    Json& mends = report.target[kMend];
    const Json* const other = find(mends, result.id);
    mends[other == nullptr || *other == text ? result.id : named(result)] = text;
  }
}

Observation observation_of(const CheckResult& result) {
  const std::string message = one_line(result.message.empty() ? result.title : result.message);
  const std::vector<std::size_t> places = expectations_in(message);
  if (places.size() != 1 || places[0] < 3) return {message, ""};
  const std::size_t at = places[0];
  const bool parted = message[at - 1] == ' ' &&  // A space is left of a new line.
                      std::string_view(",;.: ").find(message[at - 2]) != std::string_view::npos;
  std::string expected = message.substr(at + kExpected.size());
  if (!parted || expected.empty()) return {message, ""};
  std::string seen = message.substr(0, at - 2);
  // How often it was seen stands behind all of the message.
  const bool times = expected.ends_with(" times)");
  const std::size_t count = expected.rfind(times ? " (" : " (and ");
  if (count != std::string::npos && expected.ends_with(")")) {
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
  return string_or(*mends, named(result), string_or(*mends, result.id, ""));
}

}  // namespace plumbline::reports
