#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/words/joined_by.h"
#include "reports/answers/exchange.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/answers/judged.h"
#include "reports/effort.h"
#include "reports/formats/console_text.h"
#include "reports/report_text.h"
#include "reports/spec_link.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kAreaColumnsMax = 32;
constexpr std::size_t kCheckColumnsMax = 44;
constexpr std::array kWorstFirst = {Verdict::kFail, Verdict::kInconclusive, Verdict::kExpectedFail,
                                    Verdict::kWarn};
constexpr std::size_t kLabelColumns = 10;

// Outcome is one thing to look at: the same outcome of the same check in several variants is one.
struct Outcome {
  const CheckResult* result;  // The first of them.
  std::vector<std::string> variants;
};

std::vector<Outcome> outcomes_of(const Area& area, Verdict verdict, std::string_view known) {
  std::vector<Outcome> findings;
  for (const CheckResult* const result : area.results) {
    if (result->verdict != verdict) continue;
    auto same = std::ranges::find_if(findings, [result](const Outcome& finding) {
      return finding.result->id == result->id && finding.result->message == result->message;
    });
    if (same == findings.end()) same = findings.insert(same, Outcome{result, {}});
    const std::string variant = variant_of(*result, known);
    if (!variant.empty()) same->variants.push_back(variant);
  }
  return findings;
}

Summary summary_of(const Area& area) {
  Report report;
  for (const CheckResult* const result : area.results) {
    report.results.emplace_back().verdict = result->verdict;
  }
  return summarize(report);
}

class ChecksConsole {
 public:
  ChecksConsole(const Report& report, const ConsoleOptions& options)
      : report_(report),
        options_(options),
        areas_(by_area(report)),
        explanations_(report),
        faults_(explanations_.faults()),
        text_(options) {
    for (const CheckResult& result : report.results) {
      id_columns_ = std::max(id_columns_, width_of(one_line(result.id)));
    }
    id_columns_ = std::min({id_columns_, kCheckColumnsMax, text_.columns() / 2});
  }

  std::string write() {
    text_.heading(report_);
    for (const Judged& judged : judged_in(report_)) {
      const std::string who = naming_of(judged);
      if (!who.empty()) text_.lines("", "judged " + who + "\n");
    }
    for (const Verdict verdict : kWorstFirst) {
      findings(verdict, false);
      findings(verdict, true);
    }
    if (!options_.quiet) overview();
    sdks();
    summary();
    return text_.take();
  }

 private:
  // findings shows what has this verdict: what is the SDK's doing, or everything else.
  void findings(Verdict verdict, bool of_sdk) {
    // Warnings that every server on the SDK gets are told once, below.
    if (of_sdk && verdict == Verdict::kWarn && !options_.verbose) return;
    bool any = false;
    for (const Area& area : areas_) {
      for (const Outcome& finding : outcomes_of(area, verdict, report_.revision)) {
        const bool follows = !options_.verbose && !finding.result->because.empty();
        if (follows || faults_.is_habit(*finding.result) != of_sdk) continue;
        show(finding);
        any = true;
      }
    }
    if (any && verdict == Verdict::kWarn && !options_.verbose) text_.add("\n");
  }

  // sdks tells with what was recognised to be built, and which warnings come with that.
  void sdks() {
    for (const BuiltWith& sdk : faults_.sdks()) {
      std::set<std::string> ids;
      for (const CheckResult& row : report_.results) {
        const bool constant = row.verdict == Verdict::kWarn && row.server == sdk.server;
        if (constant && faults_.is_habit(row)) ids.insert(one_line(row.id));
      }
      std::string line = "built with " + sdk.name + " (habits seen in " + sdk.seen + ")";
      if (!sdk.server.empty()) line = sdk.server + ": " + line;
      if (options_.verbose) line += ", known by " + joined_by("; ", sdk.signs);
      if (!ids.empty()) {
        line += "; every server on it gets these warnings" +
                std::string(options_.verbose ? "" : ", told here once") + ": " +
                joined_by(", ", ids);
      }
      text_.lines("", one_line(line));
      text_.add("\n");
    }
  }

  // overview writes a line an area: what came out, in numbers; verbose, what did not fail as well.
  void overview() {
    std::size_t columns = 0;
    for (const Area& area : areas_) columns = std::max(columns, width_of(one_line(area.name)));
    columns = std::min(columns, kAreaColumnsMax);
    for (const Area& area : areas_) {
      const Summary counts = summary_of(area);
      text_.add(text_.paint(kBold, pad(one_line(area.name), columns)) + "  ");
      text_.add(text_.paint(color_of(overall_verdict(counts)), counts_text(counts)) + "\n");
      if (options_.verbose) rows(area);
    }
    if (!areas_.empty()) text_.add("\n");
  }

  // counts_text leaves out whatever there is none of.
  static std::string counts_text(const Summary& counts) {
    std::string out;
    const std::pair<std::int64_t, Verdict> all[] = {
        {counts.fail, Verdict::kFail}, {counts.inconclusive, Verdict::kInconclusive},
        {counts.warn, Verdict::kWarn}, {counts.expected_fail, Verdict::kExpectedFail},
        {counts.pass, Verdict::kPass}, {counts.skip, Verdict::kSkip}};
    for (const auto& [count, verdict] : all) {
      if (count == 0) continue;
      out += (out.empty() ? "" : ", ") + std::to_string(count) + " ";
      out += name_of(verdict);
    }
    return out;
  }

