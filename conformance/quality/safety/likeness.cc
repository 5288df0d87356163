#include "conformance/quality/safety/likeness.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "conformance/quality/safety/concepts.h"
#include "conformance/quality/safety/sentences.h"
#include "conformance/quality/safety/small_letters.h"
#include "conformance/quality/safety/vocabulary.h"
#include "conformance/quality/safety/words.h"
#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr unsigned kBits = 20;         // Of the number of a feature.
constexpr std::uint64_t kPad = 40;     // Added to the number of features of a passage.
constexpr std::size_t kStem = 6;       // Letters of a word that count in a pair of words.
constexpr std::size_t kPrefix = 4;     // Letters of a longer word that count by themselves.
constexpr std::size_t kRead = 20'000;  // Bytes of a text.
constexpr std::size_t kWordsShown = 4;
constexpr std::string_view kDescription = "description";
constexpr char kNoWeight = 'P';
constexpr char kNoGap = '"';
constexpr std::size_t kFarGap = 92;  // The gap goes on with the next letter.

struct Weights {
  std::array<std::int8_t, std::size_t{1} << kBits> of{};
  std::int64_t limit = 0;     // Above this score, a passage reads like poison,
  std::int64_t clear = 0;     // and above this one clearly, as an answer must that anybody wrote.
  std::int64_t doubt = 0;     // Below this one, it doesn't at all,
  std::int64_t concepts = 0;  // nor below this one, where only concepts were seen.
  std::int64_t near = 0;      // Below this one, concepts are not weighed: they'd not be enough.
};

// add_weights reads a line of them: by turns the gap to the next feature with a weight, from
// `number` on, and its weight.
bool add_weights(std::string_view line, std::size_t& number,
                 std::array<std::int8_t, std::size_t{1} << kBits>& to) {
  for (std::size_t at = 0; at + 1 < line.size(); ++at) {
    const auto gap = static_cast<std::size_t>(line[at] - kNoGap);
    number += gap;
    if (gap == kFarGap) continue;
    check(number < to.size(), "a weight of likeness.tsv is that of a feature");
    to[number] = static_cast<std::int8_t>(line[++at] - kNoWeight);
  }
  return !line.empty();
}

const Weights& weights() {
  static const Weights kWeights = [] {
    Weights read;
    std::size_t number = 0;
    bool any = false;
    Columns columns(table_text("likeness.tsv"));
    while (columns.next_line()) {
      const std::string_view what = columns.next();
      const std::string_view value = columns.next();
      std::int64_t* const line = what == "limit"      ? &read.limit
                                 : what == "clear"    ? &read.clear
                                 : what == "doubt"    ? &read.doubt
                                 : what == "concepts" ? &read.concepts
                                 : what == "near"     ? &read.near
                                                      : nullptr;
      if (line != nullptr) std::from_chars(value.data(), value.data() + value.size(), *line);
      if (what != "weights") continue;
      any = add_weights(value, number, read.of);
    }
    check(any, "likeness.tsv has weights");
    return read;
  }();
  return kWeights;
}

// Number is that of a feature: FNV-1a of its name, mixed so that the high bits can be taken.
class Number {
 public:
  explicit Number(char kind) { add(std::string_view(&kind, 1)); }

  Number& add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x01000193U;
    return *this;
  }
  std::uint32_t value() const { return ((hash_ ^ hash_ >> 15U) * 0x2c1b3c6dU) >> (32U - kBits); }

 private:
  std::uint32_t hash_ = 0x811c9dc5U;
};

// end_of returns where the first `letters` letters of `text` end, or its size.
std::size_t end_of(std::string_view text, std::size_t letters) {
  std::size_t at = 0;
  while (at < text.size() && letters-- > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) ++at;
  }
  return at;
}

