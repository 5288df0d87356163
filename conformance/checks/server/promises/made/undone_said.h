// What tools say of what they take back: that it is free again, and that its id is given to no
// other. What they only say of later, or in some cases, promises nothing.

#pragma once

#include <string>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// FreeingPromise is the sentence in which a tool says that what it takes back is free then.
struct FreeingPromise {
  std::string text;   // Empty: it says no such thing.
  std::string about;  // The name of the tool and all that it says, in small letters.
};

// freeing_promise returns what `undoer` says, where neither it nor `maker` says that this comes
// later, or only sometimes.
FreeingPromise freeing_promise(const Json& maker, const Json& undoer);

// speaks_of returns whether the promise is about what `member` counts: "seats_left", of seats. A
// count of calls or of what one may do a day is none.
bool speaks_of(const FreeingPromise& promise, const std::string& member);

// tells_of_later returns whether an answer says in words that something is still to come.
bool tells_of_later(const Json& answer);

// says_ids_once returns whether a tool says that it gives no id, or number, a second time. What it
// asks of its caller is no promise.
bool says_ids_once(const Json& tool);

}  // namespace plumbline::conformance
