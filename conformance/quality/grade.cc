#include "conformance/quality/grade.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "conformance/quality/rules.h"
#include "conformance/quality/tokens.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kLetters = "ABCDF";
constexpr std::array<std::int64_t, 4> kTokensMost = {2'000, 5'000, 10'000, 20'000};
constexpr std::array<std::size_t, 4> kPercent = {0, 10, 25, 50};
constexpr std::size_t kShownMax = 4;  // Things of one kind in a line.

// Blamed is what speaks against one tool in a part.
using Blamed = std::map<std::string, std::map<std::string_view, std::vector<const Note*>>>;

Blamed blamed_in(std::string_view part, const Notes& notes) {
  Blamed blamed;
  for (const QualityRule& rule : quality_rules()) {
    if (rule.part != part || !rule.is_warning()) continue;
    for (const Note& note : notes.of(rule.id)) blamed[note.item][rule.id].push_back(&note);
  }
  return blamed;
}

std::size_t count_of(const Blamed::mapped_type& against) {
  std::size_t count = 0;
  for (const auto& [id, notes] : against) count += notes.size();
  return count;
}

// advice_for says what to do about these tools, rule by rule.
std::string advice_for(const std::vector<std::string>& tools, const Blamed& blamed) {
  std::map<std::string_view, std::vector<std::string>> by_rule;
  for (const std::string& tool : tools) {
    for (const auto& [id, notes] : blamed.at(tool)) {
      std::string places;
      for (const Note* const note : notes) {
        if (!note->what.empty()) places += (places.empty() ? "" : ", ") + note->what;
      }
      by_rule[id].push_back(tool + (places.empty() ? "" : " (" + places + ")"));
    }
  }
  std::string text;
  for (const auto& [id, all] : by_rule) {
    text += (text.empty() ? "" : "; ") + std::string(find_quality_rule(id)->advice) + ": ";
    for (std::size_t i = 0; i < std::min(all.size(), kShownMax); ++i) {
      text += (i == 0 ? "" : ", ") + all[i];
    }
    if (all.size() > kShownMax) text += " and " + std::to_string(all.size() - kShownMax) + " more";
  }
  return text;
}

void grade_share(std::string_view part, const Reading& read, const Notes& notes, Grade& grade) {
  const Blamed blamed = blamed_in(part, notes);
  const std::size_t tools = std::max<std::size_t>(read.tools.size(), 1);
  const std::size_t bad = std::min(blamed.size(), tools);
  std::size_t at = 0;
  while (at < kPercent.size() && bad * 100 > kPercent[at] * tools) ++at;
  const std::string share = std::to_string(bad) + " of " + std::to_string(tools) + " tools";
  grade.parts.push_back({part, kLetters[at], bad == 0 ? "" : share + " with a warning"});
  if (at == 0) return;
  std::vector<std::string> tools_blamed;
  for (const auto& [tool, against] : blamed) tools_blamed.push_back(tool);
  const auto fewer = [&](const std::string& a, const std::string& b) {
    return std::pair(count_of(blamed.at(a)), a) < std::pair(count_of(blamed.at(b)), b);
  };
  std::ranges::sort(tools_blamed, fewer);
  const std::size_t allowed = kPercent[at - 1] * tools / 100;
  if (tools_blamed.size() > allowed) tools_blamed.resize(tools_blamed.size() - allowed);
  std::size_t changes = 0;
  for (const std::string& tool : tools_blamed) changes += count_of(blamed.at(tool));
  grade.gains.push_back(
      {part, kLetters[at], kLetters[at - 1], changes, advice_for(tools_blamed, blamed)});
}

void grade_cost(const Reading& read, Grade& grade) {
  std::size_t at = 0;
  while (at < kTokensMost.size() && read.tokens > kTokensMost[at]) ++at;
  grade.parts.push_back({"cost", kLetters[at], "about " + grouped(read.tokens) + " tokens"});
  if (at == 0) return;
  std::vector<const OfferedTool*> dearest;
  for (const OfferedTool& tool : read.tools) dearest.push_back(&tool);
  std::ranges::sort(dearest, std::less{}, [](const OfferedTool* tool) {
    return std::pair(-tool->tokens, std::string_view(tool->name));
  });
  std::string shown;
  for (std::size_t i = 0; i < std::min<std::size_t>(dearest.size(), 3); ++i) {
    shown += (i == 0 ? "" : ", ") + dearest[i]->name + " " + grouped(dearest[i]->tokens);
  }
  const std::int64_t less = read.tokens - kTokensMost[at - 1];
  grade.gains.push_back({"cost", kLetters[at], kLetters[at - 1], static_cast<std::size_t>(less),
                         "save " + grouped(less) + " tokens; the dearest are " + shown});
}

void grade_safety(const Notes& notes, Grade& grade) {
  bool sure = false;
  std::string first;
  std::size_t count = 0;
  for (const auto& [item, against] : blamed_in("safety", notes)) {
    for (const auto& [id, all] : against) {
      for (const Note* const note : all) sure = sure || note->sure;
      count += all.size();
      if (first.empty()) {
        first =
            std::string(find_quality_rule(id)->advice) + ": " + (item.empty() ? "server" : item);
      }
    }
  }
  const char letter = sure ? 'F' : count > 0 ? 'C' : 'A';
  grade.parts.push_back(
      {"safety", letter,
       count == 0 ? "" : std::to_string(count) + (sure ? " found" : " suspected")});
  if (count > 0) grade.gains.push_back({"safety", letter, 'A', count, first});
}

}  // namespace

Grade grade_of(const Reading& read, const Notes& notes) {
  Grade grade;
  for (const QualityPart& part : quality_parts()) {
    if (part.name == "cost") {
      grade_cost(read, grade);
    } else if (part.name == "safety") {
      grade_safety(notes, grade);
    } else if (part.name == "hosts" || part.name == "beside" ||
               (part.name == "answers" && read.offer.answers.empty())) {
      continue;  // It says nothing of the server, or was not looked at.
    } else {
      grade_share(part.name, read, notes, grade);
    }
  }
  for (const PartGrade& part : grade.parts) grade.letter = std::max(grade.letter, part.letter);
  std::ranges::sort(grade.gains, std::less{}, [](const Gain& gain) {
    return std::tuple(-gain.from, gain.part == "cost", gain.changes, gain.part);
  });
  return grade;
}

}  // namespace plumbline::conformance
