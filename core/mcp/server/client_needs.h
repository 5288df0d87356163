// What a client must have declared before a server may ask it something, and how that is refused.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/server_era.h"

namespace plumbline::mcp {

// Ask is one question that a handler has for the client, under a name of its own.
struct Ask {
  std::string name;
  std::string method;  // elicitation/create, sampling/createMessage or roots/list.
  Json params;
};

// undeclared_capability returns the capability that a question needs and `client` lacks, as an
// object of the shape of clientCapabilities; nothing when it may be asked.
//
// Spec 2025-11-25, client/roots, client/sampling, client/elicitation, Capabilities (MUST NOT send
// what was not declared; an empty elicitation object means form only).
std::optional<Json> undeclared_capability(const ClientInfo& client, std::string_view method,
                                          const Json& params);

// capability_name returns such an object for people: "elicitation.url".
std::string capability_name(const Json& capability);

// missing_capability_error returns what a stateless revision answers to `method` when `missing`,
// such an object, is not declared: -32021.
Failure missing_capability_error(const std::string& method, Json missing);

// undeclared_error returns that error when `client` has not declared what `ask` needs,
// missing_extension when it has not declared an extension. Nothing when it has.
std::optional<Failure> undeclared_error(const ClientInfo& client, const Ask& ask);
std::optional<Failure> missing_extension(const ClientInfo& client, std::string_view extension);

}  // namespace plumbline::mcp
