#include "reports/read_report.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/json/json.h"
#include "reports/beside.h"
#include "reports/sweep_json.h"

namespace plumbline::reports {
namespace {

Error not_a_report(std::string message) {
  return Error{ErrorCode::kInvalidInput, std::move(message)};
}

std::optional<Verdict> verdict_of(std::string_view name) {
  constexpr std::array kAll = {Verdict::kPass, Verdict::kFail,         Verdict::kWarn,
                               Verdict::kSkip, Verdict::kInconclusive, Verdict::kExpectedFail};
  for (const Verdict verdict : kAll) {
    if (name_of(verdict) == name) return verdict;
  }
  return std::nullopt;
}

double milliseconds_of(const Json& object) {
  const Json* const value = find(object, "duration_ms");
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

std::vector<Evidence> evidence_of(const Json& json) {
  std::vector<Evidence> evidence;
  const Json* const lines = find(json, "evidence");
  if (lines == nullptr || !lines->is_array()) return evidence;
  for (const Json& line : *lines) {
    const Json* const message = find(line, "message");
    evidence.push_back({int_or(line, "at_ms", 0), string_or(line, "dir", "--"),
                        message == nullptr ? Json() : *message, bool_or(line, "judged", false)});
  }
  return evidence;
}

Result<CheckResult> read_result(const Json& json) {
  CheckResult result;
  result.id = string_or(json, "id", "");
  if (result.id.empty()) return not_a_report("\"id\": expected a string");
  const std::optional<Verdict> verdict = verdict_of(string_or(json, "verdict", ""));
  if (!verdict) return not_a_report("\"verdict\": expected pass, fail, warn, skip ...");
  result.verdict = *verdict;
  const std::pair<const char*, std::string*> texts[] = {
      {"server", &result.server},       {"level", &result.level}, {"area", &result.area},
      {"revision", &result.revision},   {"title", &result.title}, {"message", &result.message},
      {"transport", &result.transport}, {"spec", &result.spec},   {"reproduce", &result.reproduce},
      {"because", &result.because}};
  for (const auto& [key, text] : texts) *text = string_or(json, key, "");
  result.evidence = evidence_of(json);
  result.duration_ms = milliseconds_of(json);
  result.observed = int_or(json, "observed", 0);
  if (const Json* const outcome = find(json, "outcome")) result.outcome = *outcome;
  return result;
}

}  // namespace

Result<Report> read_report(std::string_view text) {
  const Result<Json> parsed = parse_json(text, {.bytes_max = limits::kFileBytesMax});
  if (!parsed.ok()) return parsed.error();
  const Json& json = parsed.value();
  if (find(json, "sweep") != nullptr) return read_sweep_report(text);
  const Json* const results = find(json, "results");
  if (!find_string(json, "plumbline") || results == nullptr || !results->is_array()) {
    return the_error("report.not-ours", "");
  }
  Report report;
  report.version = string_or(json, "plumbline", "");
  report.command = string_or(json, "command", "");
  report.revision = string_or(json, "revision", "");
  report.started = string_or(json, "started", "");
  report.duration_ms = milliseconds_of(json);
  if (const Json* const target = find(json, "target")) report.target = *target;
  for (const char* const beside : kBeside) {
    const Json* const facts = find(json, beside);
    if (facts != nullptr && report.target.is_object()) report.target[beside] = *facts;
  }
  const Json* const seed = find(json, "seed");
  if (seed != nullptr && seed->is_number_unsigned()) report.seed = seed->get<std::uint64_t>();
  for (const Json& row : *results) {
    Result<CheckResult> result = read_result(row);
    if (!result.ok()) {
      return not_a_report("result " + std::to_string(report.results.size() + 1) + ": " +
                          result.error().message);
    }
    report.results.push_back(std::move(result).value());
  }
  return report;
}

}  // namespace plumbline::reports
