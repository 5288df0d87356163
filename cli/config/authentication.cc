#include "cli/config/authentication.h"

#include <array>
#include <string_view>

#include "core/wire/http.h"

namespace plumbline::cli {

namespace {

// secret_in returns the text of the member `key`, or of the variable that it names.
std::string secret_in(ObjectReader& fields, const char* key, const Variable& variable) {
  const std::string expected = "a \"" + std::string(key) +
                               "\", or \"stored\": true for one that `plumbline login --key` keeps";
  if (!fields.require(key, expected)) return {};
  std::string text = fields.string(key).value_or("");
  if (!text.starts_with("${") || !text.ends_with("}")) return text;
  const std::string name = text.substr(2, text.size() - 3);
  std::optional<std::string> value = variable(name);
  if (value && !value->empty()) return *std::move(value);
  fields.refuse(key, "\"authentication\": the variable " + name + " is not set");
  return {};
}

// refuse_client_secret says where the secret of a client is read, for it is not here.
void refuse_client_secret(const Json& said, ObjectReader& fields) {
  for (const char* const key : {"clientSecret", "client_secret"}) {
    if (find(said, key) == nullptr) continue;
    fields.refuse(key, '"' + std::string(key) +
                           "\" is not read from a file, expected the variable "
                           "PLUMBLINE_CLIENT_SECRET of `plumbline login`");
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
    out.client_id = fields.string("clientId").value_or("");
    out.scopes = fields.strings("scopes");
    refuse_client_secret(said, fields);
  } else {
    read_key(fields, kTypes[*type] == "bearer", variable, out);
  }
  fields.finish();
  return out;
}

}  // namespace plumbline::cli
