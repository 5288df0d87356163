// What an authorization server says of itself: spec, basic/authorization, Authorization Server
// Metadata Discovery; RFC 8414, section 3.3; OpenID Connect Discovery 1.0.

#include <algorithm>
#include <string>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/peer/preflight.h"
#include "conformance/wire/members.h"
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
    co_return broken("its metadata has " + told_member(*document, "issuer") +
                     ", and was found under \"" + clipped(authority.issuer) +
                     "\": clients refuse it");
  }
  co_return passes();
}

// lacks_s256 says that a document does not list S256; empty: it does.
std::string lacks_s256(const Json& document) {
  constexpr std::string_view kMethods = "code_challenge_methods_supported";
  if (lists(document, kMethods, "S256")) return {};
  const Json* const methods = find(document, kMethods);
  if (methods == nullptr || methods->is_array()) {
    return "does not list S256 among " + std::string(kMethods) + ": clients refuse it";
  }
  return "has " + told_member(document, kMethods) +
         ", expected a list that has S256: clients refuse it";
}

Task<Finding> lists_pkce(AuthProbe& probe) {
  const Json& document = probe.authority().oidc;
  if (!document.is_object()) co_return not_for_it("it has no OpenID configuration");
  const std::string lack = lacks_s256(document);
  co_return lack.empty() ? passes() : broken("its OpenID configuration " + lack);
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

bool takes_documents(const Json& document) {
  const Json* const flag = find(document, "client_id_metadata_document_supported");
  return flag != nullptr && *flag == Json(true);
}

Task<Finding> takes_metadata_documents(AuthProbe& probe) {
  const Json& document = probe.authority().document();
  if (!document.is_object()) co_return not_for_it("it has no metadata");
  const Json* const flag = find(document, "client_id_metadata_document_supported");
  if (takes_documents(document)) co_return passes();
  if (flag != nullptr && !flag->is_boolean()) {
    co_return broken("its metadata has " +
                     told_member(document, "client_id_metadata_document_supported") +
                     ", expected true");
  }
  co_return broken("its metadata has no client_id_metadata_document_supported that is true");
}

// Spec 2025-11-25, basic/authorization, Client Registration Approaches. Clients that somebody has
// registered by hand need neither.
Task<Finding> gives_strangers_an_id(AuthProbe& probe) {
  const Json& document = probe.authority().document();
  if (!document.is_object()) co_return not_for_it("it has no metadata");
  if (!probe.authority().member("registration_endpoint").empty()) co_return passes();
  if (takes_documents(document)) co_return passes();
  co_return risky(
      "its metadata has neither a registration_endpoint nor client_id_metadata_document_supported: "
      "a client that it does not know has no way to a client_id, and those to which users give no "
      "more than the address of a server, such as those on the TypeScript SDK, cannot sign in");
}

// RFC 8414, section 2, and others that have added to it. Those that a rule of their own reads are
// not among them.
constexpr TypedMember kTypedMembers[] = {
    {"registration_endpoint", MemberType::kText},
    {"revocation_endpoint", MemberType::kText},
    {"introspection_endpoint", MemberType::kText},
    {"jwks_uri", MemberType::kText},
    {"pushed_authorization_request_endpoint", MemberType::kText},
    {"device_authorization_endpoint", MemberType::kText},
    {"service_documentation", MemberType::kText},
    {"op_policy_uri", MemberType::kText},
    {"op_tos_uri", MemberType::kText},
    {"scopes_supported", MemberType::kTexts},
    {"response_types_supported", MemberType::kTexts},
    {"response_modes_supported", MemberType::kTexts},
    {"grant_types_supported", MemberType::kTexts},
    {"token_endpoint_auth_methods_supported", MemberType::kTexts},
    {"token_endpoint_auth_signing_alg_values_supported", MemberType::kTexts},
    {"revocation_endpoint_auth_methods_supported", MemberType::kTexts},
    {"introspection_endpoint_auth_methods_supported", MemberType::kTexts},
    {"ui_locales_supported", MemberType::kTexts},
    {"require_pushed_authorization_requests", MemberType::kFlag},
};

// RFC 8414, section 2.
Task<Finding> has_required_members(AuthProbe& probe) {
  const Json& document = probe.authority().document();
  if (!document.is_object()) co_return not_for_it("it has no metadata");
  for (const char* const member : {"issuer", "token_endpoint"}) {
    if (!string_or(document, member, "").empty()) continue;
    co_return broken("its metadata has " + told_member(document, member) +
                     ", expected an address as a text");
  }
  const Json* const types = find(document, "response_types_supported");
  if (types == nullptr || !types->is_array() || types->empty()) {
    co_return broken("its metadata has " + told_member(document, "response_types_supported") +
                     ", expected such as [\"code\"]");
  }
  if (lists(document, "response_types_supported", "code") &&
      string_or(document, "authorization_endpoint", "").empty()) {
    co_return broken("its metadata lists the response type \"code\" and has " +
                     told_member(document, "authorization_endpoint") +
                     ", expected an address as a text");
  }
  Finding seen = passes();
  for (const Json* const each : {&probe.authority().oauth, &probe.authority().oidc}) {
    const Mistyped mistyped = mistyped_in(*each, kTypedMembers);
    if (mistyped.text.empty()) continue;
    const std::string says = "its metadata has " + mistyped.text;
    if (!mistyped.null) co_return broken(says + " (RFC 8414, section 2)");
    if (seen.verdict == Verdict::kPass) seen = risky(says);
  }
  // RFC 8414, section 3.2; OpenID Connect Discovery 1.0, section 4.2.
  const std::string& type = probe.authority().type;
  if (!type.empty()) co_return broken(type + " (RFC 8414, section 3.2)");
  co_return std::move(seen);
}

Task<Finding> lists_pkce_in_oauth(AuthProbe& probe) {
  const Json& document = probe.authority().oauth;
  if (!document.is_object()) co_return not_for_it("it has no metadata of RFC 8414");
  const std::string lack = lacks_s256(document);
  co_return lack.empty() ? passes() : broken("its metadata " + lack);
}

// absence_of says that nobody is at an endpoint; empty: somebody is.
std::string absence_of(const Reply& reply, bool keys) {
  const Json document = json_in(reply);
  const Json* const list = find(document, "keys");
  if (keys && (reply.status != 200 || list == nullptr || !list->is_array())) {
    return "gives status " + std::to_string(reply.status) + " and no set of keys";
  }
  const bool absent = reply.status == 404 || reply.status == 405 || reply.status == 501;
  return absent ? "answers status " + std::to_string(reply.status) : std::string();
}

Task<Finding> is_where_it_says(AuthProbe& probe) {
  const Authority& authority = probe.authority();
  if (!authority.document().is_object()) co_return not_for_it("it has no metadata");
  for (const char* const member :
       {"jwks_uri", "token_endpoint", "registration_endpoint", "revocation_endpoint",
        "introspection_endpoint", "pushed_authorization_request_endpoint",
        "device_authorization_endpoint"}) {
    std::string endpoint = authority.member(member);
    if (endpoint.empty()) continue;
    const bool keys = std::string_view(member) == "jwks_uri";
    Reply reply;
    if (keys) {
      reply = co_await probe.get(std::move(endpoint));
    } else {
      wire::Form nothing;
      reply = co_await probe.post(std::move(endpoint), std::move(nothing));
    }
    if (reply.status == 0)
      co_return undecided("its " + std::string(member) + " gave " + reply.describe());
    const std::string absence = absence_of(reply, keys);
    if (!absence.empty()) co_return broken("its " + std::string(member) + " " + absence);
  }
  co_return passes();
}

Task<Reply> before_flight(AuthProbe& probe, std::string url, std::string method) {
  wire::HttpRequest request;
  request.method = "OPTIONS";
  request.headers.set("Origin", kInspectorPage);
  request.headers.set("Access-Control-Request-Method", std::move(method));
  request.headers.set("Access-Control-Request-Headers", "content-type,mcp-protocol-version");
  Reply reply = co_await probe.ask(std::move(url), std::move(request));
  co_return reply;
}

// Where pages in browsers may read the metadata they have to be able to go on.
Task<Finding> lets_pages_go_on(AuthProbe& probe) {
  const Authority& authority = probe.authority();
  if (!authority.document().is_object()) co_return not_for_it("it has no metadata");
  wire::HttpRequest plain;
  plain.method = "GET";
  plain.headers.set("Origin", kInspectorPage);
  const Reply metadata = co_await probe.ask(authority.place, std::move(plain));
  if (!may_read(metadata)) co_return not_for_it("pages of others may not read its metadata");
  const Reply asked = co_await before_flight(probe, authority.place, "GET");
  if (asked.status == 0) co_return undecided("its metadata gave " + asked.describe());
  if (asked.status / 100 != 2 || !may_read(asked)) {
    co_return risky(
        "pages of others may read its metadata, and a browser that asks first, as it does for "
        "MCP-Protocol-Version, is refused (OPTIONS got status " +
        std::to_string(asked.status) +
        "): clients in a browser, such as MCP Inspector, do not find it");
  }
  for (const char* const member : {"token_endpoint", "registration_endpoint"}) {
    std::string endpoint = authority.member(member);
    if (endpoint.empty()) continue;
    const Reply reply = co_await before_flight(probe, std::move(endpoint), "POST");
    if (reply.status == 0)
      co_return undecided("its " + std::string(member) + " gave " + reply.describe());
    if (reply.status / 100 == 2 && may_read(reply)) continue;
    co_return risky("pages of others may read its metadata, and its " + std::string(member) +
                    " refuses them (OPTIONS got status " + std::to_string(reply.status) +
                    "): clients in a browser, such as MCP Inspector, cannot sign in");
  }
  co_return passes();
}

// Who looks in all the places reads what has status 200 as JSON.
Task<Finding> has_no_page_there(AuthProbe& probe) {
  const Authority& authority = probe.authority();
  if (authority.page.empty()) co_return passes();
  co_return risky(authority.page +
                  " gives status 200 and no JSON, expected metadata or 404: clients that read it, "
                  "such as those on the official TypeScript SDK, stop there");
}

constexpr AuthCheck kAuthorityMetadataChecks[] = {
    {"auth.as-metadata-published", publishes_metadata},
    {"auth.as-oidc-lists-pkce", lists_pkce},
    {"auth.as-endpoints-https", has_endpoints_over_tls},
    {"auth.cimd-as-support", takes_metadata_documents},
    {"auth.as-way-to-a-client-id", gives_strangers_an_id},
    {"auth.as-metadata-members", has_required_members},
    {"auth.as-metadata-lists-pkce", lists_pkce_in_oauth},
    {"auth.as-endpoints-exist", is_where_it_says},
    {"auth.as-cors-throughout", lets_pages_go_on},
    {"auth.as-metadata-no-page", has_no_page_there},
};

}  // namespace

AuthChecks authority_metadata_checks() { return kAuthorityMetadataChecks; }

}  // namespace plumbline::conformance
