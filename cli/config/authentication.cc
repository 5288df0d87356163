#include "cli/config/authentication.h"

#include "core/wire/http.h"

namespace plumbline::cli {

namespace {

Error wrong(const std::string& what) {
  return Error{ErrorCode::kInvalidInput, "\"authentication\": " + what};
}

// secret_in returns the text of the member `key`, or of the variable that it names.
Result<std::string> secret_in(const Json& json, const char* key, const Variable& variable) {
  const std::string text = string_or(json, key, "");
  if (text.empty()) {
    return wrong("expected a \"" + std::string(key) +
                 "\", or \"stored\": true for one that `plumbline login --key` keeps");
  }
  if (!text.starts_with("${") || !text.ends_with("}")) return text;
  const std::string name = text.substr(2, text.size() - 3);
  const std::optional<std::string> value = variable(name);
  if (value && !value->empty()) return *value;
  return wrong("the variable " + name + " is not set");
}

}  // namespace

Result<Authentication> read_authentication(const Json& json, const Variable& variable) {
  if (!json.is_object()) return wrong("expected an object");
  const std::string type = string_or(json, "type", "");
  Authentication out;
  if (type == "oauth2") {
    out.client_id = string_or(json, "clientId", "");
    if (const Json* const scopes = find(json, "scopes"); scopes != nullptr && scopes->is_array()) {
      for (const Json& scope : *scopes) {
        if (scope.is_string()) out.scopes.push_back(scope.get<std::string>());
      }
    }
    return out;
  }
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
