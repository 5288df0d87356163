#include "reports/report_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reports/sweep_text.h"
#include "reports/text.h"

namespace plumbline::reports {

namespace {

// is_live returns whether real peers were met, and not simulated ones.
bool is_live(const Report& report) {
  return report.command.starts_with("check") || report.command.starts_with("connect") ||
         report.command == "lint";
}

}  // namespace

std::string scope_of(const Report& report) {
  if (report.sweep) return scope_text(*report.sweep);
  return is_live(report) ? "" : "seed " + std::to_string(report.seed);
}

std::string subject_of(const Report& report) {
  for (const char* const key : {"config", "url"}) {
    if (const auto text = find_string(report.target, key)) return one_line(*text);
  }
  const Json* const servers = find(report.target, "servers");
  if (servers == nullptr || !servers->is_array() || servers->size() != 1) return "";
  return one_line(string_or((*servers)[0], "target", ""));
}

std::string variant_of(const CheckResult& result, std::string_view known) {
  std::string out;
  for (const std::string& part :
       {result.server, result.revision == known ? "" : result.revision, result.transport}) {
    if (!out.empty() && !part.empty()) out += ' ';
    out += one_line(part);
  }
  return out;
}

std::string row_text(const CheckResult& result) {
  std::string text = one_line(result.title);
  if (result.verdict == Verdict::kSkip || result.verdict == Verdict::kExpectedFail) {
    if (!text.empty() && !result.message.empty()) text += ": ";
    text += one_line(result.message);
  }
  return text;
}

std::string evidence_text(const Evidence& evidence) {
  std::string text = std::to_string(evidence.at_ms) + " ms " + evidence.direction + " ";
  append_json(text, evidence.message);
  return text;
}

bool deserves_a_look(const CheckResult& result) {
  return result.verdict == Verdict::kFail || result.verdict == Verdict::kWarn ||
         result.verdict == Verdict::kInconclusive;
}

std::vector<Area> by_area(const Report& report) {
  std::vector<Area> areas;
  for (const CheckResult& result : report.results) {
    const std::string_view name = result.area.empty() ? std::string_view("general") : result.area;
    auto area = std::ranges::find(areas, name, &Area::name);
    if (area == areas.end()) area = areas.insert(area, Area{name, {}});
    area->results.push_back(&result);
  }
  return areas;
}

Verdict overall_verdict(const Summary& summary) {
  if (summary.fail != 0) return Verdict::kFail;
  if (summary.inconclusive != 0) return Verdict::kInconclusive;
  if (applicable(summary) != 0) return Verdict::kPass;
  return summary.skip != 0 ? Verdict::kSkip : Verdict::kInconclusive;
}

std::int64_t applicable(const Summary& summary) {
  return summary.pass + summary.fail + summary.warn + summary.inconclusive + summary.expected_fail;
}

std::string summary_text(const Summary& summary) {
  std::string out =
      std::to_string(summary.pass) + " pass, " + std::to_string(summary.fail) + " fail";
  const std::pair<std::int64_t, Verdict> others[] = {
      {summary.warn, Verdict::kWarn},
      {summary.skip, Verdict::kSkip},
      {summary.inconclusive, Verdict::kInconclusive},
      {summary.expected_fail, Verdict::kExpectedFail},
  };
  for (const auto& [count, verdict] : others) {
    if (count != 0)
      out.append(", ").append(std::to_string(count)).append(" ").append(name_of(verdict));
  }
  return out;
}

}  // namespace plumbline::reports
