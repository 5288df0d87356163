#include "cli/config/authentication.h"

#include <array>
#include <string_view>

#include "core/base/errors/errors.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::cli {

Result<std::string> read_secret(const std::string& text, const Variable& variable) {
  if (!text.starts_with("${") || !text.ends_with("}")) return text;
  const std::string name = text.substr(2, text.size() - 3);
  const std::optional<std::string> value = variable(name);
  if (value && !value->empty()) return *value;
  return the_error("auth.variable-unset", name);
}

namespace {

// secret_in returns the text of the member `key`, or of the variable that it names.
std::string secret_in(ObjectReader& fields, const char* key, const Variable& variable) {
  const std::string expected = "a \"" + std::string(key) +
                               "\", or \"stored\": true for one that `plumbline login --key` keeps";
  if (!fields.require(key, expected)) return {};
  Result<std::string> secret = read_secret(fields.string(key).value_or(""), variable);
  if (secret.ok()) return std::move(secret).value();
  fields.refuse(key, secret.error().message);
  return {};
}

// read_address returns the member `key`, an address of http or https.
std::string read_address(ObjectReader& fields, const char* key) {
  const std::string text = fields.string(key).value_or("");
  if (text.empty()) return text;
  const Result<wire::Url> url = wire::parse_url(text);
  if (!url.ok() || !url.value().scheme.starts_with("http")) {
    fields.refuse(key, "\"" + std::string(key) + "\" is no address, expected https://...");
  }
  return text;
}

// read_endpoints reads where the authorization server is, for those that say nowhere themselves.
// Who writes them down trusts both: the issuer is that of the tokens, unless another is named.
void read_endpoints(ObjectReader& fields, Authentication& out) {
  out.authorization_endpoint = read_address(fields, "authorizationEndpoint");
  out.token_endpoint = read_address(fields, "tokenEndpoint");
  out.redirect_uri = read_address(fields, "redirectUri");
  if (fields.failed()) return;
  if (out.authorization_endpoint.empty() != out.token_endpoint.empty()) {
    const bool first = out.token_endpoint.empty();
    fields.refuse(first ? "authorizationEndpoint" : "tokenEndpoint",
                  std::string("expected \"") + (first ? "tokenEndpoint" : "authorizationEndpoint") +
                      "\" beside it");
    return;
  }
  if (!out.redirect_uri.empty()) {
    const wire::Url place = wire::parse_url(out.redirect_uri).value();
    const bool here = place.host == "127.0.0.1" || place.host == "localhost";
    if (place.scheme != "http" || !here) {
      fields.refuse(
          "redirectUri",
          "is elsewhere, expected http://127.0.0.1:PORT/... or http://localhost:PORT/...: "
          "plumbline waits there for the browser");
    }
  }
  if (out.token_endpoint.empty()) return;
  const std::string tokens = wire::parse_url(out.token_endpoint).value().origin();
  const std::string pages = wire::parse_url(out.authorization_endpoint).value().origin();
  if (out.issuer.empty()) out.issuer = tokens;
  out.endpoint_origins.push_back(tokens);
  out.endpoint_origins.push_back(pages);
}

// read_oauth reads what `login` is to know. A secret goes only where the file says that it belongs.
void read_oauth(ObjectReader& fields, Authentication& out) {
  out.client_id = fields.string("clientId").value_or("");
  out.issuer = fields.string("issuer").value_or("");
  out.endpoint_origins = fields.strings("endpointOrigins");
  out.scopes = fields.strings("scopes");
  read_endpoints(fields, out);
  out.client_secret = fields.string("clientSecret").value_or("");
  if (out.client_secret.empty() || fields.failed()) return;
  if (out.client_id.empty()) {
    fields.refuse("clientSecret", "a \"clientSecret\" wants the \"clientId\" beside it");
  } else if (out.issuer.empty()) {
    fields.refuse(
        "clientSecret",
        "a \"clientSecret\" wants the \"issuer\" beside it: the authorization server that "
        "it is for, and goes to alone");
  }
}

void read_key(ObjectReader& fields, bool bearer, const Variable& variable, Authentication& out) {
  if (bearer) {
    out.name = "Authorization";
    out.prefix = "Bearer ";
  } else {
    out.name = fields.string("header").value_or(out.name);
    out.prefix = fields.text("prefix").value_or("");
  }
  const char* const member = bearer ? "token" : "key";
  if (fields.boolean("stored").value_or(false) && !fields.has(member)) return;
  out.secret = secret_in(fields, member, variable);
  if (fields.failed()) return;
  out.header = {out.name, out.prefix + out.secret};
  if (wire::is_header_value(out.header->second)) return;
  fields.refuse(member, "\"authentication\": what it says fits in no header");
}

}  // namespace

Authentication read_authentication(const Json& said, const std::string& pointer,
                                   const Variable& variable, std::optional<Problem>& problem) {
  constexpr std::array<std::string_view, 3> kTypes = {"api-key", "bearer", "oauth2"};
  ObjectReader fields(said, pointer, "\"authentication\"", problem);
  Authentication out;
  fields.require("type", "api-key, bearer or oauth2");
  const std::optional<std::size_t> type = fields.choice("type", kTypes);
  if (!type) return out;
  if (kTypes[*type] == "oauth2") {
    read_oauth(fields, out);
  } else {
    read_key(fields, kTypes[*type] == "bearer", variable, out);
  }
  fields.finish();
  return out;
}

}  // namespace plumbline::cli
