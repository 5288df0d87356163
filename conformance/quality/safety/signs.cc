#include "conformance/quality/safety/signs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "conformance/quality/safety/concepts.h"
#include "conformance/quality/safety/pattern_set.h"
#include "conformance/quality/safety/said.h"
#include "conformance/quality/safety/unfolded.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// Groups of signs.tsv that are known here.
constexpr std::string_view kOthers = "others' tools";
constexpr std::string_view kContents = "contents asked for";

constexpr std::size_t kLongest = 200'000;  // Bytes of one that are read.
constexpr std::size_t kExcerpt = 100;      // Bytes of one that are shown.
constexpr std::size_t kBuried = 40;        // Line breaks before what nobody scrolls to.

// Patterns are those of signs.tsv.
class Patterns {
 public:
  static const Patterns& all() {
    static const Patterns patterns;
    return patterns;
  }

  std::vector<int> found_in(std::string_view text) const {
    std::vector<int> found = patterns_->possible_in(text);
    std::erase_if(found, [&](int number) { return !patterns_->matches(text, number); });
    return found;
  }

  std::string_view group(int number) const { return groups_[static_cast<std::size_t>(number)]; }

  std::string excerpt(int number, std::string_view text) const {
    return patterns_->excerpt(text, number);
  }

 private:
  Patterns() {
    std::vector<std::string_view> patterns;
    Columns columns(table_text("signs.tsv"));
    while (columns.next_line()) {
      groups_.push_back(columns.next());
      columns.next();
      patterns.push_back(columns.next());
    }
    patterns_.emplace(patterns);
  }

  std::optional<PatternSet> patterns_;
  std::vector<std::string_view> groups_;
};

void add_group(Signs& signs, std::string_view group) {
  if (!signs.has(group)) signs.groups.push_back(group);
}

void add_excerpt(Signs& signs, const std::string& excerpt) {
  const std::string shown = clipped(excerpt, kExcerpt);
  if (shown.empty() || signs.seen.find(shown) != std::string::npos) return;
  if (signs.seen.size() < kExcerpt * 2) signs.seen += (signs.seen.empty() ? "" : " ... ") + shown;
}

void add_patterns(std::string_view text, Signs& signs) {
  std::vector<std::string_view> shown;
  const std::vector<int> found = Patterns::all().found_in(text);
  for (const int number : found) {
    const std::string_view group = Patterns::all().group(number);
    add_group(signs, group);
    if (std::ranges::find(shown, group) != shown.end()) continue;
    shown.push_back(group);
    // One sign is none, and then nothing is shown of it.
    if (shown.size() == 2) {
      add_excerpt(signs, Patterns::all().excerpt(found.front(), text));
    }
    if (shown.size() >= 2) add_excerpt(signs, Patterns::all().excerpt(number, text));
  }
}

// names_tool returns whether `text` has the word `name`.
bool names_tool(std::string_view text, std::string_view name) {
  const auto in_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !in_word(text[at - 1]);
    if (begins && (end == text.size() || !in_word(text[end]))) return true;
  }
  return false;
}

// add_other_tools looks for the names of tools that the server has not: those of the servers beside
// it, and a few that are usual.
void add_other_tools(std::string_view text, const Reading& own, const Around& around,
                     Signs& signs) {
  constexpr auto kUsual = std::to_array<std::string_view>(
      {"send_message", "send_email", "http_get", "http_post", "http_request", "delete_repository",
       "run_command", "execute_command", "write_file", "read_file", "fetch_url", "create_issue",
       "post_message", "run_shell", "send_mail"});
  const auto look_for = [&](std::string_view name) {
    if (!names_tool(text, name) || own.tool(name) != nullptr) return;
    add_group(signs, kOthers);
    add_excerpt(signs, std::string(name));
  };
  for (const std::string_view name : kUsual) look_for(name);
  for (const std::string& name : around.other_tools) {
    const bool ordinary = name.find('_') == name.npos && name.find('-') == name.npos;
    if (!ordinary) look_for(name);
  }
}

// leave_out_quotes looks again at a text that looks for attacks, without those that it quotes.
void leave_out_quotes(std::string_view text, Signs& signs) {
  const Quotes quotes = quotes_of(text);
  if (!quotes.looks_for_attacks) return;
  signs = Signs();
  signs.looks_for_attacks = true;
  add_patterns(quotes.rest, signs);
}

bool is_buried(std::string_view text) {
  const std::string breaks(kBuried, '\n');
  const std::size_t at = text.find(breaks);
  return at != text.npos && text.find_first_not_of(" \n\r\t", at) != text.npos;
}

}  // namespace

bool Signs::has(std::string_view group) const {
  return std::ranges::find(groups, group) != groups.end();
}

std::string_view read_of(const Text& text) {
  return std::string_view(text.text).substr(0, kLongest);
}

Signs signs_of(const Text& text, const Unfolded& unfolded, const Reading& own,
               const Around& around) {
  Signs signs;
  const std::string_view all = read_of(text);
  if (says_nothing(all)) return signs;
  const std::string said = said_by(text, unfolded.plain);
  add_patterns(said, signs);
  if (signs.suspect()) leave_out_quotes(said, signs);
  if (text.kind != Text::Kind::kName) add_other_tools(unfolded.plain, own, around, signs);
  if (is_buried(all)) add_group(signs, "buried text");
  for (const std::string& decoded : unfolded.decoded) {
    const std::size_t before = signs.groups.size();
    add_patterns(decoded, signs);
    if (signs.groups.size() == before) continue;
    signs.decoded = decoded;
    signs.hides_words = true;
  }
  signs.hides = unfolded.hides;
  signs.hides_words = signs.hides_words || unfolded.hides_words;
  // What is to be put into an argument leaves the house with the call; elsewhere it is no sign.
  const bool goes_out =
      text.kind == Text::Kind::kArgument || text.kind == Text::Kind::kValue || names_argument(text);
  if (!goes_out) std::erase(signs.groups, kContents);
  return signs;
}

}  // namespace plumbline::conformance
