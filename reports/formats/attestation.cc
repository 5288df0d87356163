#include <string>
#include <string_view>
#include <utility>

#include "reports/answers/answers.h"
#include "reports/answers/headline.h"
#include "reports/beside.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr const char* kStatement = "https://in-toto.io/Statement/v1";
constexpr const char* kPredicate = "urn:plumbline:conformance:1";

Json with_digest(Json facts) {
  const std::string sum = string_or(facts, "sha256", "");
  facts.erase("sha256");
  if (!sum.empty()) facts["digest"] = {{"sha256", sum}};
  return facts;
}

// subjects_of returns what was judged, as a ResourceDescriptor each.
Json subjects_of(const Json& attested) {
  Json subjects = Json::array();
  const Json* const given = find(attested, "subjects");
  if (given == nullptr || !given->is_array()) return subjects;
  for (const Json& each : *given) {
    Json subject = with_digest(each);
    const std::string package = string_or(subject, "package", "");
    if (!package.empty()) subject["uri"] = package;
    subject.erase("package");
    subject["annotations"] = {{"digest_of", string_or(subject, "digest_of", "")}};
    subject.erase("digest_of");
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

// checks_of returns every check that told something.
Json checks_of(const Report& report) {
  Json checks = Json::array();
  for (const CheckResult& result : report.results) {
    if (result.verdict == Verdict::kSkip) continue;
    Json check = {{"id", result.id},
                  {"level", result.level},
                  {"revision", result.revision},
                  {"transport", result.transport},
                  {"verdict", name_of(result.verdict)}};
    if (!result.server.empty()) check["server"] = result.server;
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace

std::string write_attestation(const Report& report) {
  const Json* const found = find(report.target, kAttested);
  const Json attested = found == nullptr ? Json::object() : *found;
  const Json* const by = find(attested, "by");
  const Json* const rules = find(attested, "rules");
  const Json* const judged = find(report.target, kJudged);
  const Answers answers = answers_of(report);
  Json predicate = {{"by", by == nullptr ? Json::object() : with_digest(*by)},
                    {"rules", rules == nullptr ? Json::object() : with_digest(*rules)},
                    {"command", report.command},
                    {"judged", judged == nullptr ? Json::array() : *judged},
                    {"verdict", name_of(overall_verdict(report))},
                    {"conformance", conformance_json(answers.conformance)},
                    {"to_mend", mending_json(answers)},
                    {"checks", checks_of(report)}};
  const Json statement = {{"_type", kStatement},
                          {"subject", subjects_of(attested)},
                          {"predicateType", kPredicate},
                          {"predicate", std::move(predicate)}};
  return safe_json(pretty_json(statement) + "\n");
}

}  // namespace plumbline::reports
