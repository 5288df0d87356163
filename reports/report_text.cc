#include "reports/report_text.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "reports/faults.h"
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

namespace {

// follows returns whether the failure that brings `row` with it is in the report.
bool follows(const CheckResult& row, const Report& report) {
  return !row.because.empty() && std::ranges::any_of(report.results, [&](const CheckResult& other) {
    return other.id == row.because && other.verdict == Verdict::kFail &&
           other.revision == row.revision && other.server == row.server;
  });
}

// whose says how many of the failures are the server's own and how many those of its SDK, where
// that is known of each; else nothing.
std::string whose(const Report& report) {
  const Faults faults(report);
  std::int64_t own = 0;
  std::int64_t of_sdk = 0;
  std::int64_t unknown = 0;
  std::set<std::string> names;
  for (const CheckResult& row : report.results) {
    if (row.verdict != Verdict::kFail || follows(row, report)) continue;
    const BuiltWith* const sdk = faults.sdk_of(row);
    if (sdk == nullptr) return "";
    const std::string_view word = faults.word_for(row);
    ++(word == "sdk" ? of_sdk : word == "own" ? own : unknown);
    names.insert(one_line(sdk->name));
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return ": " + std::to_string(own) + " of your own, " + std::to_string(of_sdk) + " of " + list +
         (unknown == 0 ? "" : ", " + std::to_string(unknown) + " of which nobody knows");
}

// only_for_older says for clients of which revisions alone something fails, where the newest that
// was judged has no failure; else nothing.
std::string only_for_older(const Report& report) {
  if (!is_fine_for_newest(report)) return "";
  std::set<std::string> failing;
  for (const CheckResult& result : report.results) {
    if (result.verdict == Verdict::kFail) failing.insert(result.revision);
  }
  std::string names;
  for (const std::string& revision : failing) names += (names.empty() ? "" : ", ") + revision;
  return ", only for clients of " + names;
}

}  // namespace

bool is_fine_for_newest(const Report& report) {
  std::string newest;
  std::string newest_failing;
  for (const CheckResult& result : report.results) {
    if (result.verdict == Verdict::kSkip) continue;
    if (result.revision.empty() && result.verdict == Verdict::kFail) return false;
    newest = std::max(newest, result.revision);
    if (result.verdict == Verdict::kFail)
      newest_failing = std::max(newest_failing, result.revision);
  }
  return newest_failing < newest || newest_failing.empty();
}

std::string headline_of(const Report& report) {
  const Summary summary = summarize(report);
  const std::int64_t judged = applicable(summary);
  if (judged == 0) {
    return std::string(report.results.empty() ? "Nothing ran" : "Nothing applies") +
           ", so nothing is known";
  }
  const std::string one = is_live(report) ? "applicable check" : "scenario";
  const std::string both = report.command == "demo" ? " and checks" : "";
  const std::string all = std::to_string(judged) + " " + one + (judged == 1 ? "" : "s" + both);
  const auto of_all = [&all](std::int64_t count, std::string_view what) {
    return std::to_string(count) + " of " + all + " " + std::string(what);
  };
  if (summary.fail != 0) {
    const std::int64_t causes = summary.fail - summary.follow;
    std::string text = of_all(causes, causes == 1 ? "fails" : "fail");
    if (summary.follow != 0) {
      text += ", " + std::to_string(summary.follow) + " more because of ";
      text += causes == 1 ? "it" : "them";
    }
    return text + whose(report) + only_for_older(report);
  }
  if (summary.inconclusive != 0) return of_all(summary.inconclusive, "cannot tell");
  if (summary.pass != judged) return "None of " + all + " fails";
  return judged == 1 ? "The one " + one + " passes" : "All " + all + " pass";
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
