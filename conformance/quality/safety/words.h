// Words takes a text apart for likeness.h: words, and a name in angle brackets for what is none.
// tests/quality/likeness.mjs does the same for the training; both must agree.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::conformance {

class Words {
 public:
  // `text` is in small letters, and must outlive this.
  explicit Words(std::string_view text) : text_(text) {}

  // next goes to the next word; false: there is none.
  bool next();

  // word is a word, "0" for a number, "<url>", "<mail>", "<path>", "<var>", "<tag>", or a mark.
  const std::string& word() const { return word_; }

  // is_wide returns whether the word is a run of characters of a script without spaces.
  bool is_wide() const { return wide_; }

  // is_mark returns whether it is one such as "!", and no word.
  bool is_mark() const { return mark_; }

 private:
  struct Code {
    std::uint32_t code;
    std::size_t bytes;
  };

  Code code_at(std::size_t at) const;
  bool is_ascii_at(std::size_t at) const;
  void take_address();
  void take_word();
  bool take_mail();
  bool take_mark();

  std::string_view text_;
  std::size_t at_ = 0;
  bool behind_letter_ = false;
  std::string word_;
  bool wide_ = false;
  bool mark_ = false;
};

}  // namespace plumbline::conformance
