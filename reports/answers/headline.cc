#include "reports/answers/headline.h"

#include <cstdint>
#include <string_view>

#include "reports/answers/answers.h"
#include "reports/baseline.h"
#include "reports/beside.h"
#include "reports/report_text.h"

namespace plumbline::reports {

namespace {

// answers_text returns both answers in a sentence, and what could not be judged.
std::string answers_text(const Report& report, const Summary& summary) {
  const Answers answers = answers_of(report);
  std::string text = mending_text(answers);
  if (const std::size_t stale = stale_in(report).size(); stale != 0) {
    text += stale == 1 ? ", 1 entry of the baseline passes now"
                       : ", " + std::to_string(stale) + " entries of the baseline pass now";
  }
  if (summary.inconclusive != 0) {
    text += "; " + std::to_string(summary.inconclusive) + " inconclusive";
  }
  return text + "; " + conformance_text(answers.conformance);
}

// unit_of names what a row of the report is about.
std::string unit_of(const Report& report) {
  if (report.command == "replay --diff") return "difference";
  if (report.command.starts_with("replay")) return "exchange";
  return report.command.starts_with("connect") ? "applicable check" : "scenario";
}

}  // namespace

Verdict overall_verdict(const Report& report) {
  const Verdict overall = overall_verdict(summarize(report));
  if (overall == Verdict::kFail || !stale_in(report).empty()) return Verdict::kFail;
  return find(report.target, kUnreached) != nullptr ? Verdict::kInconclusive : overall;
}

std::string headline_of(const Report& report) {
  const Summary summary = summarize(report);
  const std::int64_t judged = applicable(summary);
  if (judged == 0) {
    return std::string(report.results.empty() ? "Nothing ran" : "Nothing applies") +
           ", so nothing is known";
  }
  if (report.command.starts_with("check")) return answers_text(report, summary);
  const std::string one = unit_of(report);
  const std::string both = report.command == "demo" ? " and checks" : "";
  const std::string all = std::to_string(judged) + " " + one + (judged == 1 ? "" : "s" + both);
  const auto of_all = [&all](std::int64_t count, std::string_view what) {
    return std::to_string(count) + " of " + all + " " + std::string(what);
  };
  if (summary.fail != 0) return of_all(summary.fail, summary.fail == 1 ? "fails" : "fail");
  if (summary.inconclusive != 0) return of_all(summary.inconclusive, "cannot tell");
  if (summary.pass != judged) return "None of " + all + " fails";
  return judged == 1 ? "The one " + one + " passes" : "All " + all + " pass";
}

}  // namespace plumbline::reports
