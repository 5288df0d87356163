// What makes a list of messages one that every provider takes, and how one is made shorter.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace plumbline::model {

// fault_of says in one line what a provider refuses about `messages`; nothing when all is well:
// the system's messages come first, every call of the assistant has an id of its own, and is
// answered once, by messages of kTool that follow it directly. `messages` need not be whole: they
// may end before the answers to the last calls only when `whole` is false.
std::optional<std::string> fault_of(const std::vector<Message>& messages, bool whole = true);

}  // namespace plumbline::model
