// What clients and servers need for elicitation beyond sending it.

#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::mcp {

// with_defaults returns `content` and, for each property of the form `schema` that it lacks, the
// property's default where there is one.
//
// Spec 2025-11-25, client/elicitation, Requested Schema (SHOULD pre-fill).
Json with_defaults(const Json& schema, Json content);

// url_elicitation_required is what a handler returns when a call cannot go on before the user has
// been to `elicitations`: {"mode": "url", "message", "url", "elicitationId"}. Only 2025-11-25 has
// that error.
//
// Spec 2025-11-25, client/elicitation, URL Elicitation Required Error.
Failure url_elicitation_required(std::string why, std::vector<Json> elicitations);

// url_elicitations returns the elicitations of such a failure; empty for any other.
std::vector<Json> url_elicitations(const Failure& failure);

}  // namespace plumbline::mcp
