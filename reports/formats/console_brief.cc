// What a person reads of checks within one screen: the verdict, each finding in at most four lines,
// the heaviest first, and both answers (answers.h) at the end.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/answers/answers.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/answers/judged.h"
#include "reports/formats/console_text.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kTold = 10;       // Findings; of the others there are the ids.
constexpr std::size_t kLinesBelow = 3;  // The heading of a finding.
constexpr std::size_t kScreen = 24;
constexpr std::size_t kLinesAFinding = 5;  // With the empty one behind it.
constexpr std::size_t kLinesAround = 8;    // The verdict, the SDK, where there is more, the end.

// Part is one thing that is told of a finding, in as many lines as are left for it.
struct Part {
  std::string_view label;
  std::string text;
};

class BriefConsole {
 public:
  BriefConsole(const Report& report, const ConsoleOptions& options)
      : report_(report),
        options_(options),
        answers_(answers_of(report)),
        explanations_(report),
        faults_(explanations_.faults()),
        text_(options) {}

  std::string write() {
    heading();
    findings();
    inconclusive();
    if (!options_.quiet) {
      warnings();
      sdks();
      next();
    }
    ending();
    return text_.take();
  }

 private:
  // heading writes the verdict, and of whom it is.
  void heading() {
    const Verdict overall = overall_verdict(report_);
    std::string who;
    for (const Judged& judged : judged_in(report_)) {
      const std::string text = naming_of(judged);
      if (!text.empty()) who += (who.empty() ? "" : "; ") + text;
    }
    if (who.empty()) who = subject_of(report_);
    who = report_.command + (who.empty() ? "" : ": " + who);
    const std::string_view mark = label(overall);
    text_.add(text_.paint(color_of(overall), mark) + "  ");
    text_.add(text_.paint(kBold, clip(one_line(who), text_.columns() - mark.size() - 2)) + "\n\n");
  }

  void findings() {
    std::size_t told = 0;
    std::vector<std::string> others;
    for (const Finding& finding : answers_.findings) {
      if (finding.whose != Whose::kYours) continue;
      if (++told <= kTold) {
        show(finding);
      } else {
        others.push_back(finding.result->id);
      }
    }
    if (others.empty()) return;
    text_.lines("", "and " + counted(others.size(), "more failure") + ": " + list_of(others));
    text_.add("\n");
  }

  void show(const Finding& finding) {
    const CheckResult& result = *finding.result;
    title(result, where_of(finding));
    const Observation seen = observation_of(result);
    const std::string mend = explanations_.mend_of(result);
    std::vector<Part> parts = {{"", seen.seen}};
    if (!seen.expected.empty()) parts.push_back({"expected: ", seen.expected});
    if (!mend.empty()) parts.push_back({"mend: ", one_line(mend)});
    if (!result.title.empty()) parts.push_back({"rule: ", one_line(result.title)});
    // What was seen is told in two lines before the rule is, of which explain tells.
    const bool is_long = wrap(seen.seen, text_.columns() - 2).size() > 1;
    const std::size_t parts_max = is_long ? kLinesBelow - 1 : kLinesBelow;
    if (parts.size() > parts_max && parts_max == 2 && !mend.empty() && !seen.expected.empty()) {
      parts.erase(parts.begin() + 1);
    }
    if (parts.size() > parts_max) parts.resize(parts_max);
    tell(parts);
    text_.add("\n");
  }

  void title(const CheckResult& result, const std::string& where) {
    const std::string_view mark = label(result.verdict);
    const std::size_t left = text_.columns() - mark.size() - 1;
    const std::string id = clip(one_line(result.id), left);
    text_.add(text_.paint(color_of(result.verdict), mark) + " " + text_.paint(kBold, id));
    if (!where.empty() && width_of(id) + 4 < left) {
      text_.add(text_.paint(kDim, "  " + clip(where, left - width_of(id) - 2)));
    }
    text_.add("\n");
  }

