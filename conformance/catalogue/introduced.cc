#include "conformance/catalogue/introduced.h"

namespace plumbline::conformance {

Introduced introduced_in(const Json& part) {
  for (const char* const place : {"/serverInfo", "/_meta/io.modelcontextprotocol~1serverInfo",
                                  "/clientInfo", "/_meta/io.modelcontextprotocol~1clientInfo"}) {
    const Json* const info = at_pointer(part, place);
    if (info == nullptr) continue;
    Introduced found{string_or(*info, "name", ""), string_or(*info, "version", "")};
    if (!found.name.empty()) return found;
  }
  return {};
}

Introduced introduced_by(const Json& message) {
  for (const char* const part : {"result", "params"}) {
    const Json* const found = find(message, part);
    if (found != nullptr) return introduced_in(*found);
  }
  return {};
}

}  // namespace plumbline::conformance
