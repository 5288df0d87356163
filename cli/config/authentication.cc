#include "cli/config/authentication.h"

#include "core/wire/http.h"

namespace plumbline::cli {

namespace {

Error wrong(const std::string& what) {
  return Error{ErrorCode::kInvalidInput, "\"authentication\": " + what};
}

Result<std::string> secret_in(const Json& json, const char* key, const Variable& variable) {
  const std::string text = string_or(json, key, "");
  if (!text.empty()) return read_secret(text, variable);
  return wrong("expected a \"" + std::string(key) +
               "\", or \"stored\": true for one that `plumbline login --key` keeps");
}

// texts_in returns the texts of the list `key`; anything else in it is left out.
std::vector<std::string> texts_in(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const Json* const list = find(json, key);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& one : *list) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

// read_oauth reads what `login` is to know. A secret goes only where the file says that it belongs.
Result<Authentication> read_oauth(const Json& json) {
  Authentication out;
  out.client_id = string_or(json, "clientId", "");
  out.issuer = string_or(json, "issuer", "");
  out.endpoint_origins = texts_in(json, "endpointOrigins");
  out.scopes = texts_in(json, "scopes");
  out.client_secret = string_or(json, "clientSecret", "");
  if (out.client_secret.empty()) return out;
  if (out.client_id.empty()) return wrong("a \"clientSecret\" wants the \"clientId\" beside it");
  if (out.issuer.empty()) {
    return wrong(
        "a \"clientSecret\" wants the \"issuer\" beside it: the authorization server that it is "
        "for, and goes to alone");
  }
  return out;
}

}  // namespace

Result<std::string> read_secret(const std::string& text, const Variable& variable) {
  if (!text.starts_with("${") || !text.ends_with("}")) return text;
  const std::string name = text.substr(2, text.size() - 3);
  const std::optional<std::string> value = variable(name);
  if (value && !value->empty()) return *value;
  return wrong("the variable " + name + " is not set");
}

Result<Authentication> read_authentication(const Json& json, const Variable& variable) {
  if (!json.is_object()) return wrong("expected an object");
  const std::string type = string_or(json, "type", "");
  Authentication out;
  if (type == "oauth2") return read_oauth(json);
  if (type != "api-key" && type != "bearer") {
    return wrong("expected \"type\" to be api-key, bearer or oauth2");
  }
  const bool bearer = type == "bearer";
  out.name = bearer ? "Authorization" : string_or(json, "header", out.name);
  out.prefix = bearer ? "Bearer " : string_or(json, "prefix", "");
  const char* const member = bearer ? "token" : "key";
  if (bool_or(json, "stored", false) && find(json, member) == nullptr) return out;
  Result<std::string> secret = secret_in(json, member, variable);
  if (!secret.ok()) return secret.error();
  out.secret = std::move(secret).value();
  out.header = {out.name, out.prefix + out.secret};
  if (wire::is_header_value(out.header->second)) return out;
  return wrong("what it says fits in no header");
}

}  // namespace plumbline::cli
