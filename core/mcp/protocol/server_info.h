#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::mcp {

// ServerInfo is what the opening told.
struct ServerInfo {
  Revision revision = kLatestStateful;
  std::vector<std::string> versions;  // All that a stateless server has named.
  std::string name;
  std::string version;
  std::string instructions;
  Json capabilities = Json::object();

  // has returns whether the server declared capability `name` as an object.
  bool has(std::string_view capability) const;

  // has_flag returns whether it declared `capability` with `flag`: true or an object.
  bool has_flag(std::string_view capability, std::string_view flag) const;
};

}  // namespace plumbline::mcp
