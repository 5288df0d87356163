// Which scopes a method needs beside those that every request does.

#pragma once

#include <string>
#include <vector>

#include "core/wire/http.h"

namespace plumbline::auth {

// MethodScope says that `method` needs `scope`, for all that it may be called with or for one tool,
// prompt or resource alone.
struct MethodScope {
  std::string method;
  std::string target;  // As Mcp-Name would name it; empty: any.
  std::string scope;
};

// scopes_needed returns what `request` needs by `rules`: for each message in its body, in every
// revision. A request for a WebSocket needs all, as no later message of it is refused with a
// status.
std::vector<std::string> scopes_needed(const std::vector<MethodScope>& rules,
                                       const wire::HttpRequest& request);

}  // namespace plumbline::auth
