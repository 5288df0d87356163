#include "fakes/shell/shell_words.h"

namespace plumbline::fakes {

namespace {

constexpr std::string_view kMeaning = "\n;&|<>()$`*?[{}";
constexpr std::string_view kMeaningInFront = "!#~";

// WordReader goes through a line byte by byte.
class WordReader {
 public:
  explicit WordReader(std::string_view line) : line_(line) {}

  std::optional<std::vector<std::string>> read() {
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == ' ' || c == '\t') {
        end_word();
      } else if (c == '\'') {
        if (!read_single()) return std::nullopt;
      } else if (c == '"') {
        if (!read_double()) return std::nullopt;
      } else if (c == '\\') {
        if (at_ == line_.size() || line_[at_] == '\n') return std::nullopt;
        add(line_[at_++]);
      } else if (means_something(c)) {
        return std::nullopt;
      } else {
        add(c);
      }
    }
    end_word();
    return std::move(words_);
  }

 private:
  bool means_something(char c) const {
    return kMeaning.find(c) != std::string_view::npos ||
           (!in_word_ && kMeaningInFront.find(c) != std::string_view::npos);
  }

  void add(char c) {
    word_ += c;
    in_word_ = true;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  bool read_single() {
    in_word_ = true;
    const std::size_t end = line_.find('\'', at_);
    if (end == std::string_view::npos) return false;
    word_ += line_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool read_double() {
    in_word_ = true;
    for (; at_ < line_.size(); ++at_) {
      char c = line_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '$' || c == '`') return false;
      if (c == '\\' && at_ + 1 < line_.size()) {
        const char next = line_[at_ + 1];
        if (next == '\n') return false;
        if (next == '"' || next == '\\' || next == '$' || next == '`') c = line_[++at_];
      }
      word_ += c;
    }
    return false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::vector<std::string> words_;
};

}  // namespace

std::optional<std::vector<std::string>> shell_words(std::string_view line) {
  return WordReader(line).read();
}

}  // namespace plumbline::fakes