// add_features adds those of one word of a text of the kind `kind`; `before` is the stem of the
// word before it, and becomes its own. What an honest description says may be odd for an argument,
// so a word of another kind counts by itself, too.
void add_features(const Words& words, std::string_view kind, std::string& before,
                  std::vector<std::uint32_t>& to) {
  const std::string_view word = words.word();
  if (words.is_wide()) {
    for (std::string_view rest = word; !rest.empty(); rest.remove_prefix(end_of(rest, 1))) {
      const std::size_t two = end_of(rest, 2);
      if (two == end_of(rest, 1)) break;
      to.push_back(Number('c').add(rest.substr(0, two)).value());
      const std::size_t three = end_of(rest, 3);
      if (three > two) to.push_back(Number('c').add(rest.substr(0, three)).value());
    }
    before.clear();
    return;
  }
  to.push_back(Number('w').add(word).value());
  if (kind != kDescription) to.push_back(Number('k').add(kind).add(" ").add(word).value());
  const std::size_t prefix = end_of(word, kPrefix);
  if (prefix < word.size()) to.push_back(Number('p').add(word.substr(0, prefix)).value());
  const std::string_view stem = word.substr(0, end_of(word, kStem));
  if (!before.empty()) to.push_back(Number('b').add(before).add(" ").add(stem).value());
  before = stem;
}

std::vector<std::uint32_t> features_of(std::string_view sentence, std::string_view kind) {
  std::vector<std::uint32_t> features;
  const std::string small = small_letters(sentence);
  std::string before;
  for (Words words(small); words.next();) add_features(words, kind, before, features);
  return features;
}

// add_concepts_of adds a feature for each concept that `sentence` has, and for each two of them.
void add_concepts_of(std::string_view sentence, const std::vector<int>& phrases,
                     std::vector<std::uint32_t>& to) {
  const std::span<const std::string_view> names = Vocabulary::all().weighed();
  const ConceptMask said = said_at_all(Vocabulary::all().said_in(sentence, phrases));
  const auto has = [&](std::size_t one) { return (said >> one & 1U) != 0; };
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!has(i)) continue;
    to.push_back(Number('C').add(names[i]).value());
    for (std::size_t other = 0; other < i; ++other) {
      if (!has(other)) continue;
      to.push_back(Number('C').add(names[other]).add("+").add(names[i]).value());
    }
  }
}

std::uint64_t whole_root(std::uint64_t of) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 20U; bit != 0; bit >>= 1U) {
    if ((root | bit) * (root | bit) <= of) root |= bit;
  }
  return root;
}

std::string_view kind_of(const Text& text) {
  if (text.kind == Text::Kind::kArgument) return "argument";
  if (text.kind == Text::Kind::kValue) return "value";
  if (text.kind == Text::Kind::kAnswer) return "answer";
  return names_argument(text) ? "name" : kDescription;
}

std::int64_t limit_for(const Text& text) {
  return text.kind == Text::Kind::kAnswer ? weights().clear : weights().limit;
}

// doubt_for returns the score that a text needs at least for what is seen in it to count.
std::int64_t doubt_for(const Text& text, LikenessScorer::Seen seen) {
  if (text.kind == Text::Kind::kAnswer) return weights().clear;
  return seen == LikenessScorer::Seen::kSigns ? weights().doubt : weights().concepts;
}

struct WeighedWord {
  std::string word;
  std::size_t at;
  int weight;
};

// heaviest returns the words of a passage that weigh most for poison, in their order.
std::vector<std::string> heaviest(std::string_view passage, std::string_view kind) {
  std::vector<WeighedWord> all;
  const std::string small = small_letters(passage);
  std::string before;
  for (Words words(small); words.next();) {
    std::vector<std::uint32_t> features;
    add_features(words, kind, before, features);
    int weight = 0;
    for (const std::uint32_t feature : features) weight += weights().of[feature];
    const bool known =
        std::ranges::any_of(all, [&](const WeighedWord& one) { return one.word == words.word(); });
    if (weight > 0 && !known && !words.is_mark()) {
      all.push_back({words.word(), all.size(), weight});
    }
  }
  std::ranges::sort(all, [](const WeighedWord& a, const WeighedWord& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.at < b.at;
  });
  all.resize(std::min(all.size(), kWordsShown));
  std::ranges::sort(all, {}, &WeighedWord::at);
  std::vector<std::string> words;
  for (WeighedWord& one : all) words.push_back(std::move(one.word));
  return words;
}