  // where_of says in what a finding shows itself, newest revision first, and what it brings along.
  static std::string where_of(const Finding& finding) {
    std::set<std::string, std::greater<>> revisions;
    std::set<std::string> transports;
    for (const CheckResult* const row : finding.variants) {
      if (!row->revision.empty()) revisions.insert(row->revision);
      if (!row->transport.empty()) transports.insert(row->transport);
    }
    std::string text = list_of(revisions);
    if (const std::string& server = finding.result->server; !server.empty()) {
      text = one_line(server) + (text.empty() ? "" : " ") + text;
    }
    if (transports.size() > 1) text += (text.empty() ? "" : " over ") + list_of(transports);
    if (!finding.followers.empty()) {
      std::set<std::string> ids;
      for (const CheckResult* const row : finding.followers) ids.insert(row->id);
      text += (text.empty() ? "" : "; ") + ("so also " + list_of(ids));
    }
    return text;
  }

  // tell writes a line of each part, and more of the first ones while there are lines left.
  void tell(const std::vector<Part>& parts) {
    std::size_t spare = kLinesBelow - std::min(kLinesBelow, parts.size());
    for (const Part& part : parts) {
      const std::string indent = "  " + std::string(part.label);
      std::vector<std::string> lines = wrap(part.text, text_.columns() - indent.size());
      const std::size_t shown = std::min(lines.size(), 1 + spare);
      spare -= shown - 1;
      if (shown < lines.size()) cut(lines, shown, text_.columns() - indent.size());
      for (std::size_t at = 0; at < lines.size(); ++at) {
        const std::string before = at == 0 ? indent : std::string(indent.size(), ' ');
        text_.add(before + clip(lines[at], text_.columns() - indent.size()) + "\n");
      }
    }
  }

  // cut leaves the first `shown` lines, the last of them with a mark that there was more.
  static void cut(std::vector<std::string>& lines, std::size_t shown, std::size_t columns) {
    std::string& last = lines[shown - 1];
    last = clip(last + " " + lines[shown], columns);
    if (!last.ends_with("…")) last = clip(last, columns - 1) + "…";
    lines.resize(shown);
  }

  // inconclusive tells what could not be judged, a line for each cause.
  void inconclusive() {
    std::vector<std::pair<std::string_view, std::vector<std::string>>> causes;
    for (const CheckResult& row : report_.results) {
      if (row.verdict != Verdict::kInconclusive) continue;
      auto same = std::ranges::find(causes, std::string_view(row.message),
                                    &decltype(causes)::value_type::first);
      if (same == causes.end()) same = causes.insert(same, {row.message, {}});
      // In several revisions it is one check.
      if (std::ranges::find(same->second, row.id) == same->second.end()) {
        same->second.push_back(row.id);
      }
    }
    for (const auto& [message, ids] : causes) {
      const std::string name = ids.size() == 1 ? one_line(ids[0]) : counted(ids.size(), "check");
      text_.add(text_.paint(color_of(Verdict::kInconclusive), "inconclusive") + " ");
      text_.add(text_.paint(kBold, name) + "\n");
      tell({{"", one_line(message)}});
      if (ids.size() > 1) tell({{"", list_of(ids)}});
      text_.add("\n");
    }
  }

  // warnings tells of each kind once; those of an SDK stand with that.
  void warnings() {
    std::vector<const CheckResult*> kinds;
    for (const CheckResult& row : report_.results) {
      if (row.verdict != Verdict::kWarn || faults_.is_habit(row)) continue;
      const bool known = std::ranges::any_of(kinds, [&row](const CheckResult* other) {
        return other->id == row.id && other->server == row.server;
      });
      if (!known) kinds.push_back(&row);
    }
    if (kinds.empty()) return;
    std::ranges::sort(kinds, [](const CheckResult* one, const CheckResult* other) {
      return std::pair(rank_of(*one), one) < std::pair(rank_of(*other), other);
    });
    const std::size_t room = room_for_warnings();
    const std::size_t lines_each = 2 * kinds.size() <= room ? 2 : 1;
    const std::size_t told = kinds.size() <= room ? kinds.size() : room - 1;
    std::vector<std::string> others;
    for (std::size_t at = 0; at < kinds.size(); ++at) {
      const CheckResult& row = *kinds[at];
      if (at >= told) {
        others.push_back(row.id);
      } else {
        warning(row.id + ": " + (row.message.empty() ? row.title : row.message), lines_each);
      }
    }
    if (others.empty()) return;
    warning(counted(others.size(), told == 0 ? "warning" : "more warning") + ": " + list_of(others),
            1);
  }

