#include "core/base/secrets/named_secrets.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/header_values.h"
#include "core/base/secrets/lines_below.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/named_search.h"
#include "core/base/secrets/part_names.h"
#include "core/base/secrets/said_secrets.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/signs.h"
#include "core/base/secrets/value_words.h"
#include "core/base/text.h"

namespace plumbline {
void NamedSearch::run() {
  for (std::size_t at = 0;; ++at) {
    at = next_sign(text_, at, kNameSign | kWordSign);
    if (at >= text_.size()) return;
    const char c = text_[at];
    if ((sign_of(c) & kWordSign) != 0) {
      if (may_say(text_, at)) add(said_secret_at(text_, at, rule_));
      continue;
    }
    done_ = std::max(done_, at);
    if (c == '=') at_equals(at);
    if (c == ':') at_colon(at);
    if (c == '-') at_dash(at);
    if (c == '@') at_sign(at);
    if (done_ > at) at = done_ - 1;
    if (c == '=' || c == ':') from_ = std::max(from_, std::min(at + 1, name_ahead_));
    name_ahead_ = std::string_view::npos;
  }
}

namespace {

// is_index returns whether the name stands in quotes, and those in brackets: ["name"].
bool is_index(std::string_view text, const NameBefore& named) {
  const auto begin = static_cast<std::size_t>(named.name.data() - text.data());
  const std::size_t mark = named.mark.end - named.mark.begin;
  return mark > 0 && begin > mark && text[begin - mark - 1] == '[';
}

}  // namespace

void NamedSearch::at_equals(std::size_t at) {
  std::size_t value = at + 1;
  if (value < text_.size() && text_[value] == '=') return;
  NameBefore named = name_before(text_, at, from_);
  if (value < text_.size() && text_[value] == '>') ++value;
  if (named.name.size() < 2) return;
  if (is_index(text_, named)) {  // Of code: what stands in no quotes is a name, too.
    const std::size_t next = behind_gap(text_, value);
    if (prefixed_mark(text_, next).end <= next) return;
  }
  take_word_before(named);
  if (named.option && takes_user(named.name)) return user_at(value);
  take_pair(value, named);
  before_name(at);
  if (named.name == "name") form_part(at);
  const bool parameter = !named.paired && names(named.name, NamedAs::kParameter);
  if (parameter && is_parameter(text_, named, at)) return this->parameter(value, named);
  const bool widely = named.option || named.paired;
  const NamedAs as = widely ? NamedAs::kVariable : NamedAs::kMember;
  if (!names(named.name, as)) return;
  const bool apart = is_gap(text_[at - 1]) || text_[at - 1] == '+' || text_[at - 1] == '?';
  if (apart) value = behind_gap(text_, value);
  if (names_whole_header(named.name) && begins_header(text_, value)) return header(value, named);
  const bool folder = named.name == "pwd" && text_.substr(value).starts_with('/');
  if (named.option && is_metavariable(text_.substr(value, behind(value, kWordEnds) - value)))
    return;
  if (!folder) this->value(value, named, apart);
}

void NamedSearch::parameter(std::size_t value, const NameBefore& named) {
  if (const std::size_t end = behind_brackets(text_, value)) return add(value, end);
  const std::size_t end = behind(value, "& \t\r\n\"'<>#\\`|^{}");
  const std::string_view told = text_.substr(value, end - value);
  // Three digits are the status of a response.
  const bool status =
      named.name == "code" && told.size() <= 3 && std::ranges::all_of(told, ascii_digit);
  if (!status && !is_ordinary_value(told)) add(value, end);
}

void NamedSearch::at_colon(std::size_t at) {
  if (text_.substr(at).starts_with("://")) return url(at);
  std::size_t value = at + 1;
  if (value < text_.size() && text_[value] == ':') {
    done_ = at + 2;
    return;
  }
  NameBefore named = name_before(text_, at, from_);
  const bool quoted = named.mark.end > named.mark.begin;
  if (named.name.empty() || (!quoted && named.name.size() < 2)) return;
  if (named.option && !take_header_option(text_, named)) return;
  take_word_before(named);
  if (value < text_.size() && text_[value] == '=') ++value;
  value = behind_colon(text_, value, quoted);
  const Span known = known_by_place(text_, at, value, named.name);
  if (known.end > known.begin) return add(known);
  if (!quoted && closes_string(text_, mark_at(text_, value))) return;
  if (is_closed(named, text_.substr(value))) {
    const bool goes_on = value + 1 < text_.size() && !ends_bare(text_, value + 1);
    const bool quoted_on = mark_at(text_, value + 1).end > value + 1;
    if ((goes_on || quoted_on) && names(named.name, NamedAs::kHeader)) word(value + 1);
    return;
  }
  if (quoted) {
    take_pair(value, named);
  } else if (value > at + 1) {
    take_line_pair(value, named);
  }
  if (names_whole_header(named.name)) {
    const char first = value < text_.size() ? text_[value] : ' ';
    const Mark mark = prefixed_mark(text_, value);
    if (mark.end == mark.begin && first != '[' && first != '{') {
      return header(value, named);
    }
  }
  if (ends_alike(named.name, "headers") && value < text_.size() && text_[value] == '[') {
    headers(value);
  }
  const bool dashed = named.name.find('-') != std::string_view::npos;
  if (!quoted && value < text_.size() && ends_line(text_[value])) {
    if (named.name == "data" || named.name == "stringData") {
      secret_data(text_, at, value, found_);
    }
    return below(at, value, named);
  }
  if (!names(named.name, dashed || named.paired ? NamedAs::kHeader : NamedAs::kMember)) return;
  if (!quoted) value = behind_tag(text_, value);
  if (begins_block(text_, value)) return add(block_below(text_, at, value));
  this->value(value, named, !quoted);
}

void NamedSearch::below(std::size_t colon, std::size_t at, const NameBefore& named) {
  std::string_view name = named.name;
  if (name.ends_with('s')) name.remove_suffix(1);  // "tokens" are counted, but for a list of them.
  if (!names(named.name, NamedAs::kMember) && !names(name, NamedAs::kMember)) return;
  std::vector<Span> words;
  const std::size_t value = words_below(text_, at, name, words);
  for (const Span& word : words) found_.push_back({word, {}});
  if (value < text_.size()) return this->value(value, named, false);
  if (words.empty()) mapping_below(text_, colon, at, name, found_);
}

void NamedSearch::take_word_before(NameBefore& named) {
  const std::string_view name = with_word_before(text_, named);
  if (name.empty() || !names(name, NamedAs::kMember)) return;
  named.before = name.data() > text_.data() ? name.data()[-1] : '\n';
  named.name = name;
}

void NamedSearch::take_pair(std::size_t value, NameBefore& named) {
  const unsigned parts = parts_of(named.name);
  if (parts == 0) return;
  const Mark mark = mark_at(text_, value);
  const std::string_view near = text_.substr(0, mark.end + kNameBytesMax);
  const bool is_value = (parts & kValuePart) != 0;
  const bool is_near = (parts & kNearPart) != 0;
  if ((is_value || is_near) && !told_.empty()) {
    const std::string_view told = std::exchange(told_, {});
    const std::size_t close = mark.end > value ? close_of(near, mark) : value;
    if (is_near && !looks_told(text_.substr(mark.end, close - mark.end), told)) return;
    named.name = told;
    named.paired = true;
  }
  if (mark.end == value) return;
  if (is_value && !named.paired) pending_ = {mark.end, close_of(near, mark)};
  const std::string_view word = words_at(near, mark.end);
  const bool kind = (parts & kKindPart) != 0 && is_secret_kind(word);
  const bool pointer = (parts & kPathPart) != 0 && near.substr(mark.end).starts_with('/');
  if (!kind && !pointer && (parts & kNamePart) == 0) return;
  const std::string_view told = pointer ? last_of_pointer(near, mark) : word;
  told_ = kind || names_pair(told, rule_) ? told : std::string_view();
  // Of what was hidden once, the value is still to be hidden.
  if (is_placeholder(text_.substr(mark.end))) told_ = "secret";
}

void NamedSearch::take_line_pair(std::size_t value, NameBefore& named) {
  const unsigned parts = parts_of(named.name);
  if (parts == 0 || named.name.size() < 3 || value >= text_.size()) return;
  if ((parts & kValuePart) != 0 && !told_.empty() && value - told_at_ < kPairBytesMax) {
    named.name = std::exchange(told_, {});
    named.paired = true;
  }
  if ((parts & kNamePart) == 0 || named.paired) return;
  const Mark mark = mark_at(text_, value);
  const std::string_view word = words_at(text_.substr(0, mark.end + kNameBytesMax), mark.end);
  told_ = word.find(' ') == word.npos && names_pair(word, rule_) ? word : std::string_view();
  told_at_ = value;
}

// Of <input value="X" name="password"> the value stands before the name.
void NamedSearch::before_name(std::size_t name) {
  if (told_.empty() || pending_.end <= pending_.begin || pending_.end > name) return;
  const std::string_view between = text_.substr(pending_.end, name - pending_.end);
  const bool one = between.size() < kPairBytesMax && between.find_first_of("<>\n") == between.npos;
  if (one && !is_ordinary_value(text_of(pending_))) found_.push_back({pending_, {}});
  pending_ = {};
}

// A part of a form: Content-Disposition: form-data; name="password", an empty line, the value.
void NamedSearch::form_part(std::size_t equals) {
  constexpr std::string_view kForm = "form-data";
  const std::string_view line = text_.substr(0, equals).substr(equals - std::min(equals, kNear));
  if (line.find(kForm) == line.npos) return;
  const Mark mark = mark_at(text_, equals + 1);
  if (!names_pair(words_at(text_.substr(0, mark.end + kNameBytesMax), mark.end), rule_)) return;
  const std::string_view rest = text_.substr(mark.end, kPairBytesMax);
  const std::size_t empty = std::min(rest.find("\n\n"), rest.find("\n\r\n"));
  if (empty == rest.npos) return;
  const std::size_t begin =
      std::min(text_.find_first_not_of("\r\n", mark.end + empty), text_.size());
  const std::size_t end = behind(begin, "\r\n");
  if (text_.substr(begin).starts_with("--")) return;
  const Span value{begin, end};
  if (!is_ordinary_value(text_of(value))) found_.push_back({value, {}});
}

void NamedSearch::url(std::size_t colon) {
  if (colon == 0 || !is_word_byte(text_[colon - 1])) return;
  const std::size_t begin = colon + 3;
  done_ = begin;
  const std::string_view user = user_of_url(text_, begin);
  const bool web =
      ends_alike(text_.substr(0, colon), "http") || ends_alike(text_.substr(0, colon), "https");
  const bool ordinary =
      user.find(':') == user.npos && (user == "git" || !(web || looks_random(user)));
  if (!ordinary && !is_ordinary_value(user)) add(begin, begin + user.size());
}

void NamedSearch::at_sign(std::size_t at) {
  const std::size_t begin = password_before(text_, at, from_);
  if (!is_placeholder(text_.substr(begin))) add(begin, at);
}

void add_named_secrets(std::string_view text, const NameRule& rule, std::vector<Named>& found) {
  NamedSearch(text, rule, found).run();
  if (text.find('\n') != text.npos) add_table_secrets(text, rule, found);
}

}  // namespace plumbline
