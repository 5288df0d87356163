// What the methods of MCP need and give back: the capability that a request takes and the shape
// that its result must have.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/mcp/client_options.h"

namespace plumbline::mcp {

// missing_capability returns the name of what the server would have had to declare for `method`
// and did not: "tools", "resources.subscribe" ... Nothing when the request may go.
//
// Spec 2025-11-25, basic/lifecycle, Operation (MUST; SHOULD before 2025-06-18).
std::optional<std::string> missing_capability(const ServerInfo& server, std::string_view method);

// result_problem returns what is wrong with the shape of a result of `method`, nothing when
// nothing is. Members and content types that no revision knows are let through; a method that is
// not known must give an object and no more.
std::optional<std::string> result_problem(std::string_view method, const Json& result);

// list_member returns the member that holds the items of a list method: "tools" for tools/list.
// Empty for any other method.
std::string_view list_member(std::string_view method);

}  // namespace plumbline::mcp
