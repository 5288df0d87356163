// HubPeer is what McpHub keeps of one server: what it told last, where it is slow.

#pragma once

#include <string>
#include <string_view>

#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/connector/finding.h"
#include "core/connector/links/pacing.h"

namespace plumbline::connector {

// list_of returns the list in which stands what `method` asks for.
inline std::string list_of(std::string_view method) {
  if (method == "tools/call") return "tools/list";
  return method == "prompts/get" ? "prompts/list" : "resources/list";
}

struct HubPeer {
  bool slow = false;  // It was waited for in vain: `behind` asks it, and `known` stands.
  Finding known;
  Pace looks;
  Event looked;
  Task<void> behind;  // Last: dropped first.
};

}  // namespace plumbline::connector
