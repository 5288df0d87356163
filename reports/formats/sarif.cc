#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/sha256.h"
#include "core/json/json.h"
#include "reports/answers/answers.h"
#include "reports/answers/explanation.h"
#include "reports/beside.h"
#include "reports/report_text.h"
#include "reports/spec_link.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

// The document has at most 100 KB; so much of that is for alerts and their rules.
constexpr std::size_t kAlertsBytesMax = 90'000;
constexpr std::size_t kAlertColumns = 600;

constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

// plain returns `text` for a message of SARIF, where [words](target) would be a link.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '(' && out.ends_with(']')) out += ' ';
    out += c;
  }
  return out;
}

Json message_of(std::string_view text) { return Json({{"text", plain(text)}}); }

// first_of returns the first text that is not empty: SARIF has no empty messages.
std::string_view first_of(std::string_view one, std::string_view other, std::string_view last) {
  if (!one.empty()) return one;
  return other.empty() ? last : other;
}

std::string_view level_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFail:
    case Verdict::kExpectedFail:
      return "error";
    case Verdict::kWarn:
      return "warning";
    case Verdict::kInconclusive:
      return "note";
    case Verdict::kPass:
    case Verdict::kSkip:
      return "none";
  }
  return "none";
}

// is_alert returns whether a viewer shall see the result. Code scanning makes an alert of whatever
// it is given, so what passed or was skipped is left out.
bool is_alert(const CheckResult& result) {
  return deserves_a_look(result) || result.verdict == Verdict::kExpectedFail;
}

Json rule_of(const CheckResult& result, const Report& report) {
  const std::string id = printable(result.id);
  const std::string title = plain(first_of(result.title, result.id, "unnamed"));
  const std::string link = spec_link(result, report);
  std::string help = title + "\n\n";
  if (!link.empty()) help += plain(result.level) + " of " + link + "\n";
  Json rule = {{"id", id},
               {"shortDescription", {{"text", title}}},
               {"fullDescription",
                {{"text", plain(result.level.empty() ? "" : result.level + ": ") + title}}},
               {"defaultConfiguration",
                {{"level", result.level.starts_with("SHOULD") || result.level == "MAY" ? "warning"
                                                                                       : "error"}}},
               {"properties", {{"tags", Json::array({"mcp"})}}}};
  if (!result.area.empty()) rule["properties"]["tags"].push_back(printable(result.area));
  rule["help"]["text"] = help + "plumbline explain " + id;
  std::string markdown = title + "\n\n";
  if (!link.empty())
    markdown += "[" + plain(result.level) + " of the specification](" + link + ")\n\n";
  rule["help"]["markdown"] = markdown + "`plumbline explain` tells more about this id.";
  if (!link.empty()) rule["helpUri"] = link;
  return rule;
}

std::string fingerprint_of(const CheckResult& result) {
  Sha256 hash;
  hash.update(result.id + "\n" + result.revision + "\n" + result.transport);
  if (!result.server.empty()) hash.update("\n" + result.server);
  return hash.finish_hex().substr(0, 16);
}

// artifact_of returns the file that an alert is shown at, as a URI below the root of the tree: the
// one that the report names, the configuration that names the subject, or a name for what is none.
std::string artifact_of(const Report& report) {
  std::string file = string_or(report.target, kShownAt, "");
  if (file.empty()) file = string_or(report.target, "config", "");
  const bool inside = !file.empty() && !file.starts_with('/') && file.find("..") != 0;
  std::string out;
  for (const char c : inside ? file : std::string("mcp-subject")) {
    const bool odd = std::string_view("\"%<>[\\]^`{|}#?:").find(c) != std::string_view::npos;
    out += odd || c <= ' ' || c > '~' ? '_' : c;
  }
  return out;
}

Json location_of(const CheckResult& result, const Report& report) {
  Json physical = {{"artifactLocation", {{"uri", artifact_of(report)}}},
                   {"region", {{"startLine", 1}}}};
  const std::string variant = variant_of(result);
  Json logical = {
      {"name", printable(result.id)},
      {"fullyQualifiedName", printable(result.id) + (variant.empty() ? "" : " [" + variant + "]")},
      {"kind", "member"}};
  return Json({{"physicalLocation", physical}, {"logicalLocations", Json::array({logical})}});
}

std::string text_of(const CheckResult& result, const Explanations& explanations) {
  std::string text = result.verdict == Verdict::kInconclusive ? "inconclusive: " : "";
  text += clip(first_of(result.message, result.title, result.id.empty() ? "no message" : result.id),
               kAlertColumns);
  const std::string variant = variant_of(result);
  if (!variant.empty()) text += "\n" + variant;
  if (!result.because.empty()) text += "\nbecause of " + result.because;
  for (const ExplanationLine& line : explanations.of(result)) {
    text += "\n" + std::string(line.label) + ": " + line.text;
  }
  if (!result.reproduce.empty() && result.reproduce.size() <= kAlertColumns) {
    text += "\nreproduce: " + result.reproduce;
  }
  return text;
}

