// CallInput is what a client of a stateless revision has been asked for one call: the call ends
// with what is missing, and the client repeats it with the answers. Which questions were asked, for
// which call of whom, and the answers of earlier rounds travel in requestState: an answer that
// comes without it, or to another question, does not count, and is asked for again.
//
// Spec 2026-07-28, basic/patterns/mrtr.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/client_needs.h"
#include "core/mcp/server/server_options.h"

namespace plumbline::mcp {

// input_required returns the result that asks for `asks`.
Json input_required(std::vector<Ask> asks);

class CallInput {
 public:
  // read takes in what a call of `method` by `principal` brings along; a handler sees its own
  // requestState in `params` from then on, not the sealed one, and of inputResponses those that
  // count. kInvalidParams when the state is not of this server, of another call, or too old, or the
  // answers are no answers.
  std::optional<Failure> read(const ServerOptions& options, std::string_view method,
                              std::string_view principal, Json& params, Instant now);

  // answer_to returns what the client has answered to the question `name`, nullptr when it has
  // not. What was returned once comes along in every later round.
  const Json* answer_to(const std::string& name);

  // seal checks `result`, an input_required one for `client`, and puts what is to come along into
  // its requestState. -32021 when the client has not declared what it asks for,
  // kInternalError when it asks for nothing.
  Reply<Json> seal(const ServerOptions& options, const ClientInfo& client, Json result,
                   Instant now);

 private:
  Json answers_;         // Of the client, to earlier questions.
  Json used_;            // Those that the handler has asked for.
  std::string binding_;  // What requestState is bound to.
};

}  // namespace plumbline::mcp
