// What stands behind a name and a sign, as whole words of a shell or of a language: prefixes of
// strings, calls around them, parts that are put together.

#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/secret_finder.h"

namespace plumbline {

// closes_string returns whether the quotes of `mark` close a string of JSON instead of opening one:
// "Token: "}, "Token: ", "next".
bool closes_string(std::string_view text, const Mark& mark);

// prefixed_mark returns the mark of a string that begins at `at`, or behind what a language puts
// before one: b"S", N'S', r#"S"#, $'S'. An empty one: none does.
Mark prefixed_mark(std::string_view text, std::size_t at);

// Call is a string within the parentheses of a call, Some("S"), or what only looks a value up:
// getenv("NAME"), environ['NAME'].
struct Call {
  Mark mark;
  bool looks_up = false;
};

// call_at returns the call that begins at `at`; one without a mark: none does.
Call call_at(std::string_view text, std::size_t at);

// whole_string returns the string that `mark` opens, with the parts that belong to it: 'a''S',
// "a"S. What stands `apart` from its name may be put together from parts, too: "a" + "S".
Span whole_string(std::string_view text, const Mark& mark, bool apart);

// behind_parts returns where a word ends that goes on at `end` with parts in quotes, or behind an
// escaped space: a"S", a\ S. A quote like `before` ends it.
std::size_t behind_parts(std::string_view text, std::size_t end, std::string_view stops,
                         char before);

// behind_tag returns where the value begins behind a tag or an anchor of YAML: !!str S, &name S.
// One that only refers to a value: the end of the text.
std::size_t behind_tag(std::string_view text, std::size_t at);

// end_of_phrase returns where the line ends that a phrase or a list of codes at `at` takes, or the
// quotes around it.
std::size_t end_of_phrase(std::string_view text, std::size_t at, char before);

// is_ordinary_phrase returns whether each of its words is an ordinary one: "required (string)".
bool is_ordinary_phrase(std::string_view phrase);

}  // namespace plumbline
