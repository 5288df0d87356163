// Progress of calls, as it came to the client of a gateway.

#pragma once

#include <string>
#include <vector>

#include "conformance/checks/gateway/check.h"

namespace plumbline::conformance {

// progress_by_token returns how far a call is with this token, of each notification in turn.
std::vector<Json> progress_by_token(const std::vector<KeptJson>& messages,
                                    const std::string& token);

// progress_on_get returns what of it came on streams that the client asked for by GET, a moment
// after the last thing that came.
Task<std::vector<Json>> progress_on_get(GatewayProbe* probe, Session* session, std::string token);

}  // namespace plumbline::conformance