// add_fault says whose the result is, why it matters, and what can be done, where that is known.
void add_fault(Json& alert, const CheckResult& result, const Explanations& explanations) {
  const Faults& faults = explanations.faults();
  const std::string_view whose = faults.word_for(result);
  if (!whose.empty()) {
    alert["properties"]["fault"] = whose;
    alert["properties"]["sdk"] = printable(faults.sdk_of(result)->name);
  }
  for (const ExplanationLine& line : explanations.of(result)) {
    alert["properties"][std::string(line.label)] = printable(line.text);
  }
}

// excuse_of says why nobody has to look at `result`; empty: somebody has.
std::string excuse_of(const CheckResult& result, const Faults& faults) {
  if (result.verdict == Verdict::kExpectedFail) return clip(result.message, kAlertColumns);
  if (result.verdict != Verdict::kWarn || !faults.is_habit(result)) return "";
  return "every server on " + faults.sdk_of(result)->name + " gets this warning";
}

Json alert_of(const CheckResult& result, const Report& report, std::size_t rule,
              const Explanations& explanations) {
  const std::string fingerprint = fingerprint_of(result);
  Json alert = {{"ruleId", printable(result.id)},
                {"ruleIndex", rule},
                {"level", level_of(result.verdict)},
                {"message", message_of(text_of(result, explanations))},
                {"locations", Json::array({location_of(result, report)})},
                {"partialFingerprints",
                 {{"plumbline/v1", fingerprint}, {"primaryLocationLineHash", fingerprint + ":1"}}}};
  if (const std::string excuse = excuse_of(result, explanations.faults()); !excuse.empty()) {
    alert["suppressions"] = Json::array(
        {{{"kind", "external"}, {"status", "accepted"}, {"justification", plain(excuse)}}});
  }
  return alert;
}

// alerts_of returns what a viewer shall see, the worst first: a long list is cut.
std::vector<const CheckResult*> alerts_of(const Report& report) {
  std::vector<const CheckResult*> alerts;
  for (const CheckResult& result : report.results) {
    if (is_alert(result)) alerts.push_back(&result);
  }
  constexpr std::array kWorstFirst = {Verdict::kFail, Verdict::kInconclusive, Verdict::kWarn,
                                      Verdict::kExpectedFail};
  const auto place = [&kWorstFirst](const CheckResult* result) {
    return std::pair(std::ranges::find(kWorstFirst, result->verdict) - kWorstFirst.begin(), result);
  };
  std::ranges::sort(alerts, {}, place);
  return alerts;
}

// size_of returns what `part` takes in the document, where it stands four levels in.
std::size_t size_of(const Json& part) {
  const std::string text = pretty_json(part);
  constexpr std::size_t kIndent = 12;
  return text.size() + kIndent * (1 + static_cast<std::size_t>(std::ranges::count(text, '\n')));
}

// add_answers adds both answers, and who was judged.
void add_answers(Json& run, const Report& report) {
  if (!report.command.starts_with("check")) return;
  const Answers answers = answers_of(report);
  run["properties"]["conformance"] = conformance_json(answers.conformance);
  run["properties"]["to_mend"] = mending_json(answers);
}

}  // namespace

std::string write_sarif(const Report& report) {
  Json rules = Json::array();
  Json alerts = Json::array();
  const Explanations explanations(report);
  std::map<std::string, std::size_t> index;
  std::size_t bytes = 0;
  std::size_t left_out = 0;
  for (const CheckResult* const result : alerts_of(report)) {
    const auto [rule, added] = index.emplace(printable(result->id), rules.size());
    Json about = added ? rule_of(*result, report) : Json();
    Json alert = alert_of(*result, report, rule->second, explanations);
    add_fault(alert, *result, explanations);
    bytes += size_of(alert) + (added ? size_of(about) : 0);
    if (bytes > kAlertsBytesMax) {
      if (added) index.erase(rule);
      ++left_out;
      continue;
    }
    if (added) rules.push_back(std::move(about));
    alerts.push_back(std::move(alert));
  }
  Json driver = {{"name", "plumbline"}, {"rules", rules}};
  if (!report.version.empty()) driver["version"] = printable(report.version);
  Json run = {{"tool", {{"driver", driver}}},
              {"results", alerts},
              {"columnKind", "unicodeCodePoints"},
              {"automationDetails", {{"id", "plumbline/" + one_line(report.command) + "/"}}}};
  add_answers(run, report);
  if (left_out != 0) run["properties"]["left_out"] = left_out;
  const Json document = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return pretty_json(document) + "\n";
}

}  // namespace plumbline::reports