// asks_the_user returns whether `passage` of `text` says that the user is asked or shown: many an
// honest text does, in the words of poison.
bool asks_the_user(const SaidText& text, std::string_view passage) {
  const Vocabulary& vocabulary = Vocabulary::all();
  return vocabulary.asks_the_user(vocabulary.said_of(passage, text.possible, ~ConceptMask{0}));
}

}  // namespace

LikenessScorer::LikenessScorer() : seen_in_(std::size_t{1} << kBits) {}

std::int64_t LikenessScorer::weigh(std::string_view kind, std::span<const std::uint32_t> first,
                                   std::span<const std::uint32_t> second) {
  ++passage_;
  std::int64_t sum = 0;
  std::uint64_t count = 0;
  const auto add = [&](std::uint32_t feature) {
    if (std::exchange(seen_in_[feature], passage_) == passage_) return;
    sum += weights().of[feature];
    ++count;
  };
  add(Number('k').add(kind).value());
  for (const std::uint32_t feature : first) add(feature);
  for (const std::uint32_t feature : second) add(feature);
  return sum * 65'536 / static_cast<std::int64_t>(whole_root((count + kPad) << 16U));
}

LikenessScorer::Best LikenessScorer::best_of(std::string_view said, std::string_view kind,
                                             const std::vector<int>& phrases) {
  Best best;
  std::string_view before;
  std::vector<std::uint32_t> features_before;
  for (const std::string_view sentence : sentences(beginning(said, kRead))) {
    std::vector<std::uint32_t> features = features_of(sentence, kind);
    if (!phrases.empty()) add_concepts_of(sentence, phrases, features);
    const std::int64_t alone = weigh(kind, {}, features);
    if (alone > best.score) best = {sentence, alone};
    if (!before.empty()) {
      const std::int64_t both = weigh(kind, features_before, features);
      const auto size = static_cast<std::size_t>(sentence.data() - before.data());
      if (both > best.score) best = {{before.data(), size + sentence.size()}, both};
    }
    before = sentence;
    features_before = std::move(features);
  }
  return best;
}

LikenessScorer::Best LikenessScorer::best_of(const SaidText& text, std::string_view said) {
  if (says_nothing(text.text->text)) return {};
  const Best best = best_of(said, kind_of(*text.text), {});
  if (best.score < weights().near) return best;
  const std::vector<int> phrases = Vocabulary::all().of_concepts(text.possible);
  return phrases.empty() ? best : best_of(said, kind_of(*text.text), phrases);
}

Likeness LikenessScorer::most_like_poison(std::span<const SaidText> texts) {
  Likeness most;
  std::int64_t over = 0;  // Its limit.
  for (const SaidText& text : texts) {
    const std::int64_t limit = limit_for(*text.text);
    Best best = best_of(text, text.said);
    if (best.score <= limit + over) continue;
    const Quotes quotes = quotes_of(text);
    if (quotes.looks_for_attacks) best = best_of(text, quotes.rest);
    if (best.score <= limit + over) continue;
    over = best.score - limit;
    most = {text.text, std::string(best.passage), heaviest(best.passage, kind_of(*text.text))};
  }
  return most;
}

bool LikenessScorer::may_be_poison(std::span<const SaidText> texts, Seen seen) {
  return std::ranges::any_of(texts, [&](const SaidText& text) {
    const Best best = best_of(text, text.said);
    if (best.score < doubt_for(*text.text, seen)) return false;
    return best.score >= limit_for(*text.text) || !asks_the_user(text, best.passage);
  });
}

bool LikenessScorer::clearly_reads_like_poison(const SaidText& text) {
  return best_of(text, text.said).score > weights().clear;
}

std::int64_t LikenessScorer::score(std::string_view text) {
  std::vector<std::uint32_t> features = features_of(text, kDescription);
  PatternSet::Search search(Phrases::all().patterns());
  add_concepts_of(text, Vocabulary::all().of_concepts(search.possible_in(text)), features);
  return weigh(kDescription, {}, features);
}

}  // namespace plumbline::conformance
