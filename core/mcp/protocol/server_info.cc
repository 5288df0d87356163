#include "core/mcp/protocol/server_info.h"

namespace plumbline::mcp {

bool ServerInfo::has(std::string_view capability) const {
  const Json* const declared = find(capabilities, capability);
  return declared != nullptr && declared->is_object();
}

bool ServerInfo::has_flag(std::string_view capability, std::string_view flag) const {
  const Json* const declared = find(capabilities, capability);
  if (declared == nullptr) return false;
  const Json* const value = find(*declared, flag);
  return value != nullptr && (value->is_object() || *value == true);
}

}  // namespace plumbline::mcp
