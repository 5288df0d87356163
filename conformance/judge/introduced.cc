#include "conformance/judge/introduced.h"

namespace plumbline::conformance {

Introduced introduced_by(const Json& message) {
  for (const char* const place :
       {"/result/serverInfo", "/result/_meta/io.modelcontextprotocol~1serverInfo",
        "/params/clientInfo", "/params/_meta/io.modelcontextprotocol~1clientInfo"}) {
    const Json* const info = at_pointer(message, place);
    if (info == nullptr) continue;
    Introduced found{string_or(*info, "name", ""), string_or(*info, "version", "")};
    if (!found.name.empty()) return found;
  }
  return {};
}

}  // namespace plumbline::conformance
