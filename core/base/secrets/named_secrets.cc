#include "core/base/secrets/named_secrets.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/command_words.h"
#include "core/base/secrets/lines_below.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/said_secrets.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/signs.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

// Each byte is looked at a bounded number of times.
constexpr std::size_t kStructureReadMax = 2'048;

constexpr std::string_view kWordEnds = " \t\r\n\"'`;|&<>";

class NamedSearch {
 public:
  NamedSearch(std::string_view text, const NameRule& rule, std::vector<Named>& found)
      : text_(text), rule_(rule), found_(found) {}

  void run() {
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
      if (c == '=' || c == ':') from_ = std::max(from_, at + 1);
    }
  }

 private:
  void add(std::size_t begin, std::size_t end, std::string_view quote = {}) {
    if (begin >= end) return;
    found_.push_back({{begin, end}, quote});
    done_ = std::max(done_, end);
  }

  void add(const Span& span) { add(span.begin, span.end); }

  std::size_t behind(std::size_t at, std::string_view stops) const {
    return std::min(text_.find_first_of(stops, at), text_.size());
  }

  // at_equals: name=value, name => value.
  void at_equals(std::size_t at) {
    std::size_t value = at + 1;
    if (value < text_.size() && text_[value] == '=') return;
    NameBefore named = name_before(text_, at, from_);
    if (value < text_.size() && text_[value] == '>') ++value;
    if (named.name.size() < 2) return;
    const bool user = named.option && (named.name == "user" || named.name == "proxy-user");
    if (user) return user_at(value);
    take_pair(value, named);
    const bool parameter = !named.paired && names(named.name, NamedAs::kParameter);
    if (parameter && is_parameter(text_, named, at)) return this->parameter(value);
    const bool widely = named.option || named.paired;
    const NamedAs as = widely ? NamedAs::kVariable : NamedAs::kMember;
    if (!names(named.name, as)) return;
    const bool apart = is_gap(text_[at - 1]);
    if (apart) value = behind_gap(text_, value);
    const bool folder = named.name == "pwd" && text_.substr(value).starts_with('/');
    if (named.option && is_metavariable(text_.substr(value, behind(value, kWordEnds) - value)))
      return;
    if (!folder) this->value(value, named, apart);
  }

  void parameter(std::size_t value) {
    if (const std::size_t end = behind_brackets(text_, value)) return add(value, end);
    const std::size_t end = behind(value, "& \t\r\n\"'<>#\\`|^{}");
    if (!is_ordinary_value(text_.substr(value, end - value))) add(value, end);
  }

  // at_colon: "name": value, Header: value, name: value, scheme://user:password@host.
  void at_colon(std::size_t at) {
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
    if (value < text_.size() && text_[value] == '=') ++value;
    value = behind_colon(text_, value, quoted);
    const Span known = known_by_place(text_, at, value, named.name);
    if (known.end > known.begin) return add(known);
    if (is_closed(named, text_.substr(value))) {
      if (names(named.name, NamedAs::kHeader)) word(value + 1);
      return;
    }
    if (quoted) take_pair(value, named);
    if (ends_alike(named.name, "authorization") || ends_alike(named.name, "cookie")) {
      const char first = value < text_.size() ? text_[value] : ' ';
      if (mark_at(text_, value).end == value && first != '[' && first != '{') {
        return header(value, named);
      }
    }
    if (ends_alike(named.name, "headers") && value < text_.size() && text_[value] == '[') {
      headers(value);
    }
    const bool dashed = named.name.find('-') != std::string_view::npos;
    if (!quoted && value < text_.size() && ends_line(text_[value])) return below(value, named);
    if (!names(named.name, dashed || named.paired ? NamedAs::kHeader : NamedAs::kMember)) return;
    if (!quoted && begins_block(text_, value)) return add(block_below(text_, at, value));
    this->value(value, named, !quoted);
  }

  // below masks what stands in the lines below a name.
  void below(std::size_t at, const NameBefore& named) {
    std::string_view name = named.name;
    if (name.ends_with('s'))
      name.remove_suffix(1);  // "tokens" are counted, but for a list of them.
    if (!names(named.name, NamedAs::kMember) && !names(name, NamedAs::kMember)) return;
    std::vector<Span> words;
    const std::size_t value = words_below(text_, at, name, words);
    for (const Span& word : words) found_.push_back({word, {}});
    if (value < text_.size()) this->value(value, named, false);
  }

  // take_pair has "value" named by the "name" before it: {"name": "X-Api-Key", "value": ...}. What
  // is only near a name is a secret where it looks like one.
  void take_pair(std::size_t value, NameBefore& named) {
    constexpr auto kNames =
        std::to_array<std::string_view>({"name", "key", "header", "k", "field", "label"});
    if (named.name.size() > 7) return;
    const Mark mark = mark_at(text_, value);
    const std::string_view near = text_.substr(0, mark.end + kNameBytesMax);
    const bool is_value = named.name == "value" || named.name == "val" || named.name == "v";
    const bool is_near = named.name == "content" || named.name == "text";
    if ((is_value || is_near) && !told_.empty()) {
      const std::string_view told = std::exchange(told_, {});
      const std::size_t close = mark.end > value ? close_of(near, mark) : value;
      if (is_near && !looks_told(text_.substr(mark.end, close - mark.end), told)) return;
      named.name = told;
      named.paired = true;
    }
    const bool pointer = named.name == "path" && near.substr(mark.end).starts_with('/');
    if (mark.end == value || (!pointer && !is_one_of(named.name, kNames))) return;
    const std::string_view told = pointer ? last_of_pointer(near, mark) : words_at(near, mark.end);
    told_ = names(told, NamedAs::kHeader) ? told : std::string_view();
    // Of what was hidden once, the value is still to be hidden.
    if (is_placeholder(text_.substr(mark.end))) told_ = "secret";
  }

  // String is one in quotes, within a list or an object.
  struct String : Span {
    bool is_name = false;
    bool has_next = false;  // A comma stands behind it.
  };

  // each_string calls `take` with the strings between `begin` and `end`, and returns whether there
  // are any.
  template <typename Take>
  bool each_string(std::size_t begin, std::size_t end, const Take& take) {
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) {
      const Mark mark = mark_at(text_, i);
      if (mark.end == i) continue;
      any = true;
      const std::size_t close = std::min(close_of(text_, mark), end);
      i = std::min(close + (mark.end - mark.begin), end) - 1;
      const std::size_t next = behind_gap(text_, i + 1);
      const char sign = next < end ? text_[next] : ' ';
      if (mark.end < close) take(String{{mark.end, close}, sign == ':', sign == ','});
    }
    within_ = std::max(within_, end);
    return any;
  }

  std::string_view text_of(const Span& span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }

  void hide(const String& string) {
    if (!is_ordinary_value(text_of(string))) found_.push_back({string, {}});
  }

  // headers: ["Authorization", "...", "Accept", "..."]
  void headers(std::size_t begin) {
    bool named = false;
    each_string(begin, structure_from(begin), [&](const String& string) {
      if (named && !string.is_name) hide(string);
      named = !named && string.has_next && names(text_of(string), NamedAs::kHeader);
    });
  }

  // suggestions: {"type": "string", "default": "..."}, what a schema says of a secret.
  void suggestions(std::size_t begin) {
    bool suggested = false;
    each_string(begin, structure_from(begin), [&](const String& string) {
      if (suggested && !string.is_name) hide(string);
      if (string.is_name) suggested = suggests_value(text_of(string));
    });
  }

  // header masks all that a header says: its scheme may be any, and what stands behind it, too.
  void header(std::size_t value, const NameBefore& named) {
    std::size_t end = header_end(text_, value, named.before);
    while (end > value && is_gap(text_[end - 1])) --end;
    if (!is_ordinary_header(text_.substr(value, end - value))) add(value, end);
  }

  // value masks what stands behind the name and the sign. Of what may be `prose` words that say
  // nothing are kept.
  void value(std::size_t at, const NameBefore& named, bool prose) {
    if (at >= text_.size()) return;
    const Mark mark = mark_at(text_, at);
    if (mark.end > at) {
      const std::size_t close = close_of(text_, mark);
      if (!is_ordinary_value(text_.substr(mark.end, close - mark.end))) add(mark.end, close);
      return;
    }
    if (const std::size_t hidden = placeholder_at(text_.substr(at)); hidden > 0) {
      const std::size_t end = at + hidden;
      if (end < text_.size() && ascii_word(text_[end])) bare(at, named, prose);
      return;
    }
    if (const std::size_t end = behind_brackets(text_, at)) return add(at, end);
    if (describes_type(text_, at)) return suggestions(at);
    if (text_[at] == '[' || text_[at] == '{') {
      const std::size_t end = structure_from(at);
      if (end > at) return structure(at, end, named);
    }
    bare(at, named, prose);
  }

  void bare(std::size_t at, const NameBefore& named, bool prose) {
    std::size_t end = at;
    while (end < text_.size() && !ends_bare(text_, end, prose)) ++end;
    while (prose && end > at && (text_[end - 1] == '.' || text_[end - 1] == ',')) --end;
    const std::string_view value = text_.substr(at, end - at);
    const bool form = value.starts_with("{{") && value.size() < kNameBytesMax;
    if (value.empty() || is_ordinary_value(value) || form) return;
    const bool number = std::ranges::all_of(value, ascii_digit);
    const bool strong = hides_numbers(named.name) || (rule_ && rule_(named.name).value_or(false));
    const bool in_json = named.mark.end > named.mark.begin;
    if (number && !strong && (in_json || value.size() < 8)) return;
    if (prose && !strong && !looks_random(value)) return;
    add(at, end, in_json ? named.mark.of(text_) : std::string_view());
  }

  // structure_from reads what is within another structure only near by: each byte is read a bounded
  // number of times.
  std::size_t structure_from(std::size_t at) const {
    const std::size_t last = at < within_ ? at + kStructureReadMax : text_.size();
    return structure_end(text_, at, std::min(last, text_.size()));
  }

  // structure masks every text within, and none of the names.
  void structure(std::size_t begin, std::size_t end, const NameBefore& named) {
    const bool strings = each_string(begin, end, [this](const String& string) {
      if (!string.is_name) hide(string);
    });
    const bool in_json = named.mark.end > named.mark.begin;
    if (strings || (in_json && !hides_numbers(named.name))) return;
    const std::size_t last = end > begin + 1 ? end - 1 : end;
    if (is_placeholder(text_.substr(begin + 1))) return;
    add(begin + 1, last, in_json ? named.mark.of(text_) : std::string_view());
  }

  // url masks who stands before the host.
  void url(std::size_t colon) {
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

  // at_sign: user:password@tcp(host), as Go writes it.
  void at_sign(std::size_t at) {
    const std::size_t begin = password_before(text_, at, from_);
    if (!is_placeholder(text_.substr(begin))) add(begin, at);
  }

  // at_dash: --token VALUE, -pass VALUE, -u user:password, and what programs call "-p".
  void at_dash(std::size_t at) {
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
    if (text_.substr(value).starts_with("<<<"))
      value = behind_gap(text_, value + 3);  // Of a shell.
    if (option == "user" || option == "proxy-user") return user_at(value);
    if (option.size() < 3 || option.starts_with("no-")) return;
    if (!names(option, NamedAs::kVariable)) return;
    const std::string_view rest = text_.substr(value);
    if (rest.starts_with("--") && !rest.starts_with("-----")) return;
    word(value);
  }

  // behind_word returns where the next word begins, in a list of JSON too: "--token", "VALUE".
  std::size_t behind_word(std::size_t end) const {
    std::size_t at = end;
    const Mark mark = mark_at(text_, at);
    if (mark.end > at) {
      at = behind_gap(text_, mark.end);
      if (at >= text_.size() || text_[at] != ',') return end;
      return behind_gap(text_, at + 1);
    }
    return behind_gap(text_, at);
  }

  // word_from returns the word of a command line that begins at `at`, without its quotes.
  Span word_from(std::size_t at) const {
    const Mark mark = mark_at(text_, at);
    if (mark.end > at) return {mark.end, close_of(text_, mark)};
    return {at, behind(at, kWordEnds)};
  }

  void word(std::size_t at) {
    const Span word = word_from(at);
    if (const std::size_t end = behind_brackets(text_, word.begin)) return add(word.begin, end);
    const std::string_view value = text_of(word);
    if (!is_ordinary_value(value) && !is_metavariable(value)) add(word.begin, word.end);
    done_ = std::max(done_, word.end);
  }

  // user_at masks user:password; not a group as in 1000:1000.
  void user_at(std::size_t at) {
    const Span word = word_from(at);
    const std::string_view value = text_of(word);
    if (is_user_and_password(value) && !is_ordinary_value(value)) add(word.begin, word.end);
  }

  // short_option returns whether it is one of a letter, which says what it is with its program.
  bool short_option(std::string_view option, std::size_t at) {
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

  bool names(std::string_view name, NamedAs as) const { return names_secret(name, as, rule_); }

  std::string_view text_;
  const NameRule& rule_;
  std::vector<Named>& found_;
  std::size_t from_ = 0;    // Where the last sign was: names begin behind it.
  std::size_t done_ = 0;    // Up to here all is known.
  std::size_t within_ = 0;  // Up to here all strings are.
  std::string_view told_;   // The name of the "value" that comes, where it is a secret.
};

}  // namespace

void add_named_secrets(std::string_view text, const NameRule& rule, std::vector<Named>& found) {
  NamedSearch(text, rule, found).run();
}

}  // namespace plumbline