  // rank_of has first what the specification is strictest about.
  static std::size_t rank_of(const CheckResult& row) {
    constexpr std::string_view kLevels[] = {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT"};
    return static_cast<std::size_t>(std::ranges::find(kLevels, std::string_view(row.level)) -
                                    std::begin(kLevels));
  }

  // room_for_warnings returns how many lines a screen has left for them: one at least.
  std::size_t room_for_warnings() const {
    const auto findings = static_cast<std::size_t>(answers_.count(Whose::kYours));
    const std::size_t used = kLinesAround + findings * kLinesAFinding;
    return used < kScreen ? kScreen - used : 1;
  }

  void warning(const std::string& text, std::size_t lines_max) {
    std::vector<std::string> lines = wrap(one_line(text), text_.columns() - 5);
    if (lines.size() > lines_max) cut(lines, lines_max, text_.columns() - 5);
    for (std::size_t at = 0; at < lines.size(); ++at) {
      const std::string mark = text_.paint(color_of(Verdict::kWarn), "warn") + " ";
      text_.add((at == 0 ? mark : "     ") + clip(lines[at], text_.columns() - 5) + "\n");
    }
  }

  // sdks tells in a line or two what is the doing of an SDK, and so not counted.
  void sdks() {
    for (const BuiltWith& sdk : faults_.sdks()) {
      std::set<std::string> failing;
      std::set<std::string> warned;
      for (const CheckResult& row : report_.results) {
        if (row.server != sdk.server || !faults_.is_habit(row)) continue;
        if (row.verdict == Verdict::kExpectedFail && row.because.empty()) failing.insert(row.id);
        if (row.verdict == Verdict::kWarn) warned.insert(row.id);
      }
      if (failing.empty() && warned.empty()) continue;
      std::string line = (sdk.server.empty() ? "" : sdk.server + ": ") +
                         "not counted, as every server on " + sdk.name + " does it: ";
      if (!failing.empty()) line += list_of(failing);
      if (!failing.empty() && !warned.empty()) line += " and ";
      if (!warned.empty()) line += counted(warned.size(), "warning");
      text_.lines("", one_line(line));
    }
  }

  // next says where there is more.
  void next() {
    const Summary counts = summarize(report_);
    std::string line;
    if (counts.skip != 0) {
      line = counted(static_cast<std::size_t>(counts.skip), "check") + " did not apply; ";
    }
    line += "-v shows all messages";
    const auto shown = std::ranges::find_if(report_.results, [this](const CheckResult& row) {
      return deserves_a_look(row) && !faults_.is_habit(row);
    });
    const CheckResult* const first = answers_.count(Whose::kYours) != 0
                                         ? answers_.findings.front().result
                                     : shown == report_.results.end() ? nullptr
                                                                      : &*shown;
    if (first != nullptr) line += "; plumbline explain " + one_line(first->id);
    text_.add(text_.paint(kDim, line) + "\n");
  }

  // ending writes both answers.
  void ending() {
    const Verdict overall = overall_verdict(report_);
    const std::string_view mark = label(overall);
    text_.add(text_.paint(color_of(overall), mark) + "  ");
    text_.add(headline_of(report_) + "; took " + duration_text(report_.duration_ms) + "\n");
  }

  const Report& report_;
  const ConsoleOptions& options_;
  const Answers answers_;
  const Explanations explanations_;
  const Faults& faults_;
  ConsoleText text_;
};

}  // namespace

std::string write_brief_console(const Report& report, const ConsoleOptions& options) {
  return BriefConsole(report, options).write();
}

}  // namespace plumbline::reports
