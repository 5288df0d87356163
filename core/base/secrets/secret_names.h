// Which names say that what they hold is a secret: the vocabulary of everything that hides secrets.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

namespace plumbline {

// NamedAs is where a name stands. What is a secret there may be ordinary elsewhere: "key" in the
// query of a URL opens an API, and in a JSON object it is any key.
enum class NamedAs {
  kMember,     // Of a JSON object, or in prose.
  kHeader,     // Of HTTP.
  kParameter,  // Of a URL's query or of a form.
  kVariable,   // Of the environment, or an option of a command line.
};

// names_secret returns whether what a name like this holds is a secret, however it is spelt:
// "apiKey", "X-Api-Key", "DB_PASSWORD". Not "author", "max_tokens", "progressToken", "nextCursor"
// or "token_endpoint". A name in capitals is taken for that of a variable everywhere.
bool names_secret(std::string_view name, NamedAs where);

// NameRule says of a name whether it is that of a secret, before the vocabulary is asked; nothing:
// it does not know. May be empty.
using NameRule = std::function<std::optional<bool>(std::string_view name)>;

inline bool names_secret(std::string_view name, NamedAs where, const NameRule& rule) {
  if (rule) {
    if (const std::optional<bool> known = rule(name)) return *known;
  }
  return names_secret(name, where);
}

// hides_numbers returns whether of such a name, which is one of a secret, numbers are secret too:
// "password" is, "token" is not, for it may be a count.
bool hides_numbers(std::string_view name);

// number_digits_min returns how many digits a number of such a name has at least that is a secret:
// one of a password, four of a code, as many as no count has of a token.
std::size_t number_digits_min(std::string_view name);

// takes_line returns whether what a name like this holds is a whole line of words: a phrase of many
// words, a list of codes.
bool takes_line(std::string_view name);

// suggests_value returns whether in the schema of a member that is a secret, what stands under this
// name is one: "default", "examples".
bool suggests_value(std::string_view name);

// is_ordinary_value returns whether `value` is a word that stands behind the name of a secret
// without being one: "required", "string", "null", "$TOKEN", "[redacted]".
bool is_ordinary_value(std::string_view value);

// placeholder_at returns how many bytes of `text`, from its beginning, stand in place of a secret;
// 0: none.
std::size_t placeholder_at(std::string_view text);

// is_placeholder returns whether `text` begins with what stands in place of a secret.
bool is_placeholder(std::string_view text);

// is_reference returns whether `text` is $NAME or ${NAME}, which tells nothing.
bool is_reference(std::string_view text);

// is_metavariable returns whether a word of a command line only says what stands there: TOKEN,
// URL|FILE, jwks=URL.
bool is_metavariable(std::string_view word);

// behind_brackets returns where the value in <...> or {{...}} ends that begins at `at`; 0: none
// does, or one that only says what is to stand there: <your-token>, {{ secrets.TOKEN }}, <b>.
std::size_t behind_brackets(std::string_view text, std::size_t at);

// looks_random returns whether a word is hardly one that people write: it has a digit, or capitals
// behind small letters, or is very long.
bool looks_random(std::string_view word);

}  // namespace plumbline
