// What a person reads of checks within one screen: the verdict, each finding in a few lines, the
// heaviest first, and both answers (answers.h) at the end.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/answers/answers.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/answers/judged.h"
#include "reports/formats/brief_words.h"
#include "reports/formats/console_text.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kTold = 10;       // Findings; of the others there are the ids.
constexpr std::size_t kLinesBelow = 3;  // The heading of a finding,
constexpr std::size_t kLinesOfFew = 5;  // and where there are no more than two.
constexpr std::size_t kFew = 2;
constexpr std::size_t kScreenful = 3;  // Findings that a screen holds.
constexpr std::size_t kMendLines = 2;
constexpr std::string_view kMend = "mend: ";
constexpr const char* kSoAlso = "so also ";
constexpr std::string_view kIndent = "     ";  // Below "warn ".
constexpr std::size_t kWarningLines = 3;
constexpr std::size_t kScreen = 23;         // Beside the prompt.
constexpr std::size_t kLinesOfOthers = 2;   // Of the warnings that are only named.
constexpr std::size_t kWarningsBeyond = 7;  // Lines, where there is no room.

// Part is one thing that is told of a finding, in `lines_least` lines where it has as many, and in
// more of them while there are lines left.
struct Part {
  std::string_view label;
  std::string text;
  std::size_t lines_least = 1;
};

