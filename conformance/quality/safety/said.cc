#include "conformance/quality/safety/said.h"

#include <algorithm>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kShortest = 10;  // Bytes of a text in Latin letters that can say anything.

// said_by_name returns what the name of an argument asks for: "contents of .npmrc".
std::string said_by_name(std::string_view name) {
  std::string said;
  bool after_dot = false;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("_-"), name.size());
    const std::string_view word = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    const bool is_dot = word == "dot" && !said.empty() && !name.empty();
    if (!said.empty() && !after_dot) said += ' ';
    said += is_dot ? "." : word;
    after_dot = is_dot;
  }
  return said;
}

// said_by returns what `text`, of which `plain` is in sight, says: of an argument's name
// "contents of .npmrc".
std::string said_by(const Text& text, std::string_view plain) {
  return names_argument(text) || is_name_of_value(text) ? said_by_name(plain) : std::string(plain);
}

}  // namespace

bool names_argument(const Text& text) {
  return text.kind == Text::Kind::kName && text.at.find("/properties/") != std::string::npos;
}

bool is_name_of_value(const Text& text) {
  return text.kind == Text::Kind::kValue && text.text.find('_') != std::string::npos &&
         std::ranges::all_of(text.text, [](char c) {
           return c == '_' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

bool says_nothing(std::string_view text) {
  return text.size() < kShortest &&
         std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
}

SaidText said_text(const Text& text, std::string_view plain, PatternSet::Search& search) {
  SaidText said{&text, said_by(text, plain), {}};
  if (!says_nothing(text.text)) said.possible = search.possible_in(said.said);
  return said;
}

}  // namespace plumbline::conformance
