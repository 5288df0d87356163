// What the methods of MCP need and give back: the capability that a request takes and the shape
// that its result must have.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/mcp/protocol/server_info.h"

namespace plumbline::mcp {

// missing_capability returns the name of what the server would have had to declare for `method`
// and did not: "tools", "resources.subscribe" ... Nothing when the request may go.
//
// Spec 2025-11-25, basic/lifecycle, Operation (MUST; SHOULD before 2025-06-18).
std::optional<std::string> missing_capability(const ServerInfo& server, std::string_view method);

// result_problem returns what is wrong with the shape of a result of `method`, nothing when
// nothing is. Members and content types that no revision knows are let through; a method that is
// not known must give an object and no more.
std::optional<std::string> result_problem(std::string_view method, const Json& result,
                                          Revision revision = kLatestStateful);

// may_need_input returns whether the answer to `method` may ask for input: InputRequiredResult.
//
// Spec 2026-07-28, basic/patterns/mrtr (MUST NOT for any other).
bool may_need_input(std::string_view method);

// is_cacheable returns whether the results of `method` carry ttlMs and cacheScope.
//
// Spec 2026-07-28, server/utilities/caching (MUST).
bool is_cacheable(std::string_view method);

// list_member returns the member that holds the items of a list method: "tools" for tools/list.
// Empty for any other method.
std::string_view list_member(std::string_view method);

}  // namespace plumbline::mcp
