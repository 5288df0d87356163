#include "reports/answers/answers.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/faults.h"
#include "reports/text.h"

namespace plumbline::reports {

namespace {

// What every client meets, before what only some use.
constexpr std::array<std::string_view, 11> kMetByAll = {
    "versioning", "lifecycle", "base",  "stdio", "http",    "sse-legacy",
    "jsonrpc",    "schema",    "tools", "auth",  "security"};

bool is_must(const CheckResult& row) { return row.level.starts_with("MUST"); }

bool breaks_a_rule(const CheckResult& row) {
  return row.verdict == Verdict::kFail || (row.verdict == Verdict::kExpectedFail && is_must(row));
}

// cause_of returns the id of the broken check that brings `row` with it; its own: there is none.
const std::string& cause_of(const CheckResult& row, const Report& report) {
  return is_brought(row, report) ? row.because : row.id;
}

Whose whose_is(const CheckResult& row, const Faults& faults) {
  if (row.verdict == Verdict::kFail) return Whose::kYours;
  return faults.is_habit(row) ? Whose::kSdk : Whose::kExcused;
}

// is_newer returns whether `one` is of a newer revision; what is of none concerns all.
bool is_newer(const CheckResult& one, const CheckResult& other) {
  if (one.revision.empty() || other.revision.empty()) {
    return one.revision.empty() && !other.revision.empty();
  }
  return one.revision > other.revision;
}

std::size_t rank_of(const CheckResult& row) {
  const auto at = std::ranges::find(kMetByAll, std::string_view(row.area));
  return static_cast<std::size_t>(at - kMetByAll.begin());
}

bool is_heavier(const Finding& one, const Finding& other) {
  if (one.whose != other.whose) return one.whose < other.whose;
  const CheckResult& first = *one.result;
  const CheckResult& second = *other.result;
  if (first.revision != second.revision) return is_newer(first, second);
  if (rank_of(first) != rank_of(second)) return rank_of(first) < rank_of(second);
  return &first < &second;  // As they stand in the report.
}

// Findings collects rows into findings.
class Findings {
 public:
  void add(const CheckResult& row, const std::string& cause, Whose whose) {
    const auto [at, fresh] = places_.try_emplace({row.server, cause, whose}, all_.size());
    if (fresh) all_.push_back({whose, &row, {}, {}});
    Finding& finding = all_[at->second];
    if (row.id != cause) {
      finding.followers.push_back(&row);
      return;
    }
    if (finding.variants.empty() || is_newer(row, *finding.result)) finding.result = &row;
    finding.variants.push_back(&row);
  }

  std::vector<Finding> take() {
    std::ranges::sort(all_, is_heavier);
    return std::move(all_);
  }

 private:
  std::vector<Finding> all_;
  std::map<std::tuple<std::string_view, std::string_view, Whose>, std::size_t> places_;
};

void add_to(Conformance& conformance, std::set<std::string>& broken, const CheckResult& row) {
  const bool told = row.verdict == Verdict::kPass || row.verdict == Verdict::kWarn;
  if (!is_must(row) || (!told && !breaks_a_rule(row))) return;
  ++conformance.musts;
  if (told) ++conformance.held;
  if (!told && !row.revision.empty()) broken.insert(row.revision);
}

}  // namespace

bool is_brought(const CheckResult& row, const Report& report) {
  if (row.because.empty()) return false;
  const auto is_cause = [&row](const CheckResult& other) {
    return other.id == row.because && other.server == row.server;
  };
  const auto is_here = [&](const CheckResult& other) {
    return is_cause(other) && other.revision == row.revision;
  };
  // Of a revision that wasn't judged whole, the cause is one of another.
  const bool here = std::ranges::any_of(report.results, is_here);
  return std::ranges::any_of(report.results, [&](const CheckResult& other) {
    const bool weighs =
        breaks_a_rule(other) || (row.verdict == Verdict::kWarn && other.verdict == Verdict::kWarn);
    return weighs && (here ? is_here(other) : is_cause(other));
  });
}

std::int64_t Answers::count(Whose whose) const {
  return std::ranges::count(findings, whose, &Finding::whose);
}

Answers answers_of(const Report& report) {
  Answers answers;
  const Faults faults(report);
  Findings findings;
  std::set<std::string> broken;
  std::set<std::string> revisions;
  std::set<std::string> sdks;
  std::set<std::pair<std::string_view, std::string_view>> kinds;
  for (const CheckResult& row : report.results) {
    if (row.verdict != Verdict::kSkip && !row.revision.empty()) revisions.insert(row.revision);
    add_to(answers.conformance, broken, row);
    const bool warned =
        row.verdict == Verdict::kWarn && !faults.is_habit(row) && !is_brought(row, report);
    if (warned && kinds.emplace(row.server, row.id).second) ++answers.warnings;
    if (!breaks_a_rule(row)) continue;
    const Whose whose = whose_is(row, faults);
    findings.add(row, cause_of(row, report), whose);
    if (whose == Whose::kSdk) sdks.insert(faults.sdk_of(row)->name);
  }
  answers.findings = findings.take();
  answers.conformance.revisions.assign(revisions.begin(), revisions.end());
  answers.conformance.broken_in.assign(broken.begin(), broken.end());
  answers.sdks.assign(sdks.begin(), sdks.end());
  return answers;
}

std::string mending_text(const Answers& answers) {
  const std::int64_t yours = answers.count(Whose::kYours);
  const std::int64_t of_sdk = answers.count(Whose::kSdk);
  const std::int64_t excused = answers.count(Whose::kExcused);
  const std::string_view nothing = answers.warnings != 0 ? "no failure" : "nothing";
  std::string text =
      yours == 0 ? std::string(nothing) + (of_sdk + excused == 0 ? " to mend" : " is yours to mend")
      : yours == 1 ? "1 failure is yours to mend"
                   : std::to_string(yours) + " failures are yours to mend";
  if (of_sdk != 0) text += ", " + std::to_string(of_sdk) + " from " + list_of(answers.sdks);
  if (excused != 0) text += ", " + std::to_string(excused) + " excused";
  if (answers.warnings == 1) text += "; 1 warning";
  if (answers.warnings > 1) text += "; " + std::to_string(answers.warnings) + " warnings";
  return text;
}

std::string conformance_text(const Conformance& conformance) {
  const std::string all = std::to_string(conformance.musts);
  if (conformance.musts == 0) return "no MUST was judged";
  if (conformance.held == conformance.musts) {
    return conformance.musts == 1 ? "the one MUST holds" : "all " + all + " MUSTs hold";
  }
  std::string text = std::to_string(conformance.held) + " of " + all + " MUSTs hold";
  if (conformance.broken_in.empty()) return text;
  const std::string_view in =
      conformance.broken_in.size() == 1 ? ", broken in revision " : ", broken in revisions ";
  text += std::string(in) + list_of(conformance.broken_in);
  return text;
}

Json conformance_json(const Conformance& conformance) {
  Json shown(Json::value_t::object);
  shown["musts"] = conformance.musts;
  shown["held"] = conformance.held;
  shown["revisions"] = conformance.revisions;
  shown["broken_in"] = conformance.broken_in;
  return shown;
}

Json mending_json(const Answers& answers) {
  Json shown(Json::value_t::object);
  shown["yours"] = answers.count(Whose::kYours);
  shown["sdk"] = answers.count(Whose::kSdk);
  shown["excused"] = answers.count(Whose::kExcused);
  return shown;
}

}  // namespace plumbline::reports
