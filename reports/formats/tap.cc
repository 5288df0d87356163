#include <string>
#include <string_view>

#include "core/json/json.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/report_text.h"
#include "reports/spec_link.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

// described returns text for the line of a test point, where # begins a directive.
std::string described(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '\\' || c == '#') out += '\\';
    out += c;
  }
  return out;
}

// yaml_text returns a YAML scalar. What JSON quotes, YAML reads alike.
std::string yaml_text(std::string_view text) { return dump_json(Json(printable(text))); }

void append_member(std::string& out, std::string_view key, const std::string& value) {
  if (!value.empty()) out += "  " + std::string(key) + ": " + yaml_text(value) + "\n";
}

std::string point(const CheckResult& result) {
  std::string text = described(result.id);
  const std::string variant = variant_of(result);
  if (!variant.empty()) text += " [" + described(variant) + "]";
  if (!result.title.empty()) text += " " + described(result.title);
  if (result.verdict == Verdict::kSkip) text += " # SKIP " + described(result.message);
  if (result.verdict == Verdict::kExpectedFail)
    text +=
        " # TO"
        "DO " +
        described(result.message);
  return text;
}

void append_diagnostics(std::string& out, const CheckResult& result, const Report& report,
                        const Explanations& explanations) {
  out += "  ---\n";
  append_member(out, "severity", std::string(name_of(result.verdict)));
  append_member(out, "message", result.message);
  for (const ExplanationLine& line : explanations.of(result)) {
    append_member(out, line.label, line.text);
  }
  append_member(out, "level", result.level);
  append_member(out, "spec", spec_link(result, report));
  if (!result.evidence.empty()) {
    out += "  evidence:\n";
    for (const Evidence& line : result.evidence) {
      out += "    - " + yaml_text(evidence_text(line)) + "\n";
    }
  }
  append_member(out, "reproduce", result.reproduce);
  out += "  duration_ms: " + decimal(result.duration_ms, 3) + "\n  ...\n";
}

bool is_ok(Verdict verdict) {
  return verdict == Verdict::kPass || verdict == Verdict::kWarn || verdict == Verdict::kSkip;
}

}  // namespace

std::string write_tap(const Report& report) {
  std::string out = "TAP version 14\n";
  out += "1.." + std::to_string(report.results.size());
  out += report.results.empty() ? " # SKIP nothing ran\n" : "\n";
  out += "# " + one_line("plumbline " + report.version + " " + report.command) + ": " +
         summary_text(summarize(report)) + "\n";
  if (report.command.starts_with("check")) out += "# " + one_line(headline_of(report)) + "\n";
  const Explanations explanations(report);
  std::size_t number = 0;
  for (const CheckResult& result : report.results) {
    out += is_ok(result.verdict) ? "ok " : "not ok ";
    out += std::to_string(++number) + " - " + point(result) + "\n";
    if (result.verdict != Verdict::kPass && result.verdict != Verdict::kSkip) {
      append_diagnostics(out, result, report, explanations);
    }
  }
  return out;
}

}  // namespace plumbline::reports
