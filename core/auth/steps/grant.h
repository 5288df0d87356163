// Grants are the requests that end in a token, and their answers. Every one carries the resource
// that the token is for, RFC 8707.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/steps/client.h"
#include "core/auth/steps/discovery.h"
#include "core/base/random_bytes.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/wire/form.h"
#include "core/wire/http.h"

namespace plumbline::auth {

// CodeRequest is one authorization in the browser, from its URL to its code. What it holds is for
// one use.
//
// Spec 2025-11-25, basic/authorization, Authorization Code Protection (MUST): PKCE with S256.
struct CodeRequest {
  std::string url;       // Where the person has to go.
  std::string state;     // What must come back with the code.
  std::string verifier;  // What proves that the code is ours, RFC 7636.
};

// begin_code makes one. kUnsupported: the server has no endpoint for it, or does not say that it
// knows PKCE with S256.
Result<CodeRequest> begin_code(const Found& found, const Client& client,
                               const std::vector<std::string>& scopes, const RandomBytes& random);

// code_of returns the code in the URL at which the person has come back. kInvalidInput: the state
// or the issuer is not ours, or there is no code; what comes with a wrong issuer is not shown.
// kUnsupported: consent was denied, or the like, and the code says what.
//
// Spec 2026-07-28, basic/authorization, Authorization Response Validation (MUST); RFC 9207.
AuthResult<std::string> code_of(std::string_view callback, const CodeRequest& request,
                                const ServerMetadata& server);

// The forms of the grants, before the client proves who it is.
wire::Form code_form(const std::string& code, const CodeRequest& request, const Client& client,
                     const Found& found);
wire::Form credentials_form(const Found& found, const std::vector<std::string>& scopes);
wire::Form refresh_form(const std::string& refresh_token, const std::string& resource);

// Assertion signs the claims of a client that has a key.
using Assertion = std::function<std::string(const Json& claims)>;

// authenticated returns the POST of `form` by `client`. `assertion` is asked with private_key_jwt,
// whose token is for `issuer` and ends a minute after `since_1970`.
//
// Source: RFC 6749, section 2.3; RFC 7523, section 2.2.
wire::HttpRequest authenticated(wire::Form form, const Client& client, const Assertion& assertion,
                                Duration since_1970, const RandomBytes& random);

// TokenAnswer is what a token endpoint gives.
struct TokenAnswer {
  std::string access_token;
  std::string refresh_token;         // Empty: none.
  std::optional<Duration> lifetime;  // Nothing: it does not say.
  std::vector<std::string> scopes;   // As they were asked for, where it does not say.
};

// read_token_answer reads it. kInvalidInput: it is no token that can be used; kUnsupported: it is
// refused, and how; kDisconnected: the server is in trouble.
AuthResult<TokenAnswer> read_token_answer(const wire::HttpResponse& answer,
                                          const std::vector<std::string>& asked);

}  // namespace plumbline::auth
