// What the metadata of a protected resource say of itself: RFC 9728, sections 2 and 3.3; spec,
// basic/authorization, Canonical Server URI.

#include <string>
#include <utility>

#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/wire/members.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// differs says in what way `resource` is not the server at `url`; empty: it is, or one above it.
std::string differs(const wire::Url& resource, const wire::Url& url) {
  if (resource.origin() != url.origin()) return "names another origin than " + url.origin();
  const std::string own = url.target.substr(0, url.target.find('?'));
  std::string path = resource.target.substr(0, resource.target.find('?'));
  while (path.ends_with('/')) path.pop_back();
  const bool above =
      own.starts_with(path) && (own.size() == path.size() || own[path.size()] == '/');
  return above || path.empty() ? "" : "names another path than " + own;
}

// is_above returns whether `resource`, which does not differ from the server at `url`, is one above
// it.
bool is_above(const wire::Url& resource, const wire::Url& url) {
  const auto path_in = [](const wire::Url& one) {
    std::string path = one.target.substr(0, one.target.find('?'));
    while (path.ends_with('/')) path.pop_back();
    return path;
  };
  return path_in(resource).size() < path_in(url).size();
}

// is_for_one returns whether metadata was found where that of this one server stands, and not that
// of its whole origin.
bool is_for_one(const LookedUp& found) {
  constexpr std::string_view kOfTheOrigin = "/.well-known/oauth-protected-resource";
  return !found.door.bearer.all("resource_metadata").empty() ||
         found.metadata.where != kOfTheOrigin;
}

// is_longer returns whether `resource`, which is the server at `url`, is written with a slash at
// its end or a query more.
bool is_longer(const wire::Url& resource, const wire::Url& url) {
  const bool queried = resource.target.find('?') != std::string::npos;
  if (queried) return resource.target != url.target;
  const bool slashed = resource.target.ends_with('/') && resource.target != "/";
  return slashed && !url.target.substr(0, url.target.find('?')).ends_with('/');
}

// RFC 9728, section 2.
constexpr TypedMember kResourceMembers[] = {
    {"scopes_supported", MemberType::kTexts},
    {"bearer_methods_supported", MemberType::kTexts},
    {"jwks_uri", MemberType::kText},
    {"resource_name", MemberType::kText},
    {"resource_documentation", MemberType::kText},
    {"resource_policy_uri", MemberType::kText},
    {"resource_tos_uri", MemberType::kText},
    {"resource_signing_alg_values_supported", MemberType::kTexts},
    {"authorization_details_types_supported", MemberType::kTexts},
    {"dpop_signing_alg_values_supported", MemberType::kTexts},
    {"tls_client_certificate_bound_access_tokens", MemberType::kFlag},
    {"dpop_bound_access_tokens_required", MemberType::kFlag},
};

Finding types_of(const ResourceMetadata& metadata) {
  const Mistyped mistyped = mistyped_in(metadata.document, kResourceMembers);
  if (mistyped.text.empty()) return passes();
  const std::string says = metadata.where + " has " + mistyped.text;
  return mistyped.null ? risky(says) : broken(says + " (RFC 9728, section 2)");
}

// way_to_show says what is wrong with the ways to show a token that it names; empty: nothing.
std::string way_to_show(const Json& document) {
  const Json* const ways = find(document, "bearer_methods_supported");
  if (ways == nullptr || !ways->is_array()) return {};
  bool header = false;
  for (const Json& way : *ways) {
    header = header || way == "header";
    if (way == "header" || way == "body" || way == "query") continue;
    return "has " + clipped(dump_json(way)) +
           " in bearer_methods_supported, expected header, body or query";
  }
  if (header) return {};
  return "has bearer_methods_supported " + clipped(dump_json(*ways)) +
         ", expected header among them: clients show their token in no other way";
}

// joined_scope returns the first of its scopes that are several in one text; null: none is.
Json joined_scope(const Json& document) {
  const Json* const scopes = find(document, "scopes_supported");
  if (scopes == nullptr || !scopes->is_array()) return nullptr;
  for (const Json& scope : *scopes) {
    if (scope.is_string() && scope.get_ref<const std::string&>().find(' ') != std::string::npos) {
      return scope;
    }
  }
  return nullptr;
}

