// What a tool that changes something acts on, as far as its name and the first sentence of its
// description tell: "delete_project_status" deletes a status, and no project.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/fit/offered.h"
#include "core/agents/operations/fit/wish.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// object_of returns the words of the things that stand behind the first verb of `text` and before
// what says where they are. Empty where no verb is said.
std::vector<std::string> object_of(std::string_view text);

// acts_on_another_thing returns whether what `demand` wants to be changed only qualifies the thing
// that the tool changes ("project" of "delete_project_status"), or only says where it is ("Delete a
// label from a board"), and the request does not name that thing.
bool acts_on_another_thing(const Wish::Demand& demand, const connector::Capability& tool,
                           const Offered& offered);

// gives_another_thing returns whether what `demand` wants to be told only qualifies the thing that
// the tool is called after ("board" of "get_board_members"), and the request does not name that.
bool gives_another_thing(const Wish::Demand& demand, const connector::Capability& tool);

}  // namespace plumbline::agents
