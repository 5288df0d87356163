// What of a request is a value, and whether it asks about the world in general (wish.h).

#pragma once

#include <optional>
#include <string_view>

#include "core/agents/operations/request/request_text.h"

namespace plumbline::agents {

// ValueKind is what a value is by its form.
enum class ValueKind { kQuoted, kPath, kUri, kNumber, kName, kFolder };

// is_general returns whether a request begins as a question about the world: "how do I ...".
bool is_general(std::string_view request);

// without_owner_mark returns "Ada" of "Ada's", and a word as it is that only ends so: "what's".
std::string_view without_owner_mark(std::string_view text);

// value_kind returns what kind of value a piece is by its form; nothing for words.
std::optional<ValueKind> value_kind(const RequestText::Piece& piece);

}  // namespace plumbline::agents
