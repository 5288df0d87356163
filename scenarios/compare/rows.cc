#include "scenarios/compare/rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace plumbline::scenarios {

namespace {

Verdict verdict_of(Weight weight) {
  switch (weight) {
    case Weight::kBreaking:
      return Verdict::kFail;
    case Weight::kVisible:
      return Verdict::kWarn;
    case Weight::kCompatible:
      break;
  }
  return Verdict::kPass;
}

std::string told(const Difference& difference) {
  std::string text = difference.place + ": " +
                     (difference.was.empty() ? "nothing" : difference.was) + " then, " +
                     (difference.is.empty() ? "nothing" : difference.is) + " now";
  if (difference.seen > 1) text += ", " + std::to_string(difference.seen) + " times";
  return text;
}

Json labelled(const char* label, const Json& what) {
  Json note = Json::object();
  note[label] = what;
  return note;
}

// evidence_of shows one request, and its answers of then and of now.
std::vector<Evidence> evidence_of(std::size_t exchange, const Conversation& then,
                                  const Conversation& now) {
  std::vector<Evidence> evidence;
  if (exchange >= then.exchanges.size() || exchange >= now.exchanges.size()) return evidence;
  const Conversation::Exchange& was = then.exchanges[exchange];
  const Conversation::Exchange& is = now.exchanges[exchange];
  evidence.push_back({0, "->", was.request});
  evidence.push_back({0, "--", labelled("recorded", was.answer)});
  if (is.answer.is_null()) {
    evidence.push_back({0, "--", labelled("closed", is.why)});
  } else {
    evidence.push_back({0, "<-", is.answer});
  }
  return evidence;
}

CheckResult row(std::string id, const std::string& area, std::string title) {
  CheckResult row;
  row.id = std::move(id);
  row.area = area;
  row.title = std::move(title);
  return row;
}

// targets_of returns what was asked, each once, in order, with the exchanges that asked it.
std::vector<std::pair<std::string, std::vector<std::size_t>>> targets_of(const Conversation& then) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> targets;
  for (std::size_t i = 0; i < then.exchanges.size(); ++i) {
    if (then.exchanges[i].answer.is_null()) continue;
    const std::string target = target_of(then.exchanges[i].request);
    auto known = std::ranges::find(targets, target,
                                   &std::pair<std::string, std::vector<std::size_t>>::first);
    if (known == targets.end()) known = targets.insert(known, {target, {}});
    known->second.push_back(i);
  }
  return targets;
}

bool is_message(const Difference& difference) {
  return difference.kind->id.starts_with("diff.message-");
}

}  // namespace

std::vector<CheckResult> difference_rows(const std::vector<Difference>& differences,
                                         const Conversation& then, const Conversation& now) {
  std::vector<CheckResult> rows;
  std::set<std::string> differ;
  for (const DifferenceKind& kind : difference_kinds()) {
    for (const Difference& difference : differences) {
      if (difference.kind != &kind) continue;
      CheckResult one =
          row(std::string(kind.id) + ":" + difference.place, "diff", std::string(kind.what));
      one.verdict = verdict_of(kind.weight);
      one.message = told(difference);
      one.observed = static_cast<std::int64_t>(difference.seen);
      if (one.verdict != Verdict::kPass && !is_message(difference)) {
        one.evidence = evidence_of(difference.exchange, then, now);
      }
      if (!is_message(difference) && difference.exchange < then.exchanges.size()) {
        differ.insert(target_of(then.exchanges[difference.exchange].request));
      }
      rows.push_back(std::move(one));
    }
  }
  for (const auto& [target, exchanges] : targets_of(then)) {
    if (differ.contains(target)) continue;
    CheckResult one = row("diff.same:" + target, "diff", "It is answered as before.");
    one.observed = static_cast<std::int64_t>(exchanges.size());
    rows.push_back(std::move(one));
  }
  return rows;
}

std::vector<CheckResult> answer_rows(const std::vector<Difference>& differences,
                                     const Conversation& then, const Conversation& now) {
  std::vector<CheckResult> rows;
  for (const auto& [target, exchanges] : targets_of(then)) {
    CheckResult one = row("replay.answer:" + target, "replay", "It is answered as was recorded.");
    one.observed = static_cast<std::int64_t>(exchanges.size());
    Weight worst = Weight::kCompatible;
    for (const Difference& difference : differences) {
      if (is_message(difference) || std::ranges::count(exchanges, difference.exchange) == 0)
        continue;
      worst = std::max(worst, difference.kind->weight);
      one.message += (one.message.empty() ? "" : "\n") + std::string(difference.kind->id) + ": " +
                     told(difference);
      if (one.evidence.empty()) one.evidence = evidence_of(difference.exchange, then, now);
    }
    one.verdict = verdict_of(worst);
    if (one.verdict == Verdict::kPass) one.evidence.clear();
    rows.push_back(std::move(one));
  }
  for (const Difference& difference : differences) {
    if (!is_message(difference)) continue;
    CheckResult one = row("replay.message:" + difference.place, "replay",
                          "It speaks of its own accord as was recorded.");
    one.verdict = verdict_of(difference.kind->weight);
    one.message = told(difference);
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace plumbline::scenarios
