// Authentication is what a server of a configuration file wants of us, where it is said there:
//
//   "authentication": {"type": "api-key", "key": "${API_KEY}", "header": "X-API-Key", "prefix": ""}
//   "authentication": {"type": "bearer", "token": "${TOKEN}"}
//   "authentication": {"type": "bearer", "stored": true}
//   "authentication": {"type": "oauth2", "clientId": "plumbline", "scopes": ["read"],
//                      "clientSecret": "${SECRET}", "issuer": "https://as.example",
//                      "endpointOrigins": ["https://tokens.example"]}
//   "authentication": {"type": "oauth2", "clientId": "plumbline", "scopes": ["read"],
//                      "authorizationEndpoint": "https://as.example/authorize",
//                      "tokenEndpoint": "https://as.example/token",
//                      "redirectUri": "http://127.0.0.1:8123/callback"}

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

struct Authentication {
  std::optional<std::pair<std::string, std::string>> header;  // Sent with every request.
  std::string secret;                                         // That is in it.
  std::string name = "X-API-Key";  // Of that header, also of a key that `login --key` keeps;
  std::string prefix;              // what stands before the key there.
  // For `login`; empty: not given.
  std::string client_id;
  std::string client_secret;  // As the file has it, for read_secret.
  std::string issuer;         // That knows the client.
  std::vector<std::string> endpoint_origins;
  std::vector<std::string> scopes;
  std::string authorization_endpoint;  // Both of these or neither; then the issuer is stated too.
  std::string token_endpoint;
  std::string redirect_uri;  // On this machine.
};

using Variable = std::function<std::optional<std::string>(const std::string& name)>;

// read_secret returns `text`, or what `variable` has of NAME where it is "${NAME}". kInvalidInput:
// that is not set.
Result<std::string> read_secret(const std::string& text, const Variable& variable);

// read_authentication reads `said`, which stands at `pointer`. A key or token "${NAME}" is what
// `variable` has of that name; one that is "stored" is there for whoever keeps it with `plumbline
// login --key`. A problem says which member and what was expected, and shows no secret.
Authentication read_authentication(const Json& said, const std::string& pointer,
                                   const Variable& variable, std::optional<Problem>& problem);

// authentication_shape is its JSON Schema.
Json authentication_shape();

}  // namespace plumbline::cli
