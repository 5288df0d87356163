#include "core/agents/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace plumbline::agents {

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_byte(char c) {
  return is_upper(c) || is_lower(c) || is_digit(c) || static_cast<unsigned char>(c) > 127;
}
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::array<std::string_view, 62> kEmptyWords = {
    "a",    "all",  "also",  "am",   "an",    "and",   "any",   "are",    "as",    "at",   "be",
    "by",   "can",  "could", "do",   "does",  "each",  "every", "for",    "from",  "have", "i",
    "if",   "in",   "into",  "is",   "it",    "its",   "let",   "many",   "me",    "my",   "need",
    "of",   "on",   "one",   "or",   "our",   "out",   "over",  "please", "so",    "some", "tell",
    "that", "the",  "their", "them", "then",  "there", "these", "this",   "those", "to",   "up",
    "us",   "want", "we",    "what", "which", "with",  "you"};

// Each pair: a folded word, and the word that stands for its group.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kSynonyms = {
    {{"directory", "folder"},
     {"dir", "folder"},
     {"mail", "email"},
     {"lookup", "search"},
     {"find", "search"},
     {"query", "search"},
     {"display", "show"},
     {"view", "show"},
     {"retrieve", "get"},
     {"fetch", "get"},
     {"remove", "delete"},
     {"erase", "delete"},
     {"modify", "update"},
     {"change", "update"},
     {"repository", "repo"},
     {"db", "database"},
     {"doc", "document"},
     {"enumerate", "list"},
     {"summarise", "summarize"}}};

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!is_word_byte(c)) {
      finish();
      continue;
    }
    const bool starts_hump =
        is_upper(c) && i > 0 && (is_lower(text[i - 1]) || is_digit(text[i - 1]));
    if (starts_hump) finish();
    word += lower(c);
  }
  finish();
  return words;
}

std::string fold(std::string_view word) {
  std::string folded(word);
  const auto ends = [&](std::string_view ending, std::size_t rest_min) {
    return folded.size() >= ending.size() + rest_min && folded.ends_with(ending);
  };
  if (ends("ies", 2)) {
    folded.replace(folded.size() - 3, 3, "y");
  } else if (ends("sses", 1) || ends("xes", 1) || ends("ches", 1) || ends("shes", 1)) {
    folded.resize(folded.size() - 2);
  } else if (ends("s", 3) && !ends("ss", 1) && !ends("us", 1) && !ends("is", 1)) {
    folded.resize(folded.size() - 1);
  }
  for (const auto& [from, to] : kSynonyms) {
    if (folded == from) return std::string(to);
  }
  return folded;
}

std::vector<std::string> content_words(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string& word : words_of(text)) {
    if (std::ranges::find(kEmptyWords, word) != kEmptyWords.end()) continue;
    std::string folded = fold(word);
    if (!contains(out, folded)) out.push_back(std::move(folded));
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
