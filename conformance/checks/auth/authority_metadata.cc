// What an authorization server says of itself: spec, basic/authorization, Authorization Server
// Metadata Discovery; RFC 8414, section 3.3; OpenID Connect Discovery 1.0.

#include <algorithm>
#include <string>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

bool lists(const Json& document, std::string_view member, std::string_view value) {
  const Json* const list = find(document, member);
  return list != nullptr && list->is_array() &&
         std::ranges::find(*list, Json(std::string(value))) != list->end();
}

Task<Finding> publishes_metadata(AuthProbe& probe) {
  const Authority& authority = probe.authority();
  if (!authority.document().is_object()) {
    co_return broken("it has no metadata: " + authority.tried);
  }
  for (const Json* const document : {&authority.oauth, &authority.oidc}) {
    if (!document->is_object()) continue;
    const std::string issuer = string_or(*document, "issuer", "");
    if (issuer == authority.issuer) continue;
    co_return broken("its metadata has the issuer \"" + clipped(issuer) +
                     "\", and was found under \"" + clipped(authority.issuer) +
                     "\": clients refuse it");
  }
  co_return passes();
}

Task<Finding> lists_pkce(AuthProbe& probe) {
  const Json& document = probe.authority().oidc;
  if (!document.is_object()) co_return not_for_it("it has no OpenID configuration");
  if (lists(document, "code_challenge_methods_supported", "S256")) co_return passes();
  co_return broken(
      "its OpenID configuration does not list S256 among "
      "code_challenge_methods_supported: clients refuse it");
}

Task<Finding> has_endpoints_over_tls(AuthProbe& probe) {
  const Json& document = probe.authority().document();
  if (!document.is_object()) co_return not_for_it("it has no metadata");
  for (const char* const member :
       {"authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint",
        "introspection_endpoint", "jwks_uri"}) {
    const std::string address = string_or(document, member, "");
    const Result<wire::Url> url = wire::parse_url(address);
    if (!url.ok() || url.value().secure() || is_loopback(url.value().host)) continue;
    co_return broken("its " + std::string(member) + " is \"" + clipped(address) +
                     "\", expected https");
  }
  co_return passes();
}

Task<Finding> takes_metadata_documents(AuthProbe& probe) {
  const Json& document = probe.authority().document();
  if (!document.is_object()) co_return not_for_it("it has no metadata");
  const Json* const flag = find(document, "client_id_metadata_document_supported");
  if (flag != nullptr && *flag == Json(true)) co_return passes();
  co_return broken("its metadata has no client_id_metadata_document_supported that is true");
}

constexpr AuthCheck kAuthorityMetadataChecks[] = {
    {"auth.as-metadata-published", publishes_metadata},
    {"auth.as-oidc-lists-pkce", lists_pkce},
    {"auth.as-endpoints-https", has_endpoints_over_tls},
    {"auth.cimd-as-support", takes_metadata_documents},
};

}  // namespace

AuthChecks authority_metadata_checks() { return kAuthorityMetadataChecks; }

}  // namespace plumbline::conformance
