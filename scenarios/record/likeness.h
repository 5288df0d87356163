// When what is said now is what was said then: ids, progress tokens and secrets aside.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::scenarios {

// is_request, is_answer and is_notification tell messages of JSON-RPC apart by their members alone.
bool is_request(const Json& message);
bool is_answer(const Json& message);
bool is_notification(const Json& message);

// member_of returns a member, null where there is none.
Json member_of(const Json& object, std::string_view key);

// fits_placeholders returns whether `now` is the text `then`, in which "[secret 1]" and the like
// stand for any.
bool fits_placeholders(const std::string& then, const std::string& now);

// same returns whether `now` says what `then` said; a secret of then may be any text.
bool same(const Json& then, const Json& now);

// other_server returns the "command" or "url" of the session whose head is `then`, where it is of
// another server than `now`, which has one of the two, or neither. Empty: it may be the same, as
// far as placeholders tell.
std::string other_server(const Json& then, const Json& now);

// steady_params returns the parameters of a message without what each client makes up anew: an
// object without members where there are none.
Json steady_params(const Json& message);

// part_of returns what the JSON pointer finds in `message`, nullptr when that is nothing.
Json* part_of(Json& message, std::string_view pointer);

}  // namespace plumbline::scenarios
