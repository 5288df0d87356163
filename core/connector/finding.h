// Finding is what one server told when it was asked what it offers, and what was wrong with it.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/connector/mcp_client.h"

namespace plumbline::connector {

struct Finding {
  using Reader = Result<Capability> (*)(const std::string& server, Json entry);

  std::optional<ServerManifest> manifest;  // Nothing: it could not be opened.
  std::vector<DiscoveryProblem> problems;
  bool lost = false;                 // Asking once more may help.
  bool limited = false;              // So it may, but later.
  bool timed_out = false;            // It was waited for in vain.
  std::optional<Duration> patience;  // As the server asks.

  void fail(const std::string& server, mcp::FailureClass kind, std::string message);
  void fail(const std::string& server, const mcp::Failure& failure);

  // add reads the entries of one list into the manifest. One bad entry does not cost the others,
  // and one that comes again counts once. Of a list that is `cut` it is no news that entries come
  // again.
  void add(const std::string& server, std::vector<Json> entries, Reader read, bool cut);

 private:
  void keep(const std::string& server, Capability capability);

  std::set<std::pair<CapabilityType, std::string>> seen_;  // Tools and prompts by name.
  int again_ = 0;  // Entries of this list that were seen before.
};

}  // namespace plumbline::connector
