#include "core/auth/token.h"

#include <chrono>

namespace plumbline::auth {

namespace {

std::int64_t seconds_of(Duration span) {
  return std::chrono::duration_cast<std::chrono::seconds>(span).count();
}

}  // namespace

std::string to_text(const Token& token) {
  Json json = {{"server", token.server},
               {"resource", token.resource},
               {"access_token", token.access_token},
               {"refresh_token", token.refresh_token},
               {"scope", join_scope(token.scopes)},
               {"obtained", seconds_of(token.obtained)},
               {"client", to_json(token.client)},
               {"token_endpoint", token.token_endpoint},
               {"revocation_endpoint", token.revocation_endpoint},
               {"header", token.header},
               {"prefix", token.prefix}};
  if (token.expires) json["expires"] = seconds_of(*token.expires);
  return dump_json(json);
}

Result<Token> read_token(const std::string& text) {
  const Result<Json> read = parse_json(text);
  Token token;
  if (read.ok()) {
    const Json& json = read.value();
    token.server = string_or(json, "server", "");
    token.resource = string_or(json, "resource", "");
    token.access_token = string_or(json, "access_token", "");
    token.refresh_token = string_or(json, "refresh_token", "");
    token.scopes = split_scope(string_or(json, "scope", ""));
    token.obtained = std::chrono::seconds(int_or(json, "obtained", 0));
    if (const auto expires = find_int(json, "expires")) {
      token.expires = std::chrono::seconds(*expires);
    }
    if (const Json* const client = find(json, "client")) token.client = read_client(*client);
    token.token_endpoint = string_or(json, "token_endpoint", "");
    token.revocation_endpoint = string_or(json, "revocation_endpoint", "");
    token.header = string_or(json, "header", token.header);
    token.prefix = string_or(json, "prefix", token.prefix);
  }
  if (token.server.empty() || token.access_token.empty()) {
    return Error{ErrorCode::kInvalidInput, "what is stored for this server is no token"};
  }
  return token;
}

std::string secret_name_of(const std::string& server) { return "token " + server; }

std::string client_name_of(const std::string& issuer) { return "client " + issuer; }

}  // namespace plumbline::auth
