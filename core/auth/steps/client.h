// Client is what we are to an authorization server, and the ways to become it: a client id that was
// given to us, a metadata document of ours whose address is the id, or registering there.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/steps/metadata.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/wire/http.h"

namespace plumbline::auth {

// OAuthCode is what a server names a refusal by: the member "error" of its answer.
//
// Source: RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591, section 3.2.2; RFC 8707, section 2.
enum class OAuthCode {
  kNone,   // It names nothing, or this is no refusal.
  kOther,  // It has another name than these.
  kAccessDenied,
  kInvalidClient,
  kInvalidGrant,
  kInvalidRedirectUri,
  kInvalidScope,
  kInvalidTarget,
  kServerError,
  kSlowDown,
  kTemporarilyUnavailable,
  kUnauthorizedClient,
};

// AuthError is an Error with what the server names it by: who decides looks at that alone.
struct AuthError : Error {
  OAuthCode oauth = OAuthCode::kNone;
};

template <typename T>
using AuthResult = Result<T, AuthError>;

// ClientOptions is what the user says of us.
struct ClientOptions {
  std::string name = "Plumbline";
  std::string client_id;      // Empty: none was given.
  std::string client_secret;  // Empty: a public client.
  std::string private_key;    // PEM, for private_key_jwt in place of a secret.
  std::string issuer;         // That knows these; empty: nobody has said which one does.
  // The issuer's endpoints, where a person has written them: nobody is asked for them then. Both,
  // or neither.
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string metadata_url;  // Of our metadata document; empty: we have none.
  // Origins other than its own at which an issuer may have endpoints: a person has said so.
  std::vector<std::string> endpoint_origins;
  bool person = true;  // One can be asked; else we act for ourselves (client credentials).
};

// Client is one registration. Credentials are of one issuer and go to no other.
//
// Spec 2026-07-28, basic/authorization, Authorization Server Binding (MUST).
struct Client {
  std::string issuer;
  std::string id;
  std::string secret;
  std::string method = "none";  // none, client_secret_post, client_secret_basic, private_key_jwt.
  std::string redirect_uri;     // Empty: it needs none.
  bool registered = false;      // Dynamically, so that it can be done again.

  friend bool operator==(const Client&, const Client&) = default;
};

Json to_json(const Client& client);
Client read_client(const Json& json);

// Identity is how to come by a Client.
enum class Identity { kGiven, kDocument, kRegister };

// choose_identity returns the way in the order of the specification. kUnsupported: there is none,
// and a client id is to be asked for.
//
// Spec 2025-11-25, basic/authorization, Client Registration Approaches (SHOULD).
Result<Identity> choose_identity(const ClientOptions& options, const ServerMetadata& server);

// client_without_asking is the Client of the first two ways. kUnsupported: the server takes none of
// the ways in which the options could prove who we are.
Result<Client> client_without_asking(const ClientOptions& options, const ServerMetadata& server,
                                     Identity identity, const std::string& redirect_uri);

// registration_body is what registers us, RFC 7591, section 2. It names no scopes: those of a
// resource are nothing that every authorization server takes there, and others may come later.
std::string registration_body(const ClientOptions& options, const ServerMetadata& server,
                              const std::string& redirect_uri);

// read_registration reads the answer. kInvalidInput: it is no registration; kUnsupported: it is
// refused, and how.
Result<Client> read_registration(const wire::HttpResponse& answer, const ServerMetadata& server,
                                 const std::string& redirect_uri);

// refusal_of says for people how a server refuses: "HTTP 400 invalid_grant: it is expired".
std::string refusal_of(const wire::HttpResponse& answer);

// advice_on returns what somebody who signs in can do about it: "; try again later". Empty: nothing
// is known that helps.
std::string advice_on(const wire::HttpResponse& answer);

// oauth_code_of returns the "error" of a refusal. What its "error_description" says, and any other
// text of the server, names nothing.
OAuthCode oauth_code_of(const Json& refusal);

// words_of says for people what a refusal says: "invalid_grant: it is expired". Empty: nothing.
std::string words_of(const Json& refusal);

// advice_on returns what helps against one error.
std::string advice_on(OAuthCode code);

}  // namespace plumbline::auth
