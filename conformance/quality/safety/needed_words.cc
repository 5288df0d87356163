#include "conformance/quality/safety/needed_words.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "conformance/quality/safety/small_letters.h"
#include "core/base/check.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kProductMax = 64;  // Strings that two lists in a row make.
constexpr std::size_t kUnionMax = 512;   // And that alternatives make.
constexpr std::size_t kClassMax = 8;     // Letters of a class that are told apart.

// Matched is what is known of the texts that a part of a pattern matches.
struct Matched {
  bool whole = false;         // They are `texts`, and no others.
  OneOf texts;                // In small letters.
  std::vector<OneOf> needed;  // Else they have one of each of these.
  bool ends_word = false;     // And no letter of a word at their end.
};

Matched exactly(OneOf texts) { return {true, std::move(texts), {}, false}; }

// with_outer_edges returns a text without edges but those around a word.
std::string with_outer_edges(std::string text) {
  const bool begins = text.starts_with(kWordEdge);
  const bool ends = text.ends_with(kWordEdge);
  std::erase(text, kWordEdge);
  if (text.empty()) return text;
  const bool edge_before = begins && is_word_letter(text.front());
  const bool edge_behind = ends && is_word_letter(text.back());
  if (edge_before) text.insert(text.begin(), kWordEdge);
  if (edge_behind) text += kWordEdge;
  return text;
}

// says_something returns whether hardly a text has `word` by accident.
bool says_something(const std::string& word) {
  const auto usual = [](char c) { return c == ' ' || c == kWordEdge || is_word_letter(c); };
  return word.size() > 1 || (word.size() == 1 && !usual(word[0]));
}

void add_needed(std::vector<OneOf>& needed, OneOf words) {
  for (std::string& word : words) word = with_outer_edges(std::move(word));
  if (words.empty() || !std::ranges::all_of(words, says_something)) return;
  std::ranges::sort(words);
  OneOf few;  // "pass" stands for "password", too.
  for (std::string& word : words) {
    if (few.empty() || !word.starts_with(few.back())) few.push_back(std::move(word));
  }
  needed.push_back(std::move(few));
}

std::size_t shortest(const OneOf& words) {
  return std::ranges::min(words, {}, &std::string::size).size();
}

// best_of returns the list that the fewest texts have one of; null: there is none.
const OneOf* best_of(const std::vector<OneOf>& needed) {
  const auto worth = [](const OneOf& words) { return std::pair(shortest(words), -words.size()); };
  const auto best = std::ranges::max_element(needed, {}, worth);
  return best == needed.end() ? nullptr : &*best;
}

class PatternReader {
 public:
  explicit PatternReader(std::string_view pattern) : rest_(pattern) {}

  Matched alternatives() {
    std::vector<Matched> all = {row()};
    while (take("|")) all.push_back(row());
    if (all.size() == 1) return std::move(all.front());
    OneOf texts;
    bool whole = true;
    bool ends_word = true;
    for (Matched& one : all) {
      whole = whole && one.whole;
      ends_word = ends_word &&
                  (one.ends_word || (one.whole && one.texts == OneOf{std::string(1, kWordEdge)}));
      texts.insert(texts.end(), one.texts.begin(), one.texts.end());
    }
    if (whole && texts.size() <= kUnionMax) return exactly(std::move(texts));
    OneOf words;
    Matched sum;
    sum.ends_word = ends_word;
    for (Matched& one : all) {
      if (one.whole) add_needed(one.needed, std::move(one.texts));
      const OneOf* const best = best_of(one.needed);
      if (best == nullptr) return sum;
      words.insert(words.end(), best->begin(), best->end());
    }
    add_needed(sum.needed, std::move(words));
    return sum;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }

  std::string letter() {
    const std::size_t bytes = first_letter(rest_).bytes;
    const std::string_view one = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return small_letters(one);
  }

