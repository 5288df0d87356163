#include "core/auth/steps/grant.h"

#include <algorithm>
#include <utility>

#include "core/auth/steps/addresses.h"
#include "core/base/base64.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace plumbline::auth {

namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::int64_t kAssertionSeconds = 60;
constexpr std::int64_t kLifetimeSecondsMax = 10LL * 365 * 24 * 3600;

std::string s256(std::string_view verifier) {
  Sha256 hash;
  hash.update(verifier);
  return encode_base64url(hash.finish());
}

std::string basic(const Client& client) {
  std::string id;
  wire::append_percent_encoded(id, client.id);
  id += ':';
  wire::append_percent_encoded(id, client.secret);
  return "Basic " + encode_base64(id);
}

// A token goes into a header: what no header can hold is none.
//
// Source: RFC 6750, section 2.1.
bool is_bearer_token(std::string_view text) {
  return !text.empty() && text.find(' ') == std::string::npos && wire::is_header_value(text) &&
         text.size() <= limits::kHttpEchoBytesMax;
}

}  // namespace

Result<CodeRequest> begin_code(const Found& found, const Client& client,
                               const std::vector<std::string>& scopes, const RandomBytes& random) {
  const ServerMetadata& server = found.server;
  const auto& methods = server.code_challenge_methods;
  if (!found.guessed && std::ranges::find(methods, "S256") == methods.end()) {
    return Error{ErrorCode::kUnsupported,
                 server.issuer +
                     " does not say that it knows PKCE with S256 "
                     "(code_challenge_methods_supported), without which codes can be stolen"};
  }
  if (server.authorization_endpoint.empty()) {
    return Error{ErrorCode::kUnsupported, server.issuer + " has no authorization_endpoint"};
  }
  CodeRequest request;
  request.state = encode_base64url(random(kSecretBytes));
  request.verifier = encode_base64url(random(kSecretBytes));
  wire::Form form{{"response_type", "code"},
                  {"client_id", client.id},
                  {"redirect_uri", client.redirect_uri},
                  {"state", request.state},
                  {"code_challenge", s256(request.verifier)},
                  {"code_challenge_method", "S256"},
                  {"resource", found.resource}};
  form.add_filled("scope", join_scope(scopes));
  // OpenID Connect gives a refresh token only to who is asked anew.
  if (std::ranges::find(scopes, "offline_access") != scopes.end()) form.add("prompt", "consent");
  const bool has_query = server.authorization_endpoint.find('?') != std::string::npos;
  request.url = server.authorization_endpoint + (has_query ? "&" : "?") + form.text();
  return request;
}

AuthResult<std::string> code_of(std::string_view callback, const CodeRequest& request,
                                const ServerMetadata& server) {
  const wire::Form said = wire::query_of(callback);
  const auto wrong = [](std::string what) {
    return AuthError{{ErrorCode::kInvalidInput, "the answer of the browser " + std::move(what)}};
  };
  for (const char* const name : {"state", "iss", "code"}) {
    if (said.count(name) > 1) return wrong(std::string("has more than one \"") + name + "\"");
  }
  if (said.get("state") != request.state) return wrong("is to another question than ours (state)");
  const std::optional<std::string> issuer = said.get("iss");
  if (!issuer && server.sends_issuer) {
    return wrong("does not say which server it is of (iss), which " + server.issuer +
                 " always does");
  }
  if (issuer && *issuer != server.issuer) {
    return wrong("is of another authorization server than " + server.issuer + " (iss)");
  }
  if (const std::optional<std::string> error = said.get("error")) {
    const Json refusal = {{"error", *error},
                          {"error_description", said.get("error_description").value_or("")}};
    const OAuthCode code = oauth_code_of(refusal);
    return AuthError{{ErrorCode::kUnsupported,
                      "the authorization at " + clipped(server.authorization_endpoint, 160) +
                          " is refused: " + words_of(refusal) + advice_on(code)},
                     code};
  }
  const std::string code = said.get("code").value_or("");
  if (code.empty()) return wrong("holds no code");
  return code;
}

wire::Form code_form(const std::string& code, const CodeRequest& request, const Client& client,
                     const Found& found) {
  return {{"grant_type", "authorization_code"},
          {"code", code},
          {"redirect_uri", client.redirect_uri},
          {"code_verifier", request.verifier},
          {"resource", found.resource}};
}

wire::Form credentials_form(const Found& found, const std::vector<std::string>& scopes) {
  wire::Form form{{"grant_type", "client_credentials"}, {"resource", found.resource}};
  form.add_filled("scope", join_scope(scopes));
  return form;
}

wire::Form refresh_form(const std::string& refresh_token, const std::string& resource) {
  return {
      {"grant_type", "refresh_token"}, {"refresh_token", refresh_token}, {"resource", resource}};
}

wire::HttpRequest authenticated(wire::Form form, const Client& client, const Assertion& assertion,
                                Duration since_1970, const RandomBytes& random) {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers.set("Content-Type", "application/x-www-form-urlencoded");
  request.headers.set("Accept", "application/json");
  if (client.method == "client_secret_basic") {
    request.headers.set("Authorization", basic(client));
  } else {
    form.add("client_id", client.id);
  }
  if (client.method == "client_secret_post") form.add("client_secret", client.secret);
  if (client.method == "private_key_jwt") {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
    const Json claims = {{"iss", client.id},     {"sub", client.id},
                         {"aud", client.issuer}, {"jti", encode_base64url(random(kSecretBytes))},
                         {"iat", now},           {"exp", now + kAssertionSeconds}};
    form.add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    form.add("client_assertion", assertion(claims));
  }
  request.body = form.text();
  return request;
}

AuthResult<TokenAnswer> read_token_answer(const wire::HttpResponse& answer,
                                          const std::vector<std::string>& asked) {
  const Result<Json> document = read_document(answer.body);
  if (answer.status != 200) {
    const bool trouble = answer.status >= 500 || answer.status == 429;
    return AuthError{{trouble ? ErrorCode::kDisconnected : ErrorCode::kUnsupported,
                      "it is refused: " + refusal_of(answer) + advice_on(answer)},
                     document.ok() ? oauth_code_of(document.value()) : OAuthCode::kNone};
  }
  if (!document.ok()) return AuthError{document.error()};
  const Json& json = document.value();
  TokenAnswer token;
  token.access_token = string_or(json, "access_token", "");
  token.refresh_token = string_or(json, "refresh_token", "");
  if (!is_bearer_token(token.access_token)) {
    return AuthError{
        {ErrorCode::kInvalidInput, "it gives no \"access_token\" that a header can hold"}};
  }
  if (!equals_ignoring_case(string_or(json, "token_type", "Bearer"), "Bearer")) {
    return AuthError{{ErrorCode::kInvalidInput, "it gives a token that is no Bearer token"}};
  }
  if (const std::optional<std::int64_t> seconds = find_int(json, "expires_in")) {
    token.lifetime =
        std::chrono::seconds(std::clamp<std::int64_t>(*seconds, 0, kLifetimeSecondsMax));
  }
  const std::optional<std::string> scope = find_string(json, "scope");
  token.scopes = scope ? split_scope(*scope) : asked;
  return token;
}

}  // namespace plumbline::auth
