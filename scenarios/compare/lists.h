// The lists of a server: what it offers, whatever the page, then and now.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/compare/conversation.h"
#include "scenarios/compare/differences.h"

namespace plumbline::scenarios {

// ListKind is one method that lists things, each of which has a name.
struct ListKind {
  std::string_view method;  // "tools/list".
  std::string_view member;  // Of its result: "tools".
  std::string_view name;    // Of an item: "name".
  std::string_view what;    // "tool", as kinds of differences have it.
};

// listed_by returns the list that `method` asks for, nullptr when it is none.
const ListKind* listed_by(std::string_view method);

// compare_lists compares all that was listed. A list that was asked for to its end only then, or
// only now, is compared as far as it goes.
void compare_lists(const Conversation& then, const Conversation& now, std::vector<Difference>& out);

// capability_changes compares what initialize declares.
void capability_changes(const Json& then, const Json& now, std::vector<Difference>& out);

}  // namespace plumbline::scenarios
