// Questions that the fixtures put to a client, and what is made of the answers.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/mcp/server/server_call.h"
#include "reference/argument_check.h"

namespace plumbline::reference {

// form asks for one required property: the params of elicitation/create.
Json form(std::string message, std::string property, std::string type);

// sampling asks a model for at most `tokens_max` tokens: the params of sampling/createMessage.
Json sampling(std::string prompt, int tokens_max);

// said returns the text that a model has answered with, or the whole answer when it is no text.
std::string said(const Json& answer);

// filled_in returns property `name` of an accepted form as text; the action when it was declined
// or cancelled.
std::string filled_in(const Json& answer, const std::string& name);

// form_problem returns what is wrong with the answer to a form: no action, or content that is not
// what was asked for.
//
// Spec 2025-11-25, client/elicitation, Security Considerations (SHOULD validate the content).
std::optional<std::string> form_problem(ArgumentCheck& check, const Json& asked,
                                        const Json& answer);

// ask_checked asks like ServerCall::ask_all() and ask(), and takes only answers that are what was
// asked for: an accepted form has to fit, a model has to have a role, roots are a list. Anything
// else ends the call with -32602.
//
// Spec 2026-07-28, basic/patterns/mrtr, Error Handling (SHOULD validate inputResponses).
Task<mcp::Reply<Json>> ask_checked(mcp::ServerCall call, std::vector<mcp::Ask> asks,
                                   Instant deadline);
Task<mcp::Reply<Json>> ask_checked(mcp::ServerCall call, std::string name, std::string method,
                                   Json question, Instant deadline);

}  // namespace plumbline::reference
