#include "core/auth/steps/client.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/text.h"

namespace plumbline::auth {

namespace {

constexpr std::size_t kSaidBytesMax = 120;
constexpr const char* kTryLater = "; try again later";

// plain returns the beginning of what a server says, in one line of printable ASCII.
std::string plain(std::string_view text) {
  std::string out = clipped(text, kSaidBytesMax);
  std::ranges::replace_if(
      out, [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

bool takes(const ServerMetadata& server, std::string_view method) {
  // Who says nothing takes client_secret_basic (RFC 8414, section 2); all take the rest as well.
  if (!server.token_auth_methods) return method != "private_key_jwt";
  return std::ranges::find(*server.token_auth_methods, method) != server.token_auth_methods->end();
}

// method_for returns how to prove who we are, empty when the server takes none of the ways.
std::string method_for(const ClientOptions& options, const ServerMetadata& server) {
  if (!options.private_key.empty()) return "private_key_jwt";
  if (options.client_secret.empty()) return "none";
  for (const char* const method : {"client_secret_basic", "client_secret_post"}) {
    if (takes(server, method)) return method;
  }
  return "";
}

// method_to_register returns what to ask for: we keep secrets no better than any program on a
// user's machine does, but some servers have nothing else.
std::string method_to_register(const ServerMetadata& server) {
  constexpr std::array kMethods = {"none", "client_secret_basic", "client_secret_post"};
  const auto first =
      std::ranges::find_if(kMethods, [&](const char* method) { return takes(server, method); });
  return first == kMethods.end() ? "none" : *first;
}

struct KnownCode {
  OAuthCode code;
  std::string_view name;
  const char* advice;  // What helps where a server refuses with it.
};
constexpr std::array kKnownCodes = {
    KnownCode{OAuthCode::kAccessDenied, "access_denied",
              "; sign in again and consent, or ask who may"},
    KnownCode{OAuthCode::kInvalidClient, "invalid_client",
              "; check --client-id and the variable PLUMBLINE_CLIENT_SECRET"},
    KnownCode{OAuthCode::kUnauthorizedClient, "unauthorized_client",
              "; have this client allowed there, or pass another --client-id"},
    KnownCode{OAuthCode::kInvalidScope, "invalid_scope", "; check --scope"},
    KnownCode{OAuthCode::kInvalidTarget, "invalid_target",
              "; it knows this server by another name: tell who runs them"},
    KnownCode{OAuthCode::kInvalidGrant, "invalid_grant", "; run plumbline login again"},
    KnownCode{OAuthCode::kInvalidRedirectUri, "invalid_redirect_uri",
              "; pass --client-id, and the --callback-port registered for it"},
    KnownCode{OAuthCode::kServerError, "server_error", kTryLater},
    KnownCode{OAuthCode::kTemporarilyUnavailable, "temporarily_unavailable", kTryLater},
    KnownCode{OAuthCode::kSlowDown, "slow_down", kTryLater},
};

bool is_loopback_uri(std::string_view uri) { return uri.starts_with("http://"); }

}  // namespace

Json to_json(const Client& client) {
  return {{"issuer", client.issuer},
          {"id", client.id},
          {"secret", client.secret},
          {"method", client.method},
          {"redirect_uri", client.redirect_uri},
          {"registered", client.registered}};
}

Client read_client(const Json& json) {
  return {string_or(json, "issuer", ""),       string_or(json, "id", ""),
          string_or(json, "secret", ""),       string_or(json, "method", "none"),
          string_or(json, "redirect_uri", ""), bool_or(json, "registered", false)};
}

Result<Identity> choose_identity(const ClientOptions& options, const ServerMetadata& server) {
  if (!options.client_id.empty()) return Identity::kGiven;
  if (!options.metadata_url.empty() && server.takes_metadata_documents) return Identity::kDocument;
  if (!server.registration_endpoint.empty()) return Identity::kRegister;
  return Error{ErrorCode::kUnsupported,
               server.issuer +
                   " registers nobody by itself: have it give you a client id, and "
                   "pass it with --client-id"};
}

Result<Client> client_without_asking(const ClientOptions& options, const ServerMetadata& server,
                                     Identity identity, const std::string& redirect_uri) {
  const bool given = identity == Identity::kGiven;
  Client client{server.issuer,
                given ? options.client_id : options.metadata_url,
                given ? options.client_secret : "",
                "none",
                redirect_uri,
                false};
  if (given) client.method = method_for(options, server);
  if (client.method.empty()) {
    return Error{ErrorCode::kUnsupported,
                 server.issuer + " takes client secrets neither in a header nor in a form"};
  }
  return client;
}

// Spec 2026-07-28, basic/authorization, Dynamic Client Registration: application_type (MUST),
// refresh_token among grant_types (SHOULD).
std::string registration_body(const ClientOptions& options, const ServerMetadata& server,
                              const std::string& redirect_uri) {
  Json body = Json::object();
  body["client_name"] = options.name;
  body["token_endpoint_auth_method"] = method_to_register(server);
  if (redirect_uri.empty()) {
    body["grant_types"] = {"client_credentials"};
    body["redirect_uris"] = Json::array();
    body["response_types"] = Json::array();
  } else {
    body["application_type"] = is_loopback_uri(redirect_uri) ? "native" : "web";
    body["redirect_uris"] = {redirect_uri};
    body["grant_types"] = {"authorization_code", "refresh_token"};
    body["response_types"] = {"code"};
  }
  return dump_json(body);
}

Result<Client> read_registration(const wire::HttpResponse& answer, const ServerMetadata& server,
                                 const std::string& redirect_uri) {
  const std::string where = "the registration at " + server.registration_endpoint;
  if (answer.status != 201 && answer.status != 200) {
    return Error{ErrorCode::kUnsupported,
                 where + " is refused: " + refusal_of(answer) + advice_on(answer)};
  }
  const Result<Json> document = read_document(answer.body);
  if (!document.ok())
    return Error{ErrorCode::kInvalidInput, where + ": " + document.error().message};
  const Json& json = document.value();
  Client client{server.issuer,
                string_or(json, "client_id", ""),
                string_or(json, "client_secret", ""),
                "",
                redirect_uri,
                true};
  if (client.id.empty()) return Error{ErrorCode::kInvalidInput, where + " gives no \"client_id\""};
  const std::string asked = method_to_register(server);
  client.method = string_or(json, "token_endpoint_auth_method", asked);
  if (client.secret.empty()) client.method = "none";
  return client;
}

std::string advice_on(const wire::HttpResponse& answer) {
  if (answer.status >= 500 || answer.status == 429) return kTryLater;
  const Result<Json> document = read_document(answer.body);
  return document.ok() ? advice_on(oauth_code_of(document.value())) : "";
}

std::string advice_on(OAuthCode code) {
  const auto known = std::ranges::find(kKnownCodes, code, &KnownCode::code);
  return known == kKnownCodes.end() ? "" : known->advice;
}

OAuthCode oauth_code_of(const Json& refusal) {
  const std::string name = string_or(refusal, "error", "");
  const auto known = std::ranges::find(kKnownCodes, name, &KnownCode::name);
  if (known != kKnownCodes.end()) return known->code;
  return name.empty() ? OAuthCode::kNone : OAuthCode::kOther;
}

std::string words_of(const Json& refusal) {
  const std::string what = string_or(refusal, "error_description", "");
  std::string out = plain(string_or(refusal, "error", ""));
  if (!what.empty()) out += ": " + plain(what);
  return out;
}

std::string refusal_of(const wire::HttpResponse& answer) {
  std::string out = "HTTP " + std::to_string(answer.status);
  if (answer.status >= 300 && answer.status < 400)
    return out + ", a redirect, which is not followed";
  const Result<Json> document = read_document(answer.body);
  const std::string words = document.ok() ? words_of(document.value()) : "";
  if (words.empty()) return out;
  return out + (words.starts_with(':') ? "" : " ") + words;
}

}  // namespace plumbline::auth
