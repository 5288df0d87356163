#include "core/agents/command_line/rules/words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/wire/utf8.h"

namespace plumbline::agents::command_line {

namespace {

// Read as what they say only where a command begins, and refused there even in quotes: whoever
// means a program of such a name can write its path.
constexpr std::array<std::string_view, 22> kReserved = {
    "!",   "[[",       "]]", "case", "coproc", "do",   "done", "elif", "else",  "esac",  "fi",
    "for", "function", "if", "in",   "select", "then", "time", "{",    "until", "while", "}"};

Error refusal(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

// meaning_of returns what a shell reads an unquoted character as; empty: as itself. `begins`: a
// path may begin here, `word_begins`: a word does.
std::string_view meaning_of(char c, bool path_begins, bool word_begins) {
  switch (c) {
    case '\n':
      return "the end of a command";
    case ';':
    case '&':
    case '|':
      return "the end of a command";
    case '<':
    case '>':
      return "a redirection";
    case '(':
    case ')':
      return "a subshell";
    case '$':
    case '`':
      return "an expansion";
    case '*':
    case '?':
    case '[':
      return "a pattern of file names";
    case '{':
    case '}':
      return "a list or group in braces";
    case '~':
      return path_begins ? "a home folder" : "";
    case '#':
      return word_begins ? "a comment" : "";
    default:
      return "";
  }
}

class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  Result<std::vector<std::string>> run() {
    while (at_ < line_.size() && !error_) step();
    end_word();
    if (!error_ && words_.empty()) error_ = refusal("the command line is empty");
    if (!error_) check_first();
    if (error_) return *std::move(error_);
    return std::move(words_);
  }

 private:
  void step() {
    const char c = line_[at_];
    if (c == ' ' || c == '\t') {
      end_word();
      ++at_;
    } else if (c == '\'') {
      single_quotes();
    } else if (c == '"') {
      double_quotes();
    } else if (c == '\\') {
      backslash();
    } else {
      plain(c);
    }
  }

  void plain(char c) {
    const bool path_begins = word_.empty() || word_.back() == '=' || word_.back() == ':';
    const std::string_view meaning = meaning_of(c, path_begins, !in_word_);
    if (!meaning.empty()) return refuse(meaning);
    if (c == '=' && words_.empty()) return refuse("a variable that is set");
    add(c);
  }

  // In single quotes everything is itself.
  void single_quotes() {
    const std::size_t end = line_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return open_quote();
    in_word_ = true;
    word_ += line_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
  }

  // In double quotes a backslash quotes these four alone, and what begins an expansion still does.
  void double_quotes() {
    const std::size_t begin = at_++;
    in_word_ = true;
    while (at_ < line_.size() && line_[at_] != '"') {
      const char c = line_[at_];
      const char next = at_ + 1 < line_.size() ? line_[at_ + 1] : '\0';
      if (c == '$' || c == '`') return refuse("an expansion");
      if (c == '\\' && next == '\n') return refuse("a line that goes on");
      if (c == '\\' && std::string_view("$`\"\\").find(next) != std::string_view::npos) ++at_;
      add(line_[at_]);
    }
    if (at_ < line_.size()) {
      ++at_;
    } else {
      at_ = begin;
      open_quote();
    }
  }

  void backslash() {
    if (at_ + 1 == line_.size()) return refuse("the beginning of an escape");
    if (line_[at_ + 1] == '\n') return refuse("a line that goes on");
    ++at_;
    add(line_[at_]);
  }

  void add(char c) {
    in_word_ = true;
    word_ += c;
    ++at_;
  }

  void end_word() {
    if (!in_word_) return;
    words_.push_back(std::exchange(word_, {}));
    in_word_ = false;
  }

  void check_first() {
    const std::string& first = words_.front();
    if (std::ranges::find(kReserved, first) == kReserved.end()) return;
    error_ = refusal("\"" + first + "\" is a word of the shell, expected a program first");
  }

  void open_quote() {
    error_ = refusal(std::string("the quote ") + line_[at_] + " at byte " + std::to_string(at_) +
                     " is never closed");
  }

  void refuse(std::string_view meaning) {
    const char c = line_[at_];
    const std::string shown = c == '\n' ? "a line break" : std::string("\"") + c + "\"";
    error_ = refusal("a shell would read " + shown + " at byte " + std::to_string(at_) + " as " +
                     std::string(meaning) + ", and none is started: quote it if it is meant so");
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::vector<std::string> words_;
  std::optional<Error> error_;
};

}  // namespace

Status check_text(std::string_view line) {
  if (line.size() > kLineBytesMax) {
    return Error{ErrorCode::kLimitReached, "the command line has " + std::to_string(line.size()) +
                                               " bytes, at most " + std::to_string(kLineBytesMax) +
                                               " are read"};
  }
  const auto control = std::ranges::find_if(line, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
  });
  if (control != line.end()) {
    return refusal("the command line has a control character at byte " +
                   std::to_string(control - line.begin()));
  }
  if (!wire::is_utf8(line)) return refusal("the command line is not UTF-8");
  return Done{};
}

Result<std::vector<std::string>> split_words(std::string_view line) {
  const Status text = check_text(line);
  if (!text.ok()) return text.error();
  return Splitter(line).run();
}

}  // namespace plumbline::agents::command_line
