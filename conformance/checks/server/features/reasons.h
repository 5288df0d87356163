// What the error of a tool is about, as far as it can be told from outside.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/exercise.h"
#include "conformance/peer/reply.h"

namespace plumbline::conformance {

// text_of_failure returns what a reply says went wrong, by an error or a result with isError;
// empty: nothing did.
std::string text_of_failure(const Reply& reply);

// other_reason returns what a failed call says when that is no word about its arguments: the
// network is out of reach, or the same as the tool says to good arguments in `calls`. Empty: it may
// well be about them.
std::string other_reason(const Reply& reply, const std::string& tool,
                         const std::vector<Call>& calls);

// is_for_users returns whether an error, in small letters, speaks of what its user has to mend, or
// of what may be otherwise later: credentials, permissions, limits, settings.
bool is_for_users(std::string_view error);

// is_failure returns whether a result says that its tool has failed.
bool is_failure(const Json& result);

// content_of returns the content of a result where it is an array; nullptr: it is none.
const Json* content_of(const Json& result);

// text_in returns the first text in a result's content; empty: there is none.
std::string text_in(const Json& result);

}  // namespace plumbline::conformance
