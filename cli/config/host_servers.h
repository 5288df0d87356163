// What a host's file says, in the words of config.h.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/config/host_values.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

struct HostServers {
  Json root;                       // As config.h says: the servers are below "mcpServers".
  std::vector<std::string> names;  // Of all servers of the file.
  std::map<std::string, std::string> left_out;    // Those that are not started, and why.
  std::vector<std::string> secrets;               // That variables and inputs brought.
  std::vector<Problem> notes;                     // What the person should know, and where.
  std::map<std::string, std::string> moved = {};  // Pointers into `root`: to what the file has.

  // said_at returns where the file has what stands at `pointer` of the root.
  std::string said_at(const std::string& pointer) const;
};

// read_host_servers reads a file of whichever host it is. One that has no servers stays as it is.
// The pointer of the problem is one of the new root.
HostServers read_host_servers(const Json& root, const std::string& file_name,
                              const Surroundings& around, std::optional<Problem>& problem);

}  // namespace plumbline::cli
