#include "conformance/quality/safety/signs.h"

#include <algorithm>
#include <array>
#include <span>

#include "conformance/quality/safety/concepts.h"
#include "conformance/quality/safety/phrases.h"
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

void add_group(Signs& signs, std::string_view group) {
  if (!signs.has(group)) signs.groups.push_back(group);
}

void add_excerpt(Signs& signs, const std::string& excerpt) {
  const std::string shown = clipped(excerpt, kExcerpt);
  if (shown.empty() || signs.seen.find(shown) != std::string::npos) return;
  if (signs.seen.size() < kExcerpt * 2) signs.seen += (signs.seen.empty() ? "" : " ... ") + shown;
}

std::string_view group_of(int phrase) {
  return Phrases::all().list()[static_cast<std::size_t>(phrase)].name;
}

// may_be_of_two returns whether the signs of `found` and `left` can be of two groups.
bool may_be_of_two(std::span<const int> found, std::span<const int> left) {
  const int first = found.empty() ? left.front() : found.front();
  const auto differs = [&](int other) { return group_of(other) != group_of(first); };
  return std::ranges::any_of(found, differs) || std::ranges::any_of(left, differs);
}

// signs_in returns the signs of `possible` that `text` shows; some are missing where `alone` they
// can't be of two groups, which one text must show.
std::vector<int> signs_in(std::string_view text, std::span<const int> possible, bool alone) {
  const Phrases& all = Phrases::all();
  const auto end = std::ranges::lower_bound(possible, all.first_concept());
  possible = possible.first(static_cast<std::size_t>(end - possible.begin()));
  std::vector<int> found;
  while (!possible.empty()) {
    if (alone && !may_be_of_two(found, possible)) break;
    const int number = possible.front();
    if (all.patterns().matches(text, number)) found.push_back(number);
    possible = possible.subspan(1);
  }
  return found;
}

void add_patterns(std::string_view text, const std::vector<int>& found, Signs& signs) {
  const PatternSet& patterns = Phrases::all().patterns();
  std::vector<std::string_view> shown;
  for (const int number : found) {
    const std::string_view group = group_of(number);
    add_group(signs, group);
    if (std::ranges::find(shown, group) != shown.end()) continue;
    shown.push_back(group);
    // One sign is none, and then nothing is shown of it.
    if (shown.size() == 2) add_excerpt(signs, patterns.excerpt(text, found.front()));
    if (shown.size() >= 2) add_excerpt(signs, patterns.excerpt(text, number));
  }
}

void add_patterns(std::string_view text, Signs& signs) {
  PatternSet::Search search(Phrases::all().patterns());
  add_patterns(text, signs_in(text, search.possible_in(text), false), signs);
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
  if (text.find_first_of("_-") == text.npos) return;  // Names that are one word aren't looked for.
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
void leave_out_quotes(const SaidText& text, Signs& signs) {
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

Signs signs_of(const SaidText& said, const Unfolded& unfolded, const Reading& own,
               const Around& around) {
  Signs signs;
  const Text& text = *said.text;
  const std::string_view all = read_of(text);
  if (says_nothing(all)) return signs;
  Signs others;
  if (text.kind != Text::Kind::kName) add_other_tools(unfolded.plain, own, around, others);
  if (is_buried(all)) add_group(others, "buried text");
  const bool alone = others.groups.empty() && unfolded.decoded.empty() && !unfolded.hides;
  add_patterns(said.said, signs_in(said.said, said.possible, alone), signs);
  if (signs.suspect()) leave_out_quotes(said, signs);
  for (const std::string_view group : others.groups) add_group(signs, group);
  if (!others.seen.empty()) add_excerpt(signs, others.seen);
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
