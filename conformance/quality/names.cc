#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"
#include "conformance/quality/verbs.h"

namespace plumbline::conformance {

namespace {

// is_generic returns whether a name of one word fits every task.
bool is_generic(const std::vector<std::string>& words) {
  constexpr auto kGeneric = std::to_array<std::string_view>(
      {"run",    "query",  "execute", "exec",  "do",    "get",    "call",    "process",
       "handle", "action", "tool",    "main",  "fetch", "list",   "create",  "update",
       "delete", "find",   "read",    "write", "data",  "invoke", "perform", "manage",
       "start",  "stop",   "open",    "load",  "save",  "send"});
  return words.size() == 1 && std::ranges::find(kGeneric, words.front()) != kGeneric.end();
}

// style_of returns how the words of a name are joined; empty: it has one word.
std::string_view style_of(std::string_view name) {
  if (name.find('_') != name.npos) return "snake_case";
  if (name.find('-') != name.npos) return "kebab-case";
  if (name.find('.') != name.npos) return "dotted";
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const bool inner = !name.empty() && std::any_of(name.begin() + 1, name.end(), is_capital);
  const bool small = std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a'; });
  return inner && small ? "camelCase" : "";
}

void check_styles(const Reading& read, Notes& notes) {
  std::map<std::string_view, std::size_t> styles;
  for (const OfferedTool& tool : read.tools) {
    const std::string_view style = style_of(tool.name);
    if (!style.empty()) ++styles[style];
  }
  if (styles.size() < 2) return;
  const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
  const std::string_view usual = std::ranges::max_element(styles, more)->first;
  for (const OfferedTool& tool : read.tools) {
    const std::string_view style = style_of(tool.name);
    if (style.empty() || style == usual) continue;
    notes.add("quality.names-one-style", tool.name,
              std::string(style) + ", others " + std::string(usual));
  }
}

void check_prefix(const Reading& read, Notes& notes) {
  const auto least = static_cast<std::size_t>(find_quality_rule("quality.names-prefix")->limit);
  if (read.tools.size() < least) return;
  std::string_view word;
  for (const OfferedTool& tool : read.tools) {
    if (tool.words.size() < 2) return;
    if (word.empty()) word = tool.words.front();
    if (tool.words.front() != word) return;
  }
  if (!is_verb(word))
    notes.add("quality.names-prefix", "", "every name begins with " + std::string(word));
}

}  // namespace

void check_names(const Reading& read, const Around&, Notes& notes) {
  std::map<std::string_view, int> times;
  const double longest = find_quality_rule("quality.name-length")->limit;
  for (const OfferedTool& tool : read.tools) {
    const auto is_odd = [](unsigned char c) {
      return std::isalnum(c) == 0 && c != '_' && c != '-';
    };
    if (tool.name.empty()) {
      notes.add("quality.name-form", "?", "it has no name");
    } else if (std::ranges::any_of(tool.name, is_odd)) {
      notes.add("quality.name-form", tool.name, "");
    }
    if (static_cast<double>(tool.name.size()) > longest) {
      notes.add("quality.name-length", tool.name, std::to_string(tool.name.size()) + " characters");
    }
    if (++times[tool.name] == 2) notes.add("quality.name-twice", tool.name, "");
    if (is_generic(tool.words)) {
      notes.add("quality.name-generic", tool.name, "");
    } else if (std::ranges::none_of(tool.words, is_verb)) {
      notes.add("quality.name-verb", tool.name, "");
    }
    const Json* const annotations = find(*tool.item, "annotations");
    const bool titled = find(*tool.item, "title") != nullptr ||
                        (annotations != nullptr && find(*annotations, "title") != nullptr);
    if (!titled) notes.add("quality.title-missing", tool.name, "");
  }
  check_styles(read, notes);
  check_prefix(read, notes);
}

}  // namespace plumbline::conformance
