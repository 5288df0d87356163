// Secrets that no sign stands before: in the elements of XML, in the tables of Markdown, in
// sentences, in SQL, and behind words of programs.

#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/secrets/named_secrets.h"
#include "core/base/secrets/secret_finder.h"

namespace plumbline {

// said_secret_at returns the secret of which the byte at `at` (kWordSigns) may tell: <password>X<,
// | token | X |, password is X, token "X", IDENTIFIED BY 'X', setx NAME X. An empty one: it tells
// of none. Looks at a bounded number of bytes.
Span said_secret_at(std::string_view text, std::size_t at, const NameRule& rule);

// may_say returns whether the letters around the byte at `at` are of a word that may tell: of
// nearly no others said_secret_at is to be asked.
inline bool may_say(std::string_view text, std::size_t at) {
  const auto is = [text](std::size_t place, char small) {
    return place < text.size() && (text[place] | 0x20) == small;
  };
  switch (text[at] | 0x20) {
    case 'w':
      return is(at - 1, 's');
    case 'k':
      return is(at - 1, 'o') || is(at + 1, 'e');
    case 'y':
      return is(at - 1, 'b') && is(at + 1, ' ');
    case 'x':
      return is(at - 1, 't');
    case 'v':
      return is(at + 1, 'a') && is(at + 2, 'u');
    default:
      return true;
  }
}

// looks_told returns whether `value` is a word that nobody takes for an ordinary one, where `name`
// stands near it without a sign.
bool looks_told(std::string_view value, std::string_view name);

}  // namespace plumbline
