#include <string>
#include <string_view>

#include "reports/answers/answers.h"
#include "reports/beside.h"
#include "reports/json_object.h"
#include "reports/sweep_json.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr int kFormatVersion = 1;  // docs/report.schema.json

void append_evidence(std::string& out, const std::vector<Evidence>& evidence) {
  out += '[';
  for (const Evidence& line : evidence) {
    if (&line != evidence.data()) out += ", ";
    JsonObject object(out, "{", ", ");
    object.raw("at_ms", std::to_string(line.at_ms));
    object.text("dir", line.direction);
    object.raw("message", dump_json(line.message));
    if (line.judged) object.raw("judged", "true");
    out += '}';
  }
  out += ']';
}

void append_result(std::string& out, const CheckResult& result, const Faults& faults) {
  JsonObject object(out, "{", ", ");
  object.text("id", result.id);
  if (!result.server.empty()) object.text("server", result.server);
  object.text("verdict", std::string(name_of(result.verdict)));
  object.text("level", result.level);
  object.text("area", result.area);
  object.text("revision", result.revision);
  object.text("transport", result.transport);
  object.text("title", result.title);
  object.text("message", result.message);
  if (!result.because.empty()) object.text("because", result.because);
  const std::string_view whose = faults.word_for(result);
  if (!whose.empty()) object.text("fault", std::string(whose));
  const std::string_view fix = faults.fix_for(result);
  if (!fix.empty()) object.text("fix", std::string(fix));
  object.text("spec", result.spec);
  object.key("evidence");
  append_evidence(out, result.evidence);
  object.text("reproduce", result.reproduce);
  object.raw("duration_ms", decimal(result.duration_ms, 3));
  if (result.observed != 0) object.raw("observed", std::to_string(result.observed));
  if (!result.outcome.is_null()) object.raw("outcome", dump_json(result.outcome));
  out += '}';
}

void append_summary(std::string& out, const Summary& summary) {
  JsonObject object(out, "{", ", ");
  object.raw("pass", std::to_string(summary.pass));
  object.raw("fail", std::to_string(summary.fail));
  object.raw("warn", std::to_string(summary.warn));
  object.raw("skip", std::to_string(summary.skip));
  object.raw("inconclusive", std::to_string(summary.inconclusive));
  object.raw("xfail", std::to_string(summary.expected_fail));
  if (summary.follow != 0) object.raw("follow", std::to_string(summary.follow));
  out += '}';
}

}  // namespace

std::string write_json(const Report& report) {
  std::string out;
  JsonObject object(out, "{\n  ", ",\n  ");
  object.text("plumbline", report.version);
  object.raw("report", std::to_string(kFormatVersion));
  object.text("command", report.command);
  Json target = report.target;
  for (const char* const beside : kBeside) {
    if (target.is_object()) target.erase(beside);
  }
  object.raw("target", dump_json(target));
  object.text("revision", report.revision);
  object.raw("seed", std::to_string(report.seed));
  object.text("started", report.started);
  object.raw("duration_ms", decimal(report.duration_ms, 3));
  for (const char* const beside : kBeside) {
    if (const Json* const facts = find(report.target, beside)) {
      object.raw(beside, dump_json(*facts));
    }
  }
  object.key("summary");
  append_summary(out, summarize(report));
  if (report.command.starts_with("check")) {
    const Answers answers = answers_of(report);
    object.raw("conformance", dump_json(conformance_json(answers.conformance)));
    object.raw("to_mend", dump_json(mending_json(answers)));
  }
  if (report.sweep) {
    object.key("sweep");
    append_sweep(out, *report.sweep);
  }
  object.key("results");
  out += '[';
  const Faults faults(report);
  for (const CheckResult& result : report.results) {
    out += &result == report.results.data() ? "\n    " : ",\n    ";
    append_result(out, result, faults);
  }
  return safe_json(out + (report.results.empty() ? "]\n}\n" : "\n  ]\n}\n"));
}

}  // namespace plumbline::reports
