// Which tools of a server the judge may call, and with what.

#pragma once

#include "core/json/json.h"

namespace plumbline::conformance {

// may_call_tool returns whether calling `tool` with good arguments can do no harm: it says that it
// is read-only, it is one of the fixtures of the official suite, or the user allowed everything.
bool may_call_tool(const Json& tool, bool allow_writes);

// call_params returns the params of tools/call for `tool` with arguments made from its inputSchema.
Json call_params(const Json& tool);

}  // namespace plumbline::conformance
