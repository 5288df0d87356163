// How deviations bend what a correct server would have sent: results, envelopes and the bytes of
// a line. Nothing here is called for a server without deviations.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"
#include "fakes/faults/deviations.h"
#include "fakes/peers/answer.h"
#include "fakes/peers/server_script.h"

namespace plumbline::fakes {

// bend_answer changes the body of an answer to `method`.
void bend_answer(const ServerScript& script, std::string_view method, const Json& params,
                 Answer& answer);

// bend_envelope changes a whole response.
void bend_envelope(const DeviationSet& wrong, Json& response);

// frame returns the bytes that `message` is sent as, line end included. `method` is of the request
// it answers, empty for a notification or request of the server.
std::string frame(const DeviationSet& wrong, std::string_view method, const Json& message);

}  // namespace plumbline::fakes
