// Asked is a request as selection reads it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/fit/wish.h"
#include "core/agents/operations/intent.h"
#include "core/agents/operations/request/request_text.h"

namespace plumbline::agents {

struct Asked {
  std::string_view text;
  RequestText values;  // Its words, for arguments.
  Wish wish;
  std::vector<std::string> words;  // Folded.
  bool changes = false;            // It asks for something to be changed.
  Intent intent{};
  bool last_resort = false;  // One word of a description is enough, where a value is given.
};

// asked_by reads `request`, which must outlive what it returns.
Asked asked_by(std::string_view request, Intent intent);

}  // namespace plumbline::agents
