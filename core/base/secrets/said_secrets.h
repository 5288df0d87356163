// Secrets that no sign stands before: in the elements of XML, in the tables of Markdown, in
// sentences, in SQL, and behind words of programs.

#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/secrets/secret_finder.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

// said_secret_at returns the secret of which the byte at `at` (kWordSigns) may tell: <password>X<,
// | token | X |, password is X, token "X", IDENTIFIED BY 'X', setx NAME X. An empty one: it tells
// of none. Looks at a bounded number of bytes.
Span said_secret_at(std::string_view text, std::size_t at, const NameRule& rule);

// may_say returns whether the letters around the byte at `at` are of a word that may tell: of
// nearly no others said_secret_at is to be asked.
inline bool may_say(std::string_view text, std::size_t at) {
  const char before = at > 0 ? text[at - 1] : ' ';
  const char behind = at + 1 < text.size() ? text[at + 1] : ' ';
  switch (text[at]) {
    case 'w':
    case 'W':
      return (before | 0x20) == 's';
    case 'k':
    case 'K':
      return (before | 0x20) == 'o' || (behind | 0x20) == 'e';
    case 'Y':
      return (before | 0x20) == 'b';
    case 'x':
      return (before | 0x20) == 't' || before == '-';
    case 'v':
      return behind == 'a' || before == 'n';
    case 'V':
      return before == 'N';
    case 'q':
      return before == 'e' && behind == 'u';
    default:
      return true;
  }
}

inline std::string_view text_of(std::string_view text, const Span& span) {
  return text.substr(span.begin, span.end - span.begin);
}

// in_quotes returns what stands in the quotes that begin at `at`; an empty span: none do.
Span in_quotes(std::string_view text, std::size_t at);

// word_at returns the word that begins at `at`, in quotes or not.
Span word_at(std::string_view text, std::size_t at);

// without_ends returns `span` without the bytes of `what` at its ends.
Span without_ends(std::string_view text, Span span, std::string_view what);

// told_in_sentence returns what a sentence says that the secret is whose name stands from `begin`
// to `end`: "password of ada is X", "Password for ada: X", "X is the password".
Span told_in_sentence(std::string_view text, std::size_t begin, std::size_t end,
                      std::string_view name);

// looks_told returns whether `value` is a word that nobody takes for an ordinary one, where `name`
// stands near it without a sign.
bool looks_told(std::string_view value, std::string_view name);

}  // namespace plumbline
