// What the words of a request are by their form (wish.h): values, conditions, verbs in two parts;
// and whether it asks about the world in general.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/agents/operations/request/request_text.h"

namespace plumbline::agents {

struct Parted;  // wish_words.h

// ValueKind is what a value is by its form.
enum class ValueKind { kQuoted, kPath, kUri, kNumber, kName, kFolder };

// is_general returns whether a request begins as a question about the world: "how do I ...".
bool is_general(std::string_view request);

// without_owner_mark returns "Ada" of "Ada's", and a word as it is that only ends so: "what's".
std::string_view without_owner_mark(std::string_view text);

// value_kind returns what kind of value a piece is by its form; nothing for words.
std::optional<ValueKind> value_kind(const RequestText::Piece& piece);

// is_letter_to returns whether somebody is to be written to: "write to tom@example.com".
bool is_letter_to(std::string_view verb, std::string_view before, std::string_view value);

// tells_somebody returns whether a request begins with "tell", and quotes what somebody else than
// the one who asks is to be told.
bool tells_somebody(const RequestText& text);

// condition_end returns behind which piece a request says what is to be done, where it begins with
// when: "When it rains, close the window". 0: it does not.
std::size_t condition_end(const RequestText& text);

// begins_clause returns whether a word behind "and" begins another clause.
bool begins_clause(std::string_view word);

// deed_done returns what is done to something: "deliver" of "delivered". Empty: `word` is none.
std::string deed_done(const std::string& word);

// parted_by returns the verb that `verb` and a particle make, of which `word` is the last and
// `before` the word before it; nullptr where they make none. `of_something` is whether what is
// dealt with was said already.
const Parted* parted_by(std::string_view verb, std::string_view before, std::string_view word,
                        bool of_something);

}  // namespace plumbline::agents
