#include "reports/formats/console_text.h"

#include <algorithm>

#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kColumnsMin = 60;

}  // namespace

std::string_view color_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "32";
    case Verdict::kFail:
      return "1;31";
    case Verdict::kWarn:
      return "33";
    case Verdict::kSkip:
      return kDim;
    case Verdict::kInconclusive:
      return "35";
    case Verdict::kExpectedFail:
      return "36";
  }
  return kBold;
}

std::string_view label(Verdict verdict) {
  return verdict == Verdict::kFail ? std::string_view("FAIL") : name_of(verdict);
}

ConsoleText::ConsoleText(const ConsoleOptions& options)
    : options_(options), columns_(std::max(options.columns, kColumnsMin)) {}

std::string ConsoleText::paint(std::string_view code, std::string_view text) const {
  if (!options_.color) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

void ConsoleText::heading(const Report& report) {
  std::string text = "plumbline " + report.version + " · " + report.command;
  if (!report.revision.empty()) text += " · " + report.revision;
  for (const std::string& part : {scope_of(report), subject_of(report)}) {
    if (!part.empty()) text += " · " + part;
  }
  out_ += paint(kDim, one_line(text)) + "\n\n";
}

std::string ConsoleText::take() { return without_commands(out_); }

void ConsoleText::lines(std::string_view indent, std::string_view text) {
  if (text.empty()) return;
  std::string before(indent);
  for (const std::string& line : wrap(text, columns_ - indent.size())) {
    out_ += line.empty() ? "\n" : before + line + "\n";
    before.assign(indent.size(), ' ');
  }
}

void ConsoleText::evidence(std::string_view indent, const std::vector<Evidence>& evidence) {
  const std::string before(indent);
  const std::size_t shown = std::min(evidence.size(), options_.evidence_max);
  const std::size_t hidden = evidence.size() - shown;
  if (hidden != 0) {
    out_ += paint(kDim, before + "… " + std::to_string(hidden) + " earlier lines") + "\n";
  }
  for (std::size_t at = hidden; at < evidence.size(); ++at) {
    const std::string text = before + evidence_text(evidence[at]);
    out_ += paint(kDim, clip(one_line(text), columns_)) + "\n";
  }
}

void ConsoleText::reproduce(std::string_view indent, const CheckResult& result) {
  if (result.reproduce.empty()) return;
  out_ += std::string(indent) + "reproduce: " + paint(kBold, one_line(result.reproduce)) + "\n";
}

}  // namespace plumbline::reports
