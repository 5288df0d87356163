// OAuthAuthorizer looks after the exchanges with one MCP server: it sends the token along, has it
// renewed, and signs in where a server asks for that and somebody can.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/auth/sign_in.h"
#include "core/auth/token_manager.h"
#include "core/base/flight.h"
#include "core/base/task_group.h"
#include "core/net/http_authorizer.h"

namespace plumbline::auth {

class OAuthAuthorizer final : public net::HttpAuthorizer {
 public:
  // `sign_in` is nullptr where nobody can sign in; `hint` is then what to do about it ("run
  // plumbline login --url ..."). All must outlive the authorizer.
  OAuthAuthorizer(Loop& loop, wire::Url server, TokenManager& tokens, SignIn* sign_in,
                  std::string hint);

  // implements HttpAuthorizer ---
  //
  // The token goes to the origin of the server and nowhere else. A server that refuses a token that
  // it has never taken, or asks for a scope that was asked for already, is not sent another: there
  // is a bounded number of authorizations whatever a server says. Nobody signs in for an
  // exchange that is optional while the token is good for the rest.
  //
  // Spec 2025-11-25, basic/authorization, Scope Challenge Handling (SHOULD).
  Task<Result<wire::HttpHeaders>> headers_for(wire::Url to) override;
  Task<Result<bool>> on_refused(net::HttpRefusal refusal) override;
  void on_answered(const wire::HttpHeaders& sent) override;

 private:
  std::string token_in(const wire::HttpHeaders& sent) const;
  Task<Result<bool>> on_unauthorized(Challenge challenge, std::string sent, bool spare);
  Task<Result<bool>> on_forbidden(Challenge challenge, std::string sent);
  // sign_in waits until there is a token that `sent` is not, by this or by another request.
  Task<Result<bool>> sign_in(Challenge challenge, std::string sent);
  static Task<void> sign_in_work(OAuthAuthorizer& self, Challenge challenge);

  wire::Url server_;
  std::string name_;
  TokenManager& tokens_;
  SignIn* sign_in_;
  std::string hint_;
  std::string shown_in_ = "Authorization";  // The header of the last token,
  std::string shown_behind_ = "Bearer ";    // and what stands before it there.
  std::string signed_in_;                   // The last one that somebody signed in for.
  std::string good_;                        // The last one that the server has taken.
  std::vector<std::string> asked_;          // The scopes that were.
  int steps_up_ = 0;
  std::optional<Error> trouble_;  // Of the last sign-in.
  Flight signing_in_;
  TaskGroup work_;
};

}  // namespace plumbline::auth
