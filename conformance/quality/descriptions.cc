#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "conformance/peer/name_words.h"
#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"
#include "conformance/quality/verbs.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// adds_words returns whether `description` has a word of weight that the name has not.
bool adds_words(const OfferedTool& tool) {
  constexpr auto kLight = std::to_array<std::string_view>(
      {"a",   "an",   "the",      "of",     "to",   "for",  "this", "tool",
       "is",  "it",   "and",      "in",     "on",   "from", "by",   "with",
       "all", "your", "function", "method", "that", "will", "can",  "used"});
  std::set<std::string> named(tool.words.begin(), tool.words.end());
  std::string together;
  for (const std::string& word : tool.words) together += word;
  named.insert(together);
  return std::ranges::any_of(words_of(tool.description), [&](const std::string& word) {
    if (std::ranges::find(kLight, word) != kLight.end()) return false;
    const bool plural = word.ends_with('s') && named.contains(word.substr(0, word.size() - 1));
    return !named.contains(word) && !named.contains(word + "s") && !plural;
  });
}

// letters_of counts the characters of UTF-8.
std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// says_read_only returns whether the text calls the tool one that changes nothing.
bool says_read_only(std::string_view text) {
  const std::string small = lower_case(text);
  for (const std::string_view said : {"read-only", "readonly", "read only", "does not modify",
                                      "does not change anything", "without modifying"}) {
    const std::size_t at = small.find(said);
    if (at == std::string::npos) continue;
    const std::string before = small.substr(at < 8 ? 0 : at - 8, std::min<std::size_t>(at, 8));
    const bool denied = before.find("not ") != std::string::npos ||
                        before.find("n't ") != std::string::npos ||
                        before.find("for ") != std::string::npos;
    if (!denied) return true;
  }
  return false;
}

void check_hints(const OfferedTool& tool, Notes& notes) {
  const bool writes = tool.hint("readOnlyHint") == false || tool.hint("destructiveHint") == true;
  if (writes && tool.hint("readOnlyHint") != true && says_read_only(tool.description)) {
    notes.add("quality.description-hints", tool.name, "read-only, say the words alone");
  }
  const std::vector<std::string> words = words_of(tool.description.substr(0, 40));
  std::string first = words.empty() ? "" : words.front();
  if (first.ends_with('s')) first.pop_back();
  if (tool.hint("readOnlyHint") == true && destroys(first)) {
    notes.add("quality.description-hints", tool.name, "read-only, says the annotation alone");
  }
}

// check_documented looks at the lines below "Args:", as docstrings have them.
void check_documented(const OfferedTool& tool, Notes& notes) {
  std::size_t at = std::string::npos;
  for (const std::string_view heading : {"Args:\n", "Arguments:\n", "Parameters:\n"}) {
    if (at == std::string::npos) at = tool.description.find(heading);
  }
  if (at == std::string::npos || tool.schema() == nullptr) return;
  std::string_view rest = std::string_view(tool.description).substr(at);
  rest.remove_prefix(rest.find('\n') + 1);
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (trimmed(line).empty()) break;
    const bool indented = line.starts_with(' ') || line.starts_with('\t') || line.starts_with('-');
    if (!indented) break;
    line.remove_prefix(std::min(line.find_first_not_of(" \t-*`"), line.size()));
    const std::size_t end =
        line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    const std::string_view name = line.substr(0, end);
    const std::string_view behind = end == line.npos ? "" : line.substr(end);
    const bool names = !name.empty() && (behind.starts_with(":") || behind.starts_with(" (") ||
                                         behind.starts_with("`:"));
    const auto is_it = [name](const Argument& one) { return one.last() == name; };
    if (names && std::ranges::none_of(tool.arguments, is_it)) {
      notes.add("quality.description-arguments", tool.name, std::string(name));
    }
  }
}

}  // namespace

void check_descriptions(const Reading& read, const Around&, Notes& notes) {
  const double shortest = find_quality_rule("quality.description-short")->limit;
  const double longest = find_quality_rule("quality.description-long")->limit;
  std::map<std::string_view, std::string_view> first_with;
  for (const OfferedTool& tool : read.tools) {
    const std::string_view text = trimmed(tool.description);
    if (text.empty()) {
      notes.add("quality.description-missing", tool.name, "");
      continue;
    }
    const auto letters = static_cast<double>(letters_of(text));
    if (!adds_words(tool)) {
      notes.add("quality.description-says-the-name", tool.name, "");
    } else if (letters < shortest) {
      notes.add("quality.description-short", tool.name, "");
    }
    if (letters > longest) {
      notes.add("quality.description-long", tool.name,
                std::to_string(letters_of(text)) + " characters");
    }
    const auto [before, fresh] = first_with.emplace(text, tool.name);
    if (!fresh && before->second != tool.name) {
      notes.add("quality.description-double", tool.name, "as " + std::string(before->second));
    }
    check_hints(tool, notes);
    check_documented(tool, notes);
  }
}

}  // namespace plumbline::conformance
