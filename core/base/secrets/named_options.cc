#include "core/base/secrets/named_search.h"

#include <algorithm>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/command_words.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/value_words.h"

namespace plumbline {

void NamedSearch::at_dash(std::size_t at) {
  const bool first = at == 0 || is_gap(text_[at - 1]) || is_quote(text_[at - 1]) ||
                     ends_line(text_[at - 1]) || text_[at - 1] == '(' || text_[at - 1] == '[';
  if (!first) return;
  std::size_t name = at + 1;
  if (name < text_.size() && text_[name] == '-') ++name;
  std::size_t end = name;
  while (end < text_.size() && end - name < kNameBytesMax && is_word_byte(text_[end])) ++end;
  const std::string_view option = text_.substr(name, end - name);
  done_ = std::max(done_, name);
  if (option.empty()) return;
  if (name == at + 1 && short_option(option, name)) return;
  std::size_t value = behind_word(end);
  if (value == end) return;
  if (text_.substr(value).starts_with("<<<")) value = behind_gap(text_, value + 3);  // Of a shell.
  if (option == "user" || option == "proxy-user") return user_at(value);
  if (option.size() < 3 || option.starts_with("no-")) return;
  if (!names(option, NamedAs::kVariable)) return;
  const std::string_view rest = text_.substr(value);
  if (rest.starts_with("--") && !rest.starts_with("-----")) return;
  word(value);
}

std::size_t NamedSearch::behind_word(std::size_t end) const {
  std::size_t at = end;
  const Mark mark = mark_at(text_, at);
  if (mark.end > at) {
    at = behind_gap(text_, mark.end);
    if (at >= text_.size() || text_[at] != ',') return end;
    return behind_gap(text_, at + 1);
  }
  return behind_gap(text_, at);
}

Span NamedSearch::word_from(std::size_t at) const {
  if (const Mark mark = prefixed_mark(text_, at); mark.end > mark.begin) {
    return closes_string(text_, mark) ? Span{at, at} : whole_string(text_, mark, false);
  }
  return {at, behind_parts(text_, behind(at, kWordEnds), kWordEnds, '\0')};
}

void NamedSearch::word(std::size_t at) {
  const Span word = word_from(at);
  if (const std::size_t end = behind_brackets(text_, word.begin)) return add(word.begin, end);
  const std::string_view value = text_of(word);
  if (!is_ordinary_value(value) && !is_metavariable(value)) add(word.begin, word.end);
  done_ = std::max(done_, word.end);
}

void NamedSearch::user_at(std::size_t at) {
  const Span word = word_from(at);
  const std::string_view value = text_of(word);
  if (is_user_and_password(value) && !is_ordinary_value(value)) add(word.begin, word.end);
}

bool NamedSearch::short_option(std::string_view option, std::size_t at) {
  const char letter = option.front();
  if (letter == 'u' || letter == 'U') {
    const std::size_t value = option.size() == 1 ? behind_word(at + 1) : at + 1;
    const bool word = option.size() == 1 || names(option, NamedAs::kVariable);
    if (option.size() == 1 || !word) user_at(value);
    return option.size() == 1 || done_ > at;
  }
  const std::size_t near = std::min(at, 2 * kNameBytesMax);
  const ProgramOption known = program_option(text_.substr(at - near, near), letter);
  if (known == ProgramOption::kNone) return false;
  const std::size_t value = option.size() == 1 ? behind_word(at + 1) : at + 1;
  if (known == ProgramOption::kUser) {
    user_at(value);
  } else if (known != ProgramOption::kAttached || option.size() > 1) {  // mysql -p asks.
    word(value);
  }
  return true;
}

}  // namespace plumbline
