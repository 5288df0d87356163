// Signs and marks of what is named in a text: name=value, "name": "value".

#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/secrets/ascii.h"

namespace plumbline {

inline constexpr std::size_t kNameBytesMax = 64;
inline constexpr std::size_t kGapMax = 32;      // Of spaces around a sign.
inline constexpr std::size_t kLineGapMax = 64;  // Of line breaks and spaces there.

inline bool is_gap(char c) { return c == ' ' || c == '\t'; }
inline bool ends_line(char c) { return c == '\n' || c == '\r'; }
inline bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
inline bool is_word_byte(char c) { return ascii_word(c) || c == '_' || c == '-' || c == '.'; }

// Mark is what a string is put into: a quote, behind as many backslashes as it is escaped by.
struct Mark {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

// mark_at returns the mark that begins at `at`; an empty one: none does.
Mark mark_at(std::string_view text, std::size_t at);

// close_of returns where the string ends that `mark` has opened; the end of the text: nowhere.
std::size_t close_of(std::string_view text, const Mark& mark);

// NameBefore is what stands before a sign: name=, "name":, --name=.
struct NameBefore {
  std::string_view name;
  Mark mark;            // That it is in; empty: none.
  bool option = false;  // Dashes stand before it.
  bool paired = false;  // Another member has told it.
  char before = '\n';   // What stands before it.

  bool quoted() const { return mark.end > mark.begin; }

  // around returns the quote that may be around both, the name and its value; none for a name that
  // is in quotes of its own.
  char around() const { return quoted() ? '\0' : before; }
};

// name_before returns what stands before the sign at `sign`, and behind `from`.
NameBefore name_before(std::string_view text, std::size_t sign, std::size_t from);

// behind_gap returns where the next byte stands that is no space, near `at`.
std::size_t behind_gap(std::string_view text, std::size_t at);

// describes_type returns whether at `begin` an object like {"type": "string"} begins: what a schema
// says of a member.
bool describes_type(std::string_view text, std::size_t begin);

// ends_bare returns whether a value that is in no quotes ends before the byte at `at`.
bool ends_bare(std::string_view text, std::size_t at);

// is_parameter returns whether what stands before the sign at `at` is a parameter: behind ? or & of
// a URL, or before & of a form.
bool is_parameter(std::string_view text, const NameBefore& named, std::size_t at);

// take_header_option has -HX-Api-Key name a header, and returns whether it does.
bool take_header_option(std::string_view text, NameBefore& named);

// behind_colon returns where the value begins whose name ends before `at`, `quoted` or not: JSON
// may break the line before it, and Markdown ends there what is **strong**.
std::size_t behind_colon(std::string_view text, std::size_t at, bool quoted);

// words_at returns the words that begin at `at`; last_of_pointer the last name of "/user/password",
// which stands behind `mark`.
std::string_view words_at(std::string_view text, std::size_t at);
std::string_view last_of_pointer(std::string_view text, const Mark& mark);

// structure_end returns where the array or object ends that begins at `at`, at most `last`; `at`:
// none does.
std::size_t structure_end(std::string_view text, std::size_t at, std::size_t last);

// with_word_before returns the name with the word before it where it may be one of two words: "API
// key", "seed phrase", "backup codes". Empty: it is none.
std::string_view with_word_before(std::string_view text, const NameBefore& named);

// is_closed returns whether the quotes around a name and its sign end before the value `behind`
// them, which goes on behind the quotes then: 'Authorization: '"$TOKEN".
bool is_closed(const NameBefore& named, std::string_view behind);

// user_of_url returns what stands before the @ of the host of a URL, whose authority begins at
// `begin`; empty: nobody. A password may hold a sign that nobody has encoded.
std::string_view user_of_url(std::string_view text, std::size_t begin);

// password_before returns where the password begins that stands before the @ at `at`, as Go writes
// it, user:password@tcp(host), where names begin at `from`; `at`: none does.
std::size_t password_before(std::string_view text, std::size_t at, std::size_t from);

// ends_alike returns whether `name` ends with `end`, whatever the case of its letters.
bool ends_alike(std::string_view name, std::string_view end);

}  // namespace plumbline
