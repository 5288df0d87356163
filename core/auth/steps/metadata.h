// The documents in which a protected resource and an authorization server say what they are.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::auth {

inline constexpr std::size_t kDocumentBytesMax = 64U << 10U;  // Of whatever a server sends us.

// ResourceMetadata is of a protected resource, RFC 9728, section 2.
struct ResourceMetadata {
  std::string resource;
  std::vector<std::string> authorization_servers;
  std::vector<std::string> scopes_supported;
};

// ServerMetadata is of an authorization server: RFC 8414, section 2, or OpenID Connect Discovery.
struct ServerMetadata {
  std::string issuer;
  std::string authorization_endpoint;  // These are empty where the server has none.
  std::string token_endpoint;
  std::string registration_endpoint;
  std::string revocation_endpoint;
  std::vector<std::string> scopes_supported;
  std::optional<std::vector<std::string>> token_auth_methods;  // Nothing: it does not say.
  std::vector<std::string> code_challenge_methods;
  bool takes_metadata_documents = false;  // As client ids.
  bool sends_issuer = false;              // With the code, RFC 9207.
};

// read_document returns the JSON object of such a document. kInvalidInput: it is none;
// kLimitReached: of more than kDocumentBytesMax.
Result<Json> read_document(std::string_view text);

// Both return kInvalidInput for a document that is not as its RFC says: one line.
Result<ResourceMetadata> read_resource_metadata(const Json& document);
Result<ServerMetadata> read_server_metadata(const Json& document);

// split_scope returns the scopes of a list with spaces; join_scope writes it; united adds those of
// `more` that are not in `scopes`.
std::vector<std::string> split_scope(std::string_view scope);
std::string join_scope(const std::vector<std::string>& scopes);
std::vector<std::string> united(std::vector<std::string> scopes,
                                const std::vector<std::string>& more);

}  // namespace plumbline::auth
