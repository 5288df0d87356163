// Words of a request and of a capability, folded so that they can be compared.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::agents {

// WordReader hands out the words of a text one after the other: in lower case, split at anything
// that is no letter or digit, at underscores, and where camelCase changes case. Bytes above 127
// count as letters. The text must outlive the reader.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}
  WordReader(const WordReader&) = delete;
  WordReader& operator=(const WordReader&) = delete;

  // next goes to the next word and returns whether there is one.
  bool next();

  // next_content goes to the next word that carries meaning, and folds it.
  bool next_content();

  // word returns where the reader stands, gap what stands between it and the word before. Both
  // live until the next step.
  std::string_view word() const { return word_; }
  std::string_view gap() const { return gap_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view word_;  // In the text, or in lower_.
  std::string_view gap_;
  std::string lower_;
};

// words_of returns all words of `text`.
std::vector<std::string> words_of(std::string_view text);

// fold returns the form under which a word is compared: without plural and verb endings, and with
// one word for each group of synonyms ("directories" and "folder" are "folder"). `word` is in
// lower case.
std::string fold(std::string_view word);

// is_empty_word returns whether a word carries no meaning here: "the", "please", "of" ...
bool is_empty_word(std::string_view word);

// content_words returns the folded words of `text` without the empty ones, each once, in order.
std::vector<std::string> content_words(std::string_view text);

bool contains(const std::vector<std::string>& words, std::string_view word);

// squeeze trims `text` and turns each run of white space and control characters into one space.
std::string squeeze(std::string_view text);

}  // namespace plumbline::agents
