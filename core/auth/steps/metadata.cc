#include "core/auth/steps/metadata.h"

#include <algorithm>
#include <utility>

namespace plumbline::auth {

namespace {

Error malformed(std::string what) { return Error{ErrorCode::kInvalidInput, std::move(what)}; }

// texts_of returns the texts of the list `key`; nothing when there is no list. Anything else in it
// is left out.
std::optional<std::vector<std::string>> texts_of(const Json& object, std::string_view key) {
  const Json* const list = find(object, key);
  if (list == nullptr || !list->is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const Json& one : *list) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

}  // namespace

Result<Json> read_document(std::string_view text) {
  if (text.size() > kDocumentBytesMax) {
    return Error{ErrorCode::kLimitReached, "more than 64 KiB are sent"};
  }
  Result<Json> document = parse_json(text);
  if (!document.ok()) {
    const std::size_t begins = text.find_first_not_of(" \t\r\n");
    const bool page = begins != std::string_view::npos && text[begins] == '<';
    return malformed(page ? "it is a page, not JSON"
                          : "it is no JSON: " + document.error().message);
  }
  if (!document.value().is_object()) return malformed("it is no JSON object");
  return document;
}

Result<ResourceMetadata> read_resource_metadata(const Json& document) {
  ResourceMetadata metadata;
  metadata.resource = string_or(document, "resource", "");
  if (metadata.resource.empty()) return malformed("it names no \"resource\"");
  metadata.authorization_servers =
      texts_of(document, "authorization_servers").value_or(std::vector<std::string>());
  if (metadata.authorization_servers.empty()) {
    return malformed("it names no \"authorization_servers\"");
  }
  metadata.scopes_supported =
      texts_of(document, "scopes_supported").value_or(std::vector<std::string>());
  return metadata;
}

Result<ServerMetadata> read_server_metadata(const Json& document) {
  ServerMetadata metadata;
  metadata.issuer = string_or(document, "issuer", "");
  metadata.authorization_endpoint = string_or(document, "authorization_endpoint", "");
  metadata.token_endpoint = string_or(document, "token_endpoint", "");
  metadata.registration_endpoint = string_or(document, "registration_endpoint", "");
  metadata.revocation_endpoint = string_or(document, "revocation_endpoint", "");
  metadata.token_auth_methods = texts_of(document, "token_endpoint_auth_methods_supported");
  for (const auto& [key, list] :
       {std::pair("scopes_supported", &metadata.scopes_supported),
        std::pair("code_challenge_methods_supported", &metadata.code_challenge_methods)}) {
    *list = texts_of(document, key).value_or(std::vector<std::string>());
  }
  metadata.takes_metadata_documents =
      bool_or(document, "client_id_metadata_document_supported", false);
  metadata.sends_issuer =
      bool_or(document, "authorization_response_iss_parameter_supported", false);
  if (metadata.issuer.empty()) return malformed("it names no \"issuer\"");
  if (metadata.token_endpoint.empty()) return malformed("it names no \"token_endpoint\"");
  return metadata;
}

std::vector<std::string> split_scope(std::string_view scope) {
  std::vector<std::string> scopes;
  while (!scope.empty()) {
    const std::string_view one = scope.substr(0, scope.find(' '));
    scope.remove_prefix(std::min(one.size() + 1, scope.size()));
    if (!one.empty()) scopes.emplace_back(one);
  }
  return scopes;
}

std::string join_scope(const std::vector<std::string>& scopes) {
  std::string joined;
  for (const std::string& scope : scopes) joined += (joined.empty() ? "" : " ") + scope;
  return joined;
}

std::vector<std::string> united(std::vector<std::string> scopes,
                                const std::vector<std::string>& more) {
  for (const std::string& scope : more) {
    if (std::ranges::find(scopes, scope) == scopes.end()) scopes.push_back(scope);
  }
  return scopes;
}

}  // namespace plumbline::auth