  Matched row() {
    Matched sum = exactly({""});
    OneOf run = {""};
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      Matched next = repeated();
      sum.ends_word = next.ends_word;
      if (next.whole && run.size() * next.texts.size() <= kProductMax) {
        append(run, next.texts);
        continue;
      }
      const OneOf edge = {next.ends_word ? std::string(1, kWordEdge) : std::string()};
      add_needed(sum.needed, std::exchange(run, next.whole ? std::move(next.texts) : edge));
      std::ranges::move(next.needed, std::back_inserter(sum.needed));
      sum.whole = false;
    }
    if (sum.whole) return exactly(std::move(run));
    sum.texts.clear();
    add_needed(sum.needed, std::move(run));
    return sum;
  }

  static void append(OneOf& run, const OneOf& texts) {
    if (texts.size() == 1) {
      for (std::string& one : run) one += texts.front();
      return;
    }
    OneOf product;
    for (const std::string& begin : run) {
      for (const std::string& end : texts) product.push_back(begin + end);
    }
    run = std::move(product);
  }

  Matched repeated() {
    Matched one = part();
    const bool maybe = take("?");
    const bool any = !maybe && (take("*") || rest_.starts_with("{0"));
    const bool many = !maybe && !any && (take("+") || rest_.starts_with("{"));
    if (take("{")) rest_.remove_prefix(std::min(rest_.find('}') + 1, rest_.size()));
    if (!maybe && !any && !many) return one;
    take("?");  // The fewest: it matches the same texts.
    if (maybe && one.whole) one.texts.emplace_back();
    if (any || (maybe && !one.whole)) return {};
    if (many && one.whole) {
      add_needed(one.needed, std::move(one.texts));
      one = {false, {}, std::move(one.needed), false};
    }
    return one;
  }

  Matched part() {
    if (take("(")) {
      check(take("?:") || !rest_.starts_with("?"), "a pattern without flags");
      Matched inside = alternatives();
      check(take(")"), "a group that ends");
      return inside;
    }
    if (take("[")) return letters();
    if (take("^") || take("$")) return exactly({std::string(1, kWordEdge)});
    if (take(".")) return {};
    if (take("\\")) return escaped();
    return exactly({letter()});
  }

  // escaped reads what is behind a backslash.
  Matched escaped() {
    if (take("b")) return exactly({std::string(1, kWordEdge)});
    if (take("n")) return exactly({"\n"});
    const bool letters = !rest_.empty() && std::isalnum(static_cast<unsigned char>(rest_[0])) != 0;
    if (!letters) return exactly({letter()});
    Matched any;
    any.ends_word = take("s") || take("W");
    check(any.ends_word || take("S") || take("w") || take("d") || take("D"), "a known escape");
    return any;
  }

  // letters reads a class such as [a-z.] behind its bracket.
  Matched letters() {
    const bool negated = take("^");
    bool told = !negated;    // Letter by letter.
    bool has_words = false;  // And one of them is of words.
    bool all_words = false;
    OneOf all;
    for (bool first = true; first || !rest_.starts_with("]"); first = false) {
      check(!rest_.empty(), "a class that ends");
      all_words = all_words || rest_.starts_with("\\w");
      const Matched one = take("\\") ? escaped() : exactly({letter()});
      told = told && one.whole;
      has_words = has_words || (one.whole ? is_word_letter(one.texts[0].back()) : !one.ends_word);
      all.insert(all.end(), one.texts.begin(), one.texts.end());
      const bool range = rest_.starts_with("-") && !rest_.starts_with("-]");
      told = told && !range;
      has_words = has_words || range;
    }
    take("]");
    if (told && all.size() <= kClassMax) return exactly(std::move(all));
    Matched any;
    any.ends_word = negated ? all_words : !has_words;
    return any;
  }

  std::string_view rest_;
};

}  // namespace

std::vector<OneOf> needed_words(std::string_view pattern) {
  PatternReader reader(pattern);
  Matched all = reader.alternatives();
  check(reader.at_end(), "a pattern that is read to its end");
  if (all.whole) add_needed(all.needed, std::move(all.texts));
  return std::move(all.needed);
}

}  // namespace plumbline::conformance
