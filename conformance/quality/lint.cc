#include "conformance/quality/lint.h"

#include <algorithm>
#include <map>
#include <utility>

#include "conformance/quality/rules.h"
#include "conformance/quality/tokens.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kItemsShown = 6;
constexpr std::size_t kNotesKept = 200;

// told_of names what was found: tools with the places in them, the first few.
std::string told_of(const std::vector<Note>& notes, std::size_t looked_at) {
  std::vector<std::pair<std::string, std::string>> items;
  std::map<std::string_view, std::size_t> places;
  for (const Note& note : notes) {
    const auto [place, fresh] = places.emplace(note.item, items.size());
    if (fresh) items.emplace_back(note.item, "");
    std::string& what = items[place->second].second;
    if (!note.what.empty()) what += (what.empty() ? "" : ", ") + note.what;
  }
  std::string text;
  if (looked_at > 1 && notes.size() <= looked_at) {
    text = std::to_string(notes.size()) + " of " + grouped(static_cast<std::int64_t>(looked_at));
    text += ": ";
  }
  for (std::size_t i = 0; i < std::min(items.size(), kItemsShown); ++i) {
    const auto& [item, what] = items[i];
    if (i > 0) text += "; ";
    text += item.empty() ? what : what.empty() ? item : item + " (" + what + ")";
  }
  if (items.size() > kItemsShown) {
    text += " and " + std::to_string(items.size() - kItemsShown) + " more";
  }
  return text;
}

std::vector<Evidence> evidence_of(const std::vector<Note>& notes) {
  std::vector<Evidence> evidence;
  for (const Note& note : notes) {
    if (evidence.size() == kNotesKept) break;
    Json shown(Json::value_t::object);
    if (!note.item.empty()) shown["of"] = note.item;
    if (!note.what.empty()) shown["what"] = note.what;
    if (note.sure) shown["sure"] = true;
    evidence.push_back({0, "--", std::move(shown), true});
  }
  return evidence;
}

bool is_in(const std::vector<std::string>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

CheckResult row_of(const QualityRule& rule, const Notes& notes, const Reading& read,
                   const LintOptions& options) {
  CheckResult row;
  row.id = rule.id;
  row.server = options.around.server;
  row.area = rule.part;
  row.level = rule.is_warning() ? "WARNING" : "ADVICE";
  row.title = rule.rule;
  const std::vector<Note>& found = notes.of(rule.id);
  const std::size_t looked_at = notes.looked_at(rule.id, read.tools.size());
  row.observed = static_cast<std::int64_t>(looked_at);
  if (found.empty()) {
    row.verdict = looked_at == 0 ? Verdict::kSkip : Verdict::kPass;
    if (looked_at == 0) row.message = "there is nothing here that it could be seen by";
    return row;
  }
  const bool sure = std::ranges::any_of(found, &Note::sure);
  const bool asked = is_in(options.fail_on, rule.id) || is_in(options.fail_on, rule.part) ||
                     is_in(options.fail_on, rule.level);
  row.verdict = sure || asked ? Verdict::kFail : Verdict::kWarn;
  row.message = told_of(found, looked_at);
  if (!rule.advice.empty()) row.message += "; " + std::string(rule.advice);
  row.evidence = evidence_of(found);
  if (options.reproduce) row.reproduce = options.reproduce(rule.id);
  return row;
}

// grade_row is the row of a grade that was asked for.
CheckResult grade_row(const Grade& grade, const LintOptions& options) {
  CheckResult row;
  const QualityRule& rule = *find_quality_rule("quality.grade");
  row.id = rule.id;
  row.server = options.around.server;
  row.area = rule.part;
  row.level = "WARNING";
  row.title = std::string("The grade is ") + options.least + " or better";
  row.observed = 1;
  if (grade.letter > options.least) {
    row.verdict = Verdict::kFail;
    row.message = std::string("it is ") + grade.letter;
    for (const PartGrade& part : grade.parts) {
      if (part.letter <= options.least) continue;
      row.message += ", for " + std::string(part.part) + " (" + part.why + ")";
    }
  }
  return row;
}

}  // namespace

Linted lint(const ServerOffer& offer, const LintOptions& options, const Notes& more) {
  const Reading read(offer);
  Notes notes = more;
  for (const QualityPart& part : quality_parts()) part.check(read, options.around, notes);
  Linted linted;
  linted.server = options.around.server;
  linted.tools = read.tools.size();
  linted.tokens = read.tokens;
  linted.grade = grade_of(read, notes);
  for (const QualityRule& rule : quality_rules()) {
    // The grade has a row where it matters; and what is beside a server, where that is known.
    const bool beside = rule.part == "beside" && options.around.other_servers.empty();
    if (rule.part == "grade" || beside || !options.selection.wants_id(rule.id)) continue;
    linted.results.push_back(row_of(rule, notes, read, options));
  }
  if (options.fails_below) linted.results.push_back(grade_row(linted.grade, options));
  return linted;
}

Json json_of(const Linted& linted) {
  Json shown(Json::value_t::object);
  if (!linted.server.empty()) shown["server"] = linted.server;
  shown["grade"] = std::string(1, linted.grade.letter);
  shown["tools"] = linted.tools;
  shown["tokens"] = linted.tokens;
  Json& parts = shown["parts"] = Json::array();
  for (const PartGrade& part : linted.grade.parts) {
    Json one(Json::value_t::object);
    one["part"] = part.part;
    one["grade"] = std::string(1, part.letter);
    if (!part.why.empty()) one["why"] = part.why;
    parts.push_back(std::move(one));
  }
  Json& gains = shown["gains"] = Json::array();
  for (const Gain& gain : linted.grade.gains) {
    Json one(Json::value_t::object);
    one["part"] = gain.part;
    one["from"] = std::string(1, gain.from);
    one["to"] = std::string(1, gain.to);
    one["changes"] = gain.changes;
    one["what"] = gain.what;
    gains.push_back(std::move(one));
  }
  return shown;
}

}  // namespace plumbline::conformance
