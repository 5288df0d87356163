// Actions are the choices by which a tool that does many things is told what to do: "action" of
// "list", "create" and "delete".

#pragma once

#include <string_view>

#include "core/json/json.h"

namespace plumbline::agents {

// is_action returns whether a property with this schema says what is done, and is no filter: it is
// called so and offers a verb. Its choices may be an enum, constants, or the items of a list;
// `root` is what their references point into.
bool is_action(std::string_view name, const Json& schema, const Json& root);

// is_giver returns whether an action, folded, gives one thing, and is_lister whether it gives many.
bool is_giver(std::string_view action);
bool is_lister(std::string_view action);

// plainly_reads returns whether an action, as written, only gives, lists, finds or counts. Many
// other verbs of reading change something somewhere: "open" of a gate, "answer" of a telephone.
bool plainly_reads(std::string_view action);

// can_be_told_to_change returns whether an action, anywhere in the schema of what a tool takes,
// may be another than one that plainly reads. So is a choice of another name, "mode", that offers
// to change something.
bool can_be_told_to_change(const Json& schema);

// tells_to_change returns whether one of the arguments of a call is called an action and is a verb
// of changing, whatever the schema says.
bool tells_to_change(const Json& arguments);

// is_told_to_read returns whether the arguments of a call tell a tool by an action what to do, and
// each action in them plainly reads. None may be left to the tool where its object is given.
bool is_told_to_read(const Json& schema, const Json& arguments);

}  // namespace plumbline::agents