  // rows lists what the findings below do not: what passed, was skipped or was meant to fail.
  void rows(const Area& area) {
    for (const CheckResult* const result : area.results) {
      if (deserves_a_look(*result)) continue;
      const std::string mark(label(result->verdict));
      std::string line = pad(one_line(result->id), id_columns_);
      const std::string variant = variant_of(*result, report_.revision);
      line += "  " + (variant.empty() ? "" : variant + "  ") + row_text(*result);
      text_.add("  " + text_.paint(color_of(result->verdict), pad(mark, 5)) + "  ");
      text_.add(clip(line, text_.columns() - 9) + "\n");
    }
  }

  void show(const Outcome& finding) {
    const CheckResult& result = *finding.result;
    const std::string mark(label(result.verdict));
    std::string name = one_line(result.id);
    std::string variants;
    for (const std::string& variant : finding.variants) {
      variants += (variants.empty() ? "" : ", ") + variant;
    }
    const std::size_t left = text_.columns() - mark.size() - 1;
    name = clip(name, left);
    if (width_of(name) + 4 < left && !variants.empty()) {
      variants = "  " + clip(variants, left - width_of(name) - 2);
    } else {
      variants.clear();
    }
    text_.add(text_.paint(color_of(result.verdict), mark) + " " + text_.paint(kBold, name));
    text_.add(text_.paint(kDim, variants) + "\n");
    if (result.verdict == Verdict::kWarn && !options_.verbose) {
      const std::string seen = result.message.empty() ? result.title : result.message;
      text_.add("  " + clip(one_line(seen), text_.columns() - 2) + "\n");
      return;
    }
    text_.lines("  ", printable(result.message.empty() ? result.title : result.message));
    const bool broken =
        result.verdict == Verdict::kFail || result.verdict == Verdict::kExpectedFail;
    if (broken) explain(result);
    const std::string followers = followers_of(result);
    if (!followers.empty()) text_.lines("  ", "and because of it: " + followers);
    if (!result.because.empty()) text_.lines("  ", "because of " + one_line(result.because));
    const std::string link = spec_link(result, report_);
    if (!link.empty()) text_.lines("  ", one_line(result.level + " " + link));
    if (options_.verbose) text_.evidence("  ", result.evidence);
    text_.reproduce("  ", result);
    text_.add("\n");
  }

  // explain tells what was sent, what came back, what was expected, why that matters, and whose
  // doing it is.
  void explain(const CheckResult& result) {
    const Exchange exchange = exchange_of(result);
    if (!exchange.sent.empty()) {
      one("sent", exchange.sent);
      one("got", exchange.got.empty() ? "nothing" : exchange.got);
    } else if (!exchange.got.empty()) {
      one("said", exchange.got);
    }
    labelled("expected", result.title);
    for (const ExplanationLine& line : explanations_.of(result)) labelled(line.label, line.text);
  }

  // one writes what is labelled in one line, cut where it is longer.
  void one(std::string_view label, std::string_view text) {
    text_.add("  " + text_.paint(kDim, pad(label, kLabelColumns)));
    text_.add(clip(one_line(text), text_.columns() - 2 - kLabelColumns) + "\n");
  }

  void labelled(std::string_view label, const std::string& text) {
    if (!text.empty()) text_.lines("  " + pad(label, kLabelColumns), one_line(text));
  }

  // followers_of lists the checks that this failure brings with it.
  std::string followers_of(const CheckResult& cause) const {
    std::string ids;
    for (const CheckResult& result : report_.results) {
      if (result.because != cause.id || result.revision != cause.revision) continue;
      if (result.verdict == Verdict::kFail) ids += (ids.empty() ? "" : ", ") + one_line(result.id);
    }
    return ids;
  }

  // summary tells how many checks applied: of those that did not, nothing is known.
  void summary() {
    const Summary counts = summarize(report_);
    const Verdict overall = overall_verdict(report_);
    std::string line = headline_of(report_);
    if (counts.warn != 0) line += "; " + std::to_string(counts.warn) + " warn";
    if (counts.skip != 0) line += "; " + std::to_string(counts.skip) + " skipped";
    if (options_.verbose) text_.lines("", effort_text(report_));
    std::int64_t observed = 0;
    for (const CheckResult& result : report_.results) observed += result.observed;
    if (observed != 0) line += "; " + std::to_string(observed) + " observations";
    text_.add(text_.paint(color_of(overall), label(overall)) + "  " + line + "; took " +
              duration_text(report_.duration_ms) + "\n");
  }

  const Report& report_;
  const ConsoleOptions& options_;
  const std::vector<Area> areas_;
  const Explanations explanations_;
  const Faults& faults_;
  ConsoleText text_;
  std::size_t id_columns_ = 1;
};

}  // namespace

std::string write_checks_console(const Report& report, const ConsoleOptions& options) {
  return ChecksConsole(report, options).write();
}

}  // namespace plumbline::reports
