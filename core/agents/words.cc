#include "core/agents/words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/agents/letters.h"

namespace plumbline::agents {

namespace {

bool is_word_byte(char c) {
  return is_lower(c) || is_upper(c) || is_digit(c) || static_cast<unsigned char>(c) > 127;
}

// Sorted.
constexpr std::array kEmptyWords = std::to_array<std::string_view>(
    {"a",    "all",  "also",  "am",   "an",    "and",   "any",   "are",    "as",    "at",   "be",
     "by",   "can",  "could", "do",   "does",  "each",  "every", "for",    "from",  "have", "i",
     "if",   "in",   "into",  "is",   "it",    "its",   "let",   "many",   "me",    "my",   "need",
     "of",   "on",   "one",   "or",   "our",   "out",   "over",  "please", "so",    "some", "tell",
     "that", "the",  "their", "them", "then",  "there", "these", "this",   "those", "to",   "up",
     "us",   "want", "we",    "what", "which", "with",  "you"});
static_assert(std::ranges::is_sorted(kEmptyWords));

struct Synonym {
  std::string_view word;   // Folded.
  std::string_view group;  // The word that stands for its group.
};

// Sorted by word.
constexpr std::array kSynonyms = std::to_array<Synonym>({{"change", "update"},
                                                         {"db", "database"},
                                                         {"dir", "folder"},
                                                         {"directory", "folder"},
                                                         {"display", "show"},
                                                         {"doc", "document"},
                                                         {"enumerate", "list"},
                                                         {"erase", "delete"},
                                                         {"fetch", "get"},
                                                         {"find", "search"},
                                                         {"lookup", "search"},
                                                         {"mail", "email"},
                                                         {"modify", "update"},
                                                         {"query", "search"},
                                                         {"remove", "delete"},
                                                         {"repository", "repo"},
                                                         {"retrieve", "get"},
                                                         {"summarise", "summarize"},
                                                         {"view", "show"}});
static_assert(std::ranges::is_sorted(kSynonyms, {}, &Synonym::word));

void fold_in_place(std::string& word) {
  const auto ends = [&](std::string_view ending, std::size_t rest_min) {
    return word.size() >= ending.size() + rest_min && word.ends_with(ending);
  };
  if (word.ends_with('s')) {
    if (ends("ies", 2)) {
      word.replace(word.size() - 3, 3, "y");
    } else if (ends("sses", 1) || ends("xes", 1) || ends("ches", 1) || ends("shes", 1)) {
      word.resize(word.size() - 2);
    } else if (ends("s", 3) && !ends("ss", 1) && !ends("us", 1) && !ends("is", 1)) {
      word.resize(word.size() - 1);
    }
  }
  const auto synonym = std::ranges::lower_bound(kSynonyms, word, {}, &Synonym::word);
  if (synonym != kSynonyms.end() && synonym->word == word) word = synonym->group;
}

}  // namespace

bool WordReader::next() {
  const std::size_t gap_begin = at_;
  while (at_ < text_.size() && !is_word_byte(text_[at_])) ++at_;
  gap_ = text_.substr(gap_begin, at_ - gap_begin);
  word_.clear();
  while (at_ < text_.size() && is_word_byte(text_[at_])) {
    const bool starts_hump = !word_.empty() && is_upper(text_[at_]) && !is_upper(text_[at_ - 1]);
    if (starts_hump) break;
    word_ += lower(text_[at_++]);
  }
  return !word_.empty();
}

bool WordReader::next_content() {
  while (next()) {
    if (is_empty_word(word_)) continue;
    fold_in_place(word_);
    return true;
  }
  return false;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (WordReader reader(text); reader.next();) words.push_back(reader.word());
  return words;
}

std::string fold(std::string_view word) {
  std::string folded(word);
  fold_in_place(folded);
  return folded;
}

bool is_empty_word(std::string_view word) { return std::ranges::binary_search(kEmptyWords, word); }

std::vector<std::string> content_words(std::string_view text) {
  std::vector<std::string> out;
  for (WordReader reader(text); reader.next_content();) {
    if (!contains(out, reader.word())) out.push_back(reader.word());
  }
  return out;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::string squeeze(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= 32 || c == 127;
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace plumbline::agents
