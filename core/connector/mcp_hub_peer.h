// HubPeer is what McpHub keeps of one server.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/connector/finding.h"
#include "core/connector/pacing.h"
#include "core/connector/server_link.h"

namespace plumbline::connector {

// list_of returns the list in which stands what `method` asks for.
inline std::string list_of(std::string_view method) {
  if (method == "tools/call") return "tools/list";
  return method == "prompts/get" ? "prompts/list" : "resources/list";
}

struct HubPeer {
  std::unique_ptr<ServerLink> link;
  std::vector<std::unique_ptr<ServerLink>> left;  // No longer used for anything new.
  bool removed = false;                           // It is not in the configuration any more.
  bool older = false;                             // It opens with initialize.
  Pace openings;
  bool opening = false;
  Event opened;  // Or not: somebody else may try.

  bool slow = false;  // It was waited for in vain: `behind` asks it, and `known` stands.
  Finding known;
  Pace looks;
  Event looked;
  Task<void> behind;  // Last: dropped first.

  // leave makes room for a new link.
  void leave() {
    if (link != nullptr) left.push_back(std::move(link));
    std::erase_if(left, [](const auto& one) { return !one->in_use(); });
  }
};

}  // namespace plumbline::connector
