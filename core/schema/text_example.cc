#include "core/schema/text_example.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"

namespace plumbline::schema {

namespace {

constexpr std::size_t kExampleBytesMax = 60;

// Behind these words of a description there is an example.
constexpr std::array<std::string_view, 6> kLeads = {"e.g.",    "for example", "for instance",
                                                    "such as", "example:",    "eg."};
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kQuotes = {
    {{"\"", "\""}, {"'", "'"}, {"`", "`"}, {"“", "”"}}};

// By the last word of a name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kUsual = {
    {{"date", "2026-01-01"},
     {"day", "2026-01-01"},
     {"month", "2026-01"},
     {"email", "someone@example.com"},
     {"url", "https://example.com/"},
     {"currency", "USD"},
     {"language", "en"},
     {"lang", "en"},
     {"locale", "en"},
     {"country", "US"},
     {"timezone", "UTC"},
     {"city", "Berlin"},
     {"color", "red"},
     {"expression", "1 + 1"},
     {"formula", "1 + 1"},
     {"sql", "SELECT 1"}}};

bool is_end(char c) { return c == ',' || c == ';' || c == ')' || c == ' ' || c == '\n'; }

// example_in returns the example that begins `rest`.
std::optional<std::string> example_in(std::string_view rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" :,("), rest.size()));
  for (const auto& [open, close] : kQuotes) {
    if (!rest.starts_with(open)) continue;
    rest.remove_prefix(open.size());
    const std::size_t end = rest.find(close);
    if (end == rest.npos || end == 0 || end > kExampleBytesMax) return std::nullopt;
    return std::string(rest.substr(0, end));
  }
  const auto end = std::ranges::find_if(rest, is_end);
  std::string_view word(rest.begin(), end);
  while (word.ends_with('.')) word.remove_suffix(1);
  if (word.empty() || word.size() > kExampleBytesMax) return std::nullopt;
  return std::string(word);
}

}  // namespace

std::optional<std::string> text_example(std::string_view name, std::string_view description) {
  const std::string said = lower_case(description);
  for (const std::string_view lead : kLeads) {
    const std::size_t at = said.find(lead);
    if (at == said.npos) continue;
    // Lower case keeps the place of each byte.
    if (auto example = example_in(description.substr(at + lead.size()))) return example;
  }
  const std::string called = lower_case(name);
  for (const auto& [word, value] : kUsual) {
    if (!called.ends_with(word)) continue;
    const std::size_t before = called.size() - word.size();
    const bool whole = before == 0 || called[before - 1] == '_' || called[before - 1] == '-' ||
                       (name[before] >= 'A' && name[before] <= 'Z');
    if (whole) return std::string(value);
  }
  return std::nullopt;
}

}  // namespace plumbline::schema
