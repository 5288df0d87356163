// A request in the words of a tool, by the dictionary: where the words of the request fit no tool,
// others that mean the same may.

#pragma once

#include "core/agents/operations/asked.h"
#include "core/agents/operations/fit/doing.h"

namespace plumbline::agents {

// translated returns `asked` with the words by which the tool is called in place of those that mean
// the same: "delete the image" of "discard the picture", for delete_image.
Asked translated(const Asked& asked, const ToolWords& words);

}  // namespace plumbline::agents
