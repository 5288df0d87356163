// NamedSearch goes through a text from sign to sign and finds what is named as a secret there.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/secret_finder.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

// ProgramOption is what an option of a letter takes.
enum class ProgramOption {
  kNone,      // No secret.
  kSecret,    // sshpass -p X, sshpass -pX
  kAttached,  // mysql -pX; alone it asks.
  kUser,      // http -a user:X
};

class NamedSearch {
 public:
  NamedSearch(std::string_view text, const NameRule& rule, std::vector<Named>& found)
      : text_(text), rule_(rule), found_(found) {}

  void run();

 private:
  // Each byte is looked at a bounded number of times.
  static constexpr std::size_t kStructureReadMax = 2'048;
  static constexpr std::size_t kPairBytesMax = 512;
  static constexpr std::size_t kNear = 64;
  static constexpr std::string_view kWordEnds = " \t\r\n\"'`;|&<>";

  void add(std::size_t begin, std::size_t end, std::string_view quote = {}) {
    if (begin >= end) return;
    found_.push_back({{begin, end}, quote});
    done_ = std::max(done_, end);
  }

  void add(const Span& span) { add(span.begin, span.end); }

  std::size_t behind(std::size_t at, std::string_view stops) const;
  // at_equals: name=value, name => value.
  void at_equals(std::size_t at);
  void parameter(std::size_t value, const NameBefore& named);
  // at_colon: "name": value, Header: value, name: value, scheme://user:password@host.
  void at_colon(std::size_t at);
  // below masks what stands in the lines below a name.
  void below(std::size_t colon, std::size_t at, const NameBefore& named);
  // take_pair has "value" named by the "name" before it: {"name": "X-Api-Key", "value": ...}. What
  // is only near a name is a secret where it looks like one.
  void take_pair(std::size_t value, NameBefore& named);

  // take_line_pair does so for lines of YAML: "name: DB_PASSWORD", "value: X".
  void take_line_pair(std::size_t value, NameBefore& named);
  void before_name(std::size_t name);
  void form_part(std::size_t equals);
  // take_word_before has "API key" be a name.
  void take_word_before(NameBefore& named);

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

  void hide(const String& string);
  // headers: ["Authorization", "...", "Accept", "..."]
  void headers(std::size_t begin);
  // suggestions: {"type": "string", "default": "..."}, what a schema says of a secret.
  void suggestions(std::size_t begin);
  // header masks all that a header says: its scheme may be any, and what stands behind it, too.
  void header(std::size_t value, const NameBefore& named);
  // value masks what stands behind the name and the sign. Of what may be `prose` words that say
  // nothing are kept.
  void value(std::size_t at, const NameBefore& named, bool prose);
  void bare(std::size_t at, const NameBefore& named, bool prose);
  // string masks the string that a value at `at` is, and returns whether it is one, or code that
  // looks one up.
  bool string(std::size_t at, bool apart);
  // structure_from reads what is within another structure only near by: each byte is read a bounded
  // number of times.
  std::size_t structure_from(std::size_t at) const;
  // structure masks every text within, and none of the names.
  void structure(std::size_t begin, std::size_t end, const NameBefore& named);
  // url masks who stands before the host.
  void url(std::size_t colon);
  // at_sign: user:password@tcp(host), as Go writes it.
  void at_sign(std::size_t at);
  // at_dash: --token VALUE, -pass VALUE, -u user:password, and what programs call "-p".
  void at_dash(std::size_t at);
  // behind_word returns where the next word begins, in a list of JSON too: "--token", "VALUE".
  std::size_t behind_word(std::size_t end) const;
  // word_from returns the word of a command line that begins at `at`, without its quotes.
  Span word_from(std::size_t at) const;
  void word(std::size_t at);
  // takes_user returns whether an option takes user:password, or a file and its password.
  static bool takes_user(std::string_view option);
  // user_at masks user:password; not a group as in 1000:1000.
  void user_at(std::size_t at);
  // option_at returns what the option of this letter takes that stands at `at`.
  ProgramOption option_at(std::size_t at, char letter);
  // short_option returns whether it is one of a letter, which says what it is with its program.
  bool short_option(std::string_view option, std::size_t at);

  bool names(std::string_view name, NamedAs as) const { return names_secret(name, as, rule_); }

  std::string_view text_;
  const NameRule& rule_;
  std::vector<Named>& found_;
  std::size_t from_ = 0;  // Where the last sign was: names begin behind it.
  std::size_t name_ahead_ = std::string_view::npos;  // Of a value that may be one.
  std::size_t done_ = 0;                             // Up to here all is known.
  std::size_t within_ = 0;                           // Up to here all strings are.
  std::size_t told_at_ = 0;
  std::size_t missed_ = 0;     // Up to here no program was found that has the option
  char missed_letter_ = '\0';  // of this letter.
  Span pending_;               // A "value" that no name was told of.
  std::string_view told_;      // The name of the "value" that comes, where it is a secret.
};

}  // namespace plumbline