class BriefConsole {
 public:
  BriefConsole(const Report& report, const ConsoleOptions& options)
      : report_(report),
        options_(options),
        answers_(answers_of(report)),
        explanations_(report),
        faults_(explanations_.faults()),
        warnings_(kinds_of_warnings()),
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
    const std::string mend = one_line(explanations_.mend_of(result));
    std::size_t lines = findings_count() > kFew ? kLinesBelow : kLinesOfFew;
    const std::size_t of_mend = mend.empty() ? 0 : std::min(lines_of({kMend, mend}), kMendLines);
    const Observation seen = observation_of(result);
    // What is wrong is worth more than an empty line behind it.
    const bool close = lines_of({"", seen.seen}) > lines - of_mend;
    if (close) ++lines;
    std::vector<Part> parts = seen_parts(seen, lines - of_mend);
    if (of_mend > 0) parts.push_back({kMend, mend, of_mend});
    std::size_t used = 0;
    for (const Part& part : parts) used += lines_of(part);
    title(result, place_of(finding, lines - std::min(lines, used), parts));
    const std::string rule = rule_of(result);
    // What warnings say is worth more than this.
    const bool has_room = used < lines && parts.back().label != kSoAlso && warnings_.empty();
    if (!rule.empty() && has_room) parts.push_back({"rule: ", rule});
    tell(parts, lines);
    if (!close) text_.add("\n");
  }

  // place_of says where a finding shows itself and what it brings along: by name where the title
  // has room for that, else in a line of its own that is added to `parts`, else counted.
  std::string place_of(const Finding& finding, std::size_t lines_left, std::vector<Part>& parts) {
    const std::string asked = asked_in(*finding.result);
    const std::string where = where_of(finding) + (asked.empty() ? "" : ": ") + asked;
    const Part followers = {kSoAlso, followers_of(finding)};
    if (followers.text.empty()) return where;
    const std::string before = where + (where.empty() ? "" : "; ") + kSoAlso;
    if (width_of(before + followers.text) <= space_for_where(*finding.result)) {
      return before + followers.text;
    }
    if (lines_left == 0 || lines_of(followers) > 1) return before + followers_of(finding, true);
    parts.push_back(followers);
    return where;
  }

  std::size_t findings_count() const {
    return static_cast<std::size_t>(answers_.count(Whose::kYours));
  }

  // lines_of returns how many lines `part` takes.
  std::size_t lines_of(const Part& part) const {
    return wrap(part.text, text_.columns() - 2 - part.label.size()).size();
  }

  // seen_parts tells what was seen, and what was expected beside it where both fit in `lines`.
  std::vector<Part> seen_parts(const Observation& seen, std::size_t lines) const {
    if (seen.expected.empty()) return {{"", seen.seen}};
    const Part both{"", seen.seen + "; expected " + seen.expected};
    const std::vector<Part> apart = {{"", seen.seen}, {"expected: ", seen.expected}};
    if (lines_of(both) == 1) return {both};
    return lines > 1 && lines_of(apart[0]) < lines ? apart : std::vector<Part>{apart[0]};
  }

  void title(const CheckResult& result, const std::string& where) {
    const std::string_view mark = label(result.verdict);
    const std::string id = clip(one_line(result.id), text_.columns() - mark.size() - 1);
    text_.add(text_.paint(color_of(result.verdict), mark) + " " + text_.paint(kBold, id));
    const std::size_t space = space_for_where(result);
    if (!where.empty() && space > 2) text_.add(text_.paint(kDim, "  " + clip(where, space)));
    text_.add("\n");
  }

  // space_for_where returns how many columns a title has left behind the id.
  std::size_t space_for_where(const CheckResult& result) const {
    const std::size_t used = label(result.verdict).size() + width_of(one_line(result.id)) + 3;
    return text_.columns() - std::min(text_.columns(), used);
  }

  // tell writes the least of each part, and more of the first ones while there are lines left.
  void tell(const std::vector<Part>& parts, std::size_t lines_max = kLinesBelow) {
    std::size_t least = 0;
    for (const Part& part : parts) least += part.lines_least;
    std::size_t spare = lines_max - std::min(lines_max, least);
    for (const Part& part : parts) {
      const std::string indent = "  " + std::string(part.label);
      std::vector<std::string> lines = wrap(part.text, text_.columns() - indent.size());
      const std::size_t shown = std::min(lines.size(), part.lines_least + spare);
      spare -= shown - std::min(shown, part.lines_least);
      if (shown < lines.size()) cut(lines, shown, text_.columns() - indent.size());
      for (std::size_t at = 0; at < lines.size(); ++at) {
        const std::string before = at == 0 ? indent : std::string(indent.size(), ' ');
        text_.add(before + clip(lines[at], text_.columns() - indent.size()) + "\n");
      }
    }
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

  // kinds_of_warnings returns one of each kind, those first that matter most; those of an SDK stand
  // with that.
  std::vector<const CheckResult*> kinds_of_warnings() const {
    std::vector<const CheckResult*> kinds;
    for (const CheckResult& row : report_.results) {
      if (row.verdict != Verdict::kWarn || faults_.is_habit(row)) continue;
      if (is_brought(row, report_)) continue;
      const bool known = std::ranges::any_of(kinds, [&row](const CheckResult* other) {
        return other->id == row.id && other->server == row.server;
      });
      if (!known) kinds.push_back(&row);
    }
    std::ranges::sort(kinds, [](const CheckResult* one, const CheckResult* other) {
      return std::pair(rank_of_warning(*one), one) < std::pair(rank_of_warning(*other), other);
    });
    return kinds;
  }

  // warnings tells of each kind once.
  void warnings() {
    const std::vector<const CheckResult*>& kinds = warnings_;
    if (kinds.empty()) return;
    const std::size_t room = room_for_warnings();
    std::vector<std::size_t> lines;
    std::size_t used = 0;
    for (const CheckResult* const row : kinds) {
      const std::size_t more = lines_of_warning(*row, room / kinds.size());
      const std::size_t left = kinds.size() - lines.size() - 1;
      if (used + more + std::min(left, kLinesOfOthers) > room) break;
      lines.push_back(more);
      used += more;
    }
    const std::size_t taken = used + std::min(kinds.size() - lines.size(), kLinesOfOthers);
    std::size_t spare = room - std::min(room, taken);
    for (std::size_t at = 0; at < lines.size(); ++at) {
      warning(text_of_warning(*kinds[at]), lines[at]);
      spare -= mend_of_warning(*kinds[at], spare);
    }
    if (lines.size() == kinds.size()) return;
    std::vector<std::string> others;
    for (std::size_t at = lines.size(); at < kinds.size(); ++at) others.push_back(kinds[at]->id);
    warning(
        counted(others.size(), lines.empty() ? "warning" : "more warning") + ": " + list_of(others),
        kLinesOfOthers);
  }

  // lines_of_warning returns how many it is told in: two at least, or else of one line there is
  // only what is wrong, not where.
  std::size_t lines_of_warning(const CheckResult& row, std::size_t share) const {
    const std::size_t all =
        wrap(one_line(text_of_warning(row)), text_.columns() - kIndent.size()).size();
    return std::min(all, std::clamp<std::size_t>(share, 2, kWarningLines));
  }

  // mend_of_warning tells how to mend it, where `spare` lines have room for that, and returns how
  // many that took.
  std::size_t mend_of_warning(const CheckResult& row, std::size_t spare) {
    const std::string mend = one_line(explanations_.mend_of(row));
    if (mend.empty()) return 0;
    const std::string text = std::string(kMend) + mend;
    const std::size_t lines =
        std::min(wrap(text, text_.columns() - kIndent.size()).size(), kMendLines);
    if (lines > spare) return 0;
    indented(text, kMendLines);
    return lines;
  }

  // room_for_warnings returns how many lines a screen has left for them, and some where it has
  // none: what is only counted is mended by nobody.
  std::size_t room_for_warnings() const {
    const std::size_t used = text_.lines_so_far() + lines_of_sdks().size() + rows_of(next_line()) +
                             rows_of(ending_line());
    const std::size_t least = findings_count() == kScreenful ? 1 : kWarningsBeyond;
    return std::max(least, kScreen - std::min(kScreen, used));
  }

  // rows_of returns how many lines of a terminal `line` takes, which is not wrapped by us.
  std::size_t rows_of(std::string_view line) const {
    return (width_of(line) + text_.columns() - 1) / text_.columns();
  }

  void warning(const std::string& text, std::size_t lines_max) {
    text_.add(text_.paint(color_of(Verdict::kWarn), "warn"));
    indented(text, lines_max, 1);
  }

  // indented writes `text` as it stands behind "warn", its first line behind `spaces`.
  void indented(const std::string& text, std::size_t lines_max,
                std::size_t spaces = kIndent.size()) {
    const std::size_t columns = text_.columns() - kIndent.size();
    std::vector<std::string> lines = wrap(one_line(text), columns);
    if (lines.size() > lines_max) cut(lines, lines_max, columns);
    for (const std::string& line : lines) {
      text_.add(std::string(spaces, ' ') + clip(line, columns) + "\n");
      spaces = kIndent.size();
    }
  }

  // sdks writes what is the doing of an SDK, and so not yours to mend.
  void sdks() {
    for (const std::string& line : lines_of_sdks()) text_.add(line + "\n");
  }

  // lines_of_sdks returns them as they are written: all broken rules, so that they add up.
  std::vector<std::string> lines_of_sdks() const {
    std::vector<std::string> lines;
    for (const BuiltWith& sdk : faults_.sdks()) {
      std::set<std::string> failing;
      std::set<std::string> warned;
      for (const CheckResult& row : report_.results) {
        if (row.server != sdk.server || !faults_.is_habit(row)) continue;
        if (row.verdict == Verdict::kExpectedFail) failing.insert(row.id);
        if (row.verdict == Verdict::kWarn) warned.insert(row.id);
      }
      if (failing.empty() && warned.empty()) continue;
      std::string line = (sdk.server.empty() ? "" : sdk.server + ": ") +
                         "not counted, as every server on " + sdk.name + " does it: ";
      if (!failing.empty())
        line += counted(failures_of(sdk), "failure") + " (" + list_of(failing) + ")";
      if (!failing.empty() && !warned.empty()) line += " and ";
      if (!warned.empty()) line += counted(warned.size(), "warning");
      std::ranges::move(wrap(one_line(line), text_.columns()), std::back_inserter(lines));
    }
    return lines;
  }

  std::size_t failures_of(const BuiltWith& sdk) const {
    return static_cast<std::size_t>(std::ranges::count_if(answers_.findings, [&](const auto& each) {
      return each.whose == Whose::kSdk && faults_.sdk_of(*each.result) == &sdk;
    }));
  }

  void next() { text_.add(text_.paint(kDim, next_line()) + "\n"); }

  // next_line says where there is more.
  std::string next_line() const {
    const Summary counts = summarize(report_);
    std::string line;
    if (counts.skip != 0) {
      line = counted(static_cast<std::size_t>(counts.skip), "check") + " did not apply; ";
    }
    line += "-v shows what was sent";
    const CheckResult* const first = first_to_explain();
    if (first != nullptr) line += "; plumbline explain " + one_line(first->id);
    return line;
  }

  // first_to_explain returns the finding that stands first, else the warning; null: there is none.
  const CheckResult* first_to_explain() const {
    if (answers_.count(Whose::kYours) != 0) return answers_.findings.front().result;
    const CheckResult* first = nullptr;
    for (const CheckResult& row : report_.results) {
      if (!deserves_a_look(row) || faults_.is_habit(row)) continue;
      if (first == nullptr || rank_of_warning(row) < rank_of_warning(*first)) first = &row;
    }
    return first;
  }

  // ending writes both answers.
  void ending() {
    const Verdict overall = overall_verdict(report_);
    const std::string_view mark = label(overall);
    text_.add(text_.paint(color_of(overall), mark) + ending_line().substr(mark.size()) + "\n");
  }

  std::string ending_line() const {
    return std::string(label(overall_verdict(report_))) + "  " + headline_of(report_) + "; took " +
           duration_text(report_.duration_ms);
  }

  const Report& report_;
  const ConsoleOptions& options_;
  const Answers answers_;
  const Explanations explanations_;
  const Faults& faults_;
  const std::vector<const CheckResult*> warnings_;  // One of each kind.
  ConsoleText text_;
};

}  // namespace

std::string write_brief_console(const Report& report, const ConsoleOptions& options) {
  return BriefConsole(report, options).write();
}

}  // namespace plumbline::reports
