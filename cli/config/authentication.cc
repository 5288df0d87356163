#include "cli/config/authentication.h"

#include <array>
#include <string_view>

#include "core/base/errors/errors.h"
#include "core/json/fields/fields.h"
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

// Reading is one authentication while it is read.
struct Reading {
  Authentication out;
  const Variable* variable = nullptr;
};

// secret_row reads a secret, or the variable that it names.
Field<Reading> secret_row(std::string_view key) {
  return field::own<Reading>(
             key, shape::words(),
             [key](ObjectReader& fields, Reading& reading) {
               Authentication& out = reading.out;
               if (fields.boolean("stored").value_or(false) && !fields.has(key)) return;
               const std::string expected =
                   "a \"" + std::string(key) +
                   "\", or \"stored\": true for one that `plumbline login --key` keeps";
               if (!fields.require(key, expected)) return;
               Result<std::string> secret =
                   read_secret(fields.string(key).value_or(""), *reading.variable);
               if (!secret.ok()) return fields.refuse(key, secret.error().message);
               out.secret = std::move(secret).value();
               if (fields.failed()) return;
               out.header = {out.name, out.prefix + out.secret};
               if (wire::is_header_value(out.header->second)) return;
               fields.refuse(key, "\"authentication\": what it says fits in no header");
             })
      .says("or ${VARIABLE}");
}

Field<Reading> stored_row() {
  return field::shown<Reading>(
             "stored", shape::only(true),
             [](ObjectReader& fields, std::string_view key) { fields.boolean(key); })
      .says("kept by plumbline login --key");
}

const Fields<Reading>& api_key_fields() {
  static const Fields<Authentication> kName("\"authentication\"",
                                            {
                                                field::words("header", &Authentication::name),
                                                field::text("prefix", &Authentication::prefix),
                                            });
  static const Fields<Reading> kFields =
      kName.within(&Reading::out)
          .and_those({"\"authentication\"", {stored_row(), secret_row("key")}});
  return kFields;
}

const Fields<Reading>& bearer_fields() {
  static const Fields<Reading> kFields("\"authentication\"", {stored_row(), secret_row("token")});
  return kFields;
}

// address_row reads an address of http or https.
Field<Authentication> address_row(std::string_view key, std::string Authentication::*member) {
  return field::own<Authentication>(
      key, shape::words(), [=](ObjectReader& fields, Authentication& out) {
        out.*member = fields.string(key).value_or("");
        if ((out.*member).empty()) return;
        const Result<wire::Url> url = wire::parse_url(out.*member);
        if (url.ok() && url.value().scheme.starts_with("http")) return;
        fields.refuse(key, "\"" + std::string(key) + "\" is no address, expected https://...");
      });
}

// What `login` is to know. A secret goes only where the file says that it belongs.
const Fields<Authentication>& oauth_fields() {
  static const Fields<Authentication> kFields(
      "\"authentication\"",
      {
          field::words("clientId", &Authentication::client_id),
          field::words("issuer", &Authentication::issuer)
              .says("the authorization server that knows the client; the secret goes to no other"),
          field::texts("endpointOrigins", &Authentication::endpoint_origins)
              .says("where its endpoints may be besides its own origin"),
          field::texts("scopes", &Authentication::scopes),
          address_row("authorizationEndpoint", &Authentication::authorization_endpoint)
              .says("where people sign in, if the server's metadata is not to be asked"),
          address_row("tokenEndpoint", &Authentication::token_endpoint)
              .says("where tokens are given out; its origin is the issuer, unless one is named"),
          address_row("redirectUri", &Authentication::redirect_uri)
              .says("where the browser comes back, on this machine; by default any free port"),
          field::words("clientSecret", &Authentication::client_secret).says("or ${VARIABLE}"),
      });
  return kFields;
}

// check_endpoints looks at where the authorization server is, for those that say nowhere
// themselves. Who writes them down trusts both: the issuer is that of the tokens, unless another is
// named.
void check_endpoints(ObjectReader& fields, Authentication& out) {
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

// check_secret holds a client's secret against who may get it.
void check_secret(ObjectReader& fields, const Authentication& out) {
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
    oauth_fields().read(fields, out);
    check_endpoints(fields, out);
    check_secret(fields, out);
  } else {
    const bool bearer = kTypes[*type] == "bearer";
    Reading reading{std::move(out), &variable};
    if (bearer) reading.out.name = "Authorization";
    if (bearer) reading.out.prefix = "Bearer ";
    (bearer ? bearer_fields() : api_key_fields()).read(fields, reading);
    out = std::move(reading.out);
  }
  fields.finish();
  return out;
}

Json authentication_shape() {
  const auto kind = [](Json shape, std::string_view type, const Json& also) {
    shape["properties"]["type"] = shape::only(type);
    for (const auto& [key, value] : also.items()) shape[key] = value;
    return shape;
  };
  const Json secret_needs = {{"dependentRequired", {{"clientSecret", {"clientId", "issuer"}}}}};
  Json out = shape::with(shape::object(), "required", Json::array({"type"}));
  out["oneOf"] = Json::array({
      kind(api_key_fields().shape(), "api-key", shape::one_of_two("key", "stored")),
      kind(bearer_fields().shape(), "bearer", shape::one_of_two("token", "stored")),
      kind(oauth_fields().shape(), "oauth2", secret_needs),
  });
  return out;
}

}  // namespace plumbline::cli
