// SignIn gets a token for an MCP server where there is none: it finds the authorization server,
// becomes a client of it, and asks a person in their browser, or for itself.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/auth/auth_world.h"
#include "core/auth/crypto/signing_key.h"
#include "core/auth/document_client.h"
#include "core/auth/steps/discovery.h"
#include "core/auth/steps/grant.h"
#include "core/auth/token.h"
#include "core/auth/user_agent.h"
#include "core/base/result.h"
#include "core/base/task.h"

namespace plumbline::auth {

struct SignInOptions {
  ClientOptions client;
  std::vector<std::string> scopes;  // Asked for beside what the server wants.
  mcp::Revision revision = mcp::kLatest;
};

class SignIn {
 public:
  // `person` is asked unless the client acts for itself; nullptr: there is none. All must outlive
  // it.
  SignIn(AuthWorld world, SignInOptions options, UserAgent* person);

  // run returns a new token for `server`, which has refused with `challenge`. `before` is the token
  // that was used: its scopes are asked for again. Every Error is one line with the step that
  // failed; the codes are those of the steps. Nothing is kept of one that fails but a registration.
  //
  // A secret or key goes to the issuer that was stated for it, and where endpoints may be somebody
  // else's (doubtful_endpoints) the person is asked: before anything is sent there.
  //
  // Several may run at a time.
  Task<Result<Token>> run(wire::Url server, Challenge challenge, std::optional<Token> before);

  // discover returns where `server` has its tokens from. Errors as of Discovery.
  Task<Result<Found>> discover(wire::Url server, Challenge challenge);

 private:
  Task<Result<Found>> trusted(wire::Url server, Challenge challenge);
  Task<Result<Client>> identify(Found found, bool anew);
  Task<Result<Client>> stored_client(std::string issuer);
  Task<Result<Client>> register_at(Found found, std::string redirect);
  Task<AuthResult<Token>> grant(Found found, Client client, std::vector<std::string> scopes);
  std::vector<std::string> scopes_for(const Found& found, const std::optional<Token>& before) const;

  AuthWorld world_;
  SignInOptions options_;
  UserAgent* person_;
  DocumentClient http_;
};

}  // namespace plumbline::auth
