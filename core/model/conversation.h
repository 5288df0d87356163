// What makes a list of messages one that every provider takes.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace plumbline::model {

// fault_of says in one line what a provider refuses about `messages`; nothing when all is well:
// the system's messages come first, every call of the assistant has an id of its own, and is
// answered once, by messages of kTool that follow it directly.
std::optional<std::string> fault_of(const std::vector<Message>& messages);

}  // namespace plumbline::model
