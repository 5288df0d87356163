#include "conformance/quality/safety/pattern_set.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/quality/safety/needed_words.h"
#include "conformance/quality/safety/patterns.h"
#include "conformance/quality/safety/phrases.h"
#include "conformance/quality/safety/small_letters.h"
#include "core/base/text.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const char* const table : {"blind", "honest", "poisoned", "seen_later", "unseen"}) {
    std::ifstream in(std::string(SOURCE_ROOT "/tests/quality/") + table + ".tsv");
    for (std::string line; std::getline(in, line);) texts.push_back(line);
  }
  EXPECT_GE(texts.size(), 500U);
  return texts;
}

std::string shown(const std::vector<OneOf>& lists) {
  std::string out;
  for (const OneOf& words : lists) {
    for (const std::string& word : words) out += (&word == &words.front() ? "" : "|") + word;
    out += "\n";
  }
  std::ranges::replace(out, kWordEdge, '_');
  return out;
}

TEST(NeededWordsTest, AreThoseThatNoMatchCanDoWithout) {
  EXPECT_EQ(shown(needed_words(R"(\b(send|post)\b[^.]{0,60}(https?://|\w+@))")),
            "_post_|_send_\n@|http://|https://\n");
  EXPECT_EQ(shown(needed_words(R"(Passw\w+)")), "passw\n");
  EXPECT_EQ(shown(needed_words(R"((?:^|[\s(])(lies|öffne))")), "_lies|öffne\n");
  EXPECT_EQ(shown(needed_words(R"(ab(cd)?e+)")), "ab\n");
  EXPECT_EQ(shown(needed_words(R"(gr[ae]y)")), "gray|grey\n");
  EXPECT_EQ(shown(needed_words(R"(\w+|send)")), "");
  EXPECT_EQ(shown(needed_words(R"(\d{8,})")), "");
}

// What can't match by its words doesn't.
TEST(PatternSetTest, LeavesNoPatternOutThatMatches) {
  const PatternSet& patterns = Phrases::all().patterns();
  PatternSet::Search search(patterns);
  for (std::string text : corpus()) {
    for (int form = 0; form < 2; ++form) {
      const std::vector<int> possible = search.possible_in(text);
      for (int number = 0; number < static_cast<int>(patterns.size()); ++number) {
        if (std::ranges::binary_search(possible, number)) continue;
        EXPECT_FALSE(patterns.matches(text, number))
            << Phrases::all().list()[static_cast<std::size_t>(number)].pattern << "\n"
            << text;
      }
      for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
  }
}

// The work of lint: a pattern that is tried costs the length of the text, and more the first time.
TEST(PatternSetTest, TriesFewPatternsAndCompilesNoOthers) {
  std::vector<std::string_view> texts;
  for (const Phrase& phrase : Phrases::all().list()) texts.push_back(phrase.pattern);
  const PatternSet patterns(texts);
  PatternSet::Search search(patterns);
  EXPECT_GE(patterns.size(), 700U);
  EXPECT_LE(search.possible_in("").size(), 5U);
  EXPECT_LE(search.possible_in("Returns how much rain fell in one city.").size(), 8U);
  const std::vector<std::string> all = corpus();
  std::size_t possible = 0;
  for (const std::string& text : all) possible += search.possible_in(text).size();
  RecordProperty("possible", static_cast<int>(possible));
  EXPECT_LE(possible, all.size() * 21);
  EXPECT_EQ(patterns.compiled(), 0U);
  EXPECT_FALSE(patterns.matches("rain", 0));
  EXPECT_EQ(patterns.compiled(), 1U);
}

// RE2 ignores case by the tables of Unicode.
TEST(SmallLettersTest, AreTheSameWhereRe2SeesTheSameLetter) {
  std::vector<std::string> letters;
  for (std::uint32_t code = 0x80; code < 0x3000; ++code) {
    std::string one;
    if (code < 0x800) {
      one = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    } else {
      one = {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
             static_cast<char>(0x80 | (code & 0x3F))};
    }
    letters.push_back(one);
  }
  for (char c = ' '; c <= '~'; ++c) letters.emplace_back(1, c);
  std::vector<std::string> of_patterns;
  for (const Phrase& phrase : Phrases::all().list()) {
    for (std::string_view rest = phrase.pattern; !rest.empty();) {
      const Letter letter = first_letter(rest);
      // Scripts from the Arabic one on have no capitals.
      const bool may_have_capitals = letter.code < 0x590 || (letter.code >> 8) == 0x1E;
      if (may_have_capitals) of_patterns.emplace_back(rest.substr(0, letter.bytes));
      rest.remove_prefix(letter.bytes);
    }
  }
  std::ranges::sort(of_patterns);
  const auto same = std::ranges::unique(of_patterns);
  of_patterns.erase(same.begin(), same.end());
  EXPECT_GE(of_patterns.size(), 200U);
  for (const std::string& one : of_patterns) {
    const RE2 pattern(RE2::QuoteMeta(one), pattern_options());
    for (const std::string& other : letters) {
      if (!RE2::FullMatch(other, pattern)) continue;
      EXPECT_TRUE(has_odd_ascii(other) || small_letters(other) == small_letters(one))
          << one << " and " << other;
    }
  }
}

}  // namespace
}  // namespace plumbline::conformance
