// Token is what an MCP server takes from us, and all that is needed to have another one: of OAuth,
// or a key that somebody was given, which nobody renews or revokes.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/auth/steps/client.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::auth {

struct Token {
  std::string server;    // The canonical URL of the MCP server: it goes nowhere else.
  std::string resource;  // As it was asked for.
  std::string access_token;
  std::string refresh_token;  // Empty: there is none.
  std::vector<std::string> scopes;
  Duration obtained{};              // Since 1970.
  std::optional<Duration> expires;  // Since 1970; nothing: nobody knows.
  Client client;                    // Who may use the refresh token.
  std::string token_endpoint;
  std::string revocation_endpoint;       // Empty: there is none.
  std::string header = "Authorization";  // How it is shown: in this header, behind
  std::string prefix = "Bearer ";        // this.

  // is_key returns whether no authorization server knows of it.
  bool is_key() const { return client.issuer.empty(); }

  friend bool operator==(const Token&, const Token&) = default;
};

// to_text writes a token for a SecretStore. read_token reads it: kInvalidInput, it is none.
std::string to_text(const Token& token);
Result<Token> read_token(const std::string& text);

// secret_name_of is what a SecretStore knows the token of a server by, client_name_of the
// registration with an issuer.
std::string secret_name_of(const std::string& server);
std::string client_name_of(const std::string& issuer);

}  // namespace plumbline::auth