// contents_of judges what it says besides its resource, and as what it comes.
Finding contents_of(const ResourceMetadata& metadata) {
  Finding types = types_of(metadata);
  if (types.verdict == Verdict::kFail) return types;
  const Json joined = joined_scope(metadata.document);
  if (joined != nullptr) {
    return broken(metadata.where + " has " + clipped(dump_json(joined)) +
                  " in scopes_supported, expected one scope in each text (RFC 6749, section 3.3)");
  }
  const std::string type(metadata.headers.get("Content-Type").value_or(""));
  if (lower_case(type).find("json") == std::string::npos) {
    return broken(metadata.where + " came " +
                  (type.empty() ? "without Content-Type" : "as \"" + clipped(type) + "\"") +
                  ", expected application/json (RFC 9728, section 3.2)");
  }
  const std::string way = way_to_show(metadata.document);
  return way.empty() ? types : risky(metadata.where + " " + way + " (RFC 9728, section 2)");
}

// known_elsewhere judges a server whose challenge leads to another origin, by the metadata that it
// has itself.
Task<Finding> known_elsewhere(Probe& probe, LookedUp found) {
  const std::string place = found.metadata.elsewhere;
  const ResourceMetadata own = co_await find_metadata(probe, Challenge());
  const std::string resource = string_or(own.document, "resource", "");
  const Result<wire::Url> named = wire::parse_url(resource);
  if (!named.ok()) co_return *found.none;
  const wire::Url& server = probe.subject().spec().url;
  const bool same = is_loopback(named.value().host) && is_loopback(server.host) &&
                    named.value().port == server.port;
  if (same || named.value().origin() == server.origin()) co_return *found.none;
  co_return about(
      risky("its challenge leads to " + place + ", and " + own.where + " names the resource \"" +
            clipped(resource) + "\"; it was called as " + server.origin() +
            ": who calls it so uses no metadata of another resource (RFC 9728, section 3.3)"),
      found.door.refusal);
}

// The metadata names whom a token is for: a client that compares it, as RFC 9728 (section 3.3) has
// it, uses no other.
Task<Finding> has_metadata(Probe& probe) {
  const LookedUp found = co_await look_up(probe);
  const ResourceMetadata& metadata = found.metadata;
  if (!found.door.shut) co_return *found.none;
  if (!metadata.elsewhere.empty()) co_return co_await known_elsewhere(probe, found);
  if (!metadata.document.is_object()) {
    co_return broken("it refuses with 401 and has no resource metadata: " + metadata.tried);
  }
  const std::string resource = string_or(metadata.document, "resource", "");
  if (resource.empty()) {
    co_return broken(metadata.where + " has " + told_member(metadata.document, "resource") +
                     ", expected the address of the server as a text");
  }
  const std::string says = metadata.where + " names the resource \"" + clipped(resource) + "\"";
  if (resource.find('#') != std::string::npos) {
    co_return broken(says + ", expected no fragment (RFC 8707, section 2)");
  }
  const Result<wire::Url> named = wire::parse_url(resource);
  if (!named.ok()) co_return broken(says + ", expected the address of the server");
  const wire::Url& server = probe.subject().spec().url;
  const std::string why = differs(named.value(), server);
  const bool above = is_for_one(found) && is_above(named.value(), server);
  // Until 2025-11-25 the slash is for auth.resource-no-trailing-slash.
  const bool slash_alone = resource.ends_with('/') && !probe.stateless();
  const bool more = is_longer(named.value(), server) && !slash_alone;
  if (why.empty() && (above || more)) {
    Finding contents = contents_of(metadata);
    if (contents.verdict == Verdict::kFail) co_return std::move(contents);
    co_return risky(says + ", expected " + server.origin() + server.target +
                    ": strict clients use no metadata of another resource (RFC 9728, section 3.3)");
  }
  if (why.empty()) co_return contents_of(metadata);
  // One machine has several names, and the judge was given one of them.
  const bool same = is_loopback(named.value().host) && is_loopback(server.host) &&
                    named.value().port == server.port;
  if (same) co_return risky(says + ", and was called as " + server.origin());
  co_return broken(says + ", which " + why);
}

Task<Finding> writes_no_needless_slash(Probe& probe) {
  const LookedUp found = co_await look_up(probe);
  if (found.none) co_return *found.none;
  const std::string resource = string_or(found.metadata.document, "resource", "");
  const std::string& own = probe.subject().spec().url.target;
  if (!resource.ends_with('/') || (own != "/" && own.ends_with('/'))) co_return passes();
  co_return broken("its resource is written \"" + clipped(resource) +
                   "\", expected no slash at the end");
}

constexpr ServerCheck kResourceMetadataChecks[] = {
    {"auth.prm-implemented", Eras::kBoth, SessionUse::kOpens, has_metadata},
    {"auth.resource-no-trailing-slash", Eras::kStateful, SessionUse::kOpens,
     writes_no_needless_slash},
};

}  // namespace

ServerChecks resource_metadata_checks() { return kResourceMetadataChecks; }

}  // namespace plumbline::conformance
