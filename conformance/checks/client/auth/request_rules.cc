// What holds of every request on the way to a token: spec, basic/authorization, Authorization Code
// Protection, Resource Parameter Implementation, Communication Security, Client Registration.

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"
#include "conformance/peer/client/scenario.h"
#include "conformance/wire/header_names.h"
#include "core/base/base64.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/wire/url.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoAuthorization = "it made no authorization request";
constexpr const char* kNoRegistration = "it did not register";
constexpr std::size_t kVerifierBytesMin = 43;  // RFC 7636, section 4.1.
constexpr std::size_t kVerifierBytesMax = 128;

using StepComplaint = std::function<std::string(const AuthHeard& request)>;

// each_step holds the rule to every request of one step.
Finding each_step(const Record& record, AuthStep step, const StepComplaint& complaint,
                  const char* none) {
  bool seen = false;
  for (const AuthHeard* const request : record.auth.all(step)) {
    seen = true;
    std::string wrong = complaint(*request);
    if (!wrong.empty()) return at(record, *request, broken(std::move(wrong)));
  }
  return seen ? passes() : not_for_it(none);
}

// both holds what two findings say: the worse of them.
Finding both(Finding first, Finding second) {
  return rank(second.verdict) > rank(first.verdict) ? second : first;
}

std::string field(const AuthHeard& request, std::string_view name) {
  return request.form.get(name).value_or("");
}

bool redeems_code(const AuthHeard& request) {
  return field(request, "grant_type") == "authorization_code";
}

std::string s256(const std::string& verifier) {
  Sha256 hash;
  hash.update(verifier);
  return encode_base64url(hash.finish());
}

// ByGiven finds the request that led to what was given: a code, a client id.
using ByGiven = std::map<std::string_view, const AuthHeard*>;

std::string verifier_flaw(const ByGiven& by_code, const AuthHeard& redeemed) {
  const auto found = by_code.find(field(redeemed, "code"));
  if (!redeems_code(redeemed) || found == by_code.end()) return "";
  const AuthHeard* const asked = found->second;
  const std::string verifier = field(redeemed, "code_verifier");
  if (verifier.empty()) return "a code is redeemed without code_verifier";
  if (verifier.size() < kVerifierBytesMin || verifier.size() > kVerifierBytesMax) {
    return "code_verifier has " + std::to_string(verifier.size()) + " characters, expected 43-128";
  }
  const bool plain = field(*asked, "code_challenge_method") != "S256";
  if (field(*asked, "code_challenge") == (plain ? verifier : s256(verifier))) return "";
  return "code_verifier is not what code_challenge was made of";
}

Finding uses_pkce(const Record& record) {
  const Finding asks = each_step(
      record, AuthStep::kAuthorization,
      [](const AuthHeard& request) -> std::string {
        return field(request, "code_challenge").empty()
                   ? "the authorization request has no code_challenge"
                   : "";
      },
      kNoAuthorization);
  const ByGiven by_code = record.auth.by_given(AuthStep::kAuthorization);
  return both(asks, each_step(
                        record, AuthStep::kToken,
                        [&](const AuthHeard& one) { return verifier_flaw(by_code, one); },
                        kNoAuthorization));
}

Finding uses_s256(const Record& record) {
  return each_step(
      record, AuthStep::kAuthorization,
      [](const AuthHeard& request) -> std::string {
        if (field(request, "code_challenge").empty()) return "";  // Another rule.
        const std::string method = field(request, "code_challenge_method");
        if (method == "S256") return "";
        return "code_challenge_method is \"" + clipped(method) + "\", expected \"S256\"";
      },
      kNoAuthorization);
}

bool is_loopback_name(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

// redirect_flaw says what is wrong with a redirect URI. A scheme of the client's own (RFC 8252,
// section 7.1) is of no network.
std::string redirect_flaw(const std::string& uri) {
  if (!uri.starts_with("http://")) return "";
  const Result<wire::Url> url = wire::parse_url(uri);
  if (url.ok() && is_loopback_name(url.value().host)) return "";
  return "the redirect URI " + clipped(uri) + " is neither of this machine nor https";
}

std::string registered_flaw(const AuthHeard& registration) {
  const Json* const uris = find(registration.body, "redirect_uris");
  if (uris == nullptr || !uris->is_array()) return "";
  for (const Json& uri : *uris) {
    std::string flaw = uri.is_string() ? redirect_flaw(uri.get<std::string>()) : "";
    if (!flaw.empty()) return flaw;
  }
  return "";
}

Finding redirects_to_itself(const Record& record) {
  const Finding asks = each_step(
      record, AuthStep::kAuthorization,
      [](const AuthHeard& request) { return redirect_flaw(field(request, "redirect_uri")); },
      kNoAuthorization);
  return both(asks, each_step(record, AuthStep::kRegistration, registered_flaw, kNoAuthorization));
}

// same_uri compares redirect URIs: the port of one of this machine may vary (RFC 8252, section
// 7.3).
bool same_uri(const std::string& registered, const std::string& used) {
  if (registered == used) return true;
  Result<wire::Url> first = wire::parse_url(registered);
  Result<wire::Url> second = wire::parse_url(used);
  if (!first.ok() || !second.ok() || !is_loopback_name(first.value().host)) return false;
  first.value().port = second.value().port;
  return first.value() == second.value();
}

Finding uses_registered_uris(const Record& record) {
  bool seen = false;
  const ByGiven by_client = record.auth.by_given(AuthStep::kRegistration);
  for (const AuthHeard* const asked : record.auth.all(AuthStep::kAuthorization)) {
    const auto found = by_client.find(asked->client_id);
    // What else was registered nobody here knows.
    if (asked->client_id.empty() || found == by_client.end()) continue;
    const AuthHeard* const own = found->second;
    seen = true;
    const std::string used = field(*asked, "redirect_uri");
    const Json* const uris = find(own->body, "redirect_uris");
    const bool known =
        uris != nullptr && uris->is_array() && std::ranges::any_of(*uris, [&](const Json& uri) {
          return uri.is_string() && same_uri(uri.get<std::string>(), used);
        });
    if (known) continue;
    return at(record, *asked,
              broken("redirect_uri is " + clipped(used) + ", which it has not registered"));
  }
  return seen ? passes() : not_for_it(kNoRegistration);
}

// wants_resource says what a parameter `resource` is held to; only a server that names itself as it
// should can be told by it.
Finding each_resource(const Record& record, const StepComplaint& complaint) {
  if (!record.auth.right_resource) return not_for_it("the server's metadata is of another");
  const auto where_it_is = [&](const AuthHeard& request) -> std::string {
    return request.form.count("resource") == 0 ? "" : complaint(request);
  };
  return both(each_step(record, AuthStep::kAuthorization, where_it_is, kNoAuthorization),
              each_step(record, AuthStep::kToken, where_it_is, kNoAuthorization));
}

// refreshes returns whether a token request is one for which RFC 8707 leaves the resource open, and
// MCP does not.
bool refreshes(const AuthHeard& request) { return field(request, "grant_type") == "refresh_token"; }

Finding sends_resource(const Record& record) {
  if (!record.auth.names_resource) return not_for_it("the server says nothing of its resource");
  const auto lacks = [](const AuthHeard& request) -> std::string {
    if (!field(request, "resource").empty()) return "";
    const bool asks = request.step == AuthStep::kAuthorization;
    if (!asks && refreshes(request)) return "";
    return std::string(asks ? "the authorization request" : "the token request") +
           " has no resource";
  };
  Finding sent = both(each_step(record, AuthStep::kAuthorization, lacks, kNoAuthorization),
                      each_step(record, AuthStep::kToken, lacks, kNoAuthorization));
  if (sent.verdict != Verdict::kPass) return sent;
  for (const AuthHeard* const request : record.auth.all(AuthStep::kToken)) {
    if (!refreshes(*request) || !field(*request, "resource").empty()) continue;
    return at(
        record, *request,
        risky("the request that refreshes a token has no resource, expected it in every token "
              "request: servers that bind tokens refuse it, or give one that is good for "
              "others as well"));
  }
  return sent;
}

// covers returns whether `resource` is the server, or one above it.
bool covers(const std::string& resource, const std::string& server) {
  const Result<wire::Url> named = wire::parse_url(resource);
  const Result<wire::Url> own = wire::parse_url(server);
  if (!named.ok() || named.value().origin() != own.value().origin()) return false;
  std::string above = named.value().target;
  if (above.ends_with('/')) above.pop_back();
  const std::string& below = own.value().target;
  return below.starts_with(above) && (below.size() == above.size() || below[above.size()] == '/');
}

// names_it_once warns: servers that take a parameter once refuse a request that has it twice.
Finding names_it_once(const Record& record) {
  return at_most_risky(each_resource(record, [](const AuthHeard& request) -> std::string {
    const std::pair<std::string, std::string> named{"resource", field(request, "resource")};
    if (std::ranges::count(request.form.fields(), named) < 2) return "";
    return "it names the same resource twice: servers that take a parameter once refuse that";
  }));
}

Finding names_the_server(const Record& record) {
  const Finding named = each_resource(record, [&](const AuthHeard& request) -> std::string {
    const std::string resource = field(request, "resource");
    // One that is no address is for another rule.
    if (!wire::parse_url(resource).ok() || covers(resource, record.auth.server)) return "";
    return "resource is " + clipped(resource) + ", the server is " + record.auth.server;
  });
  return named.verdict == Verdict::kPass ? names_it_once(record) : named;
}

Finding names_it_canonically(const Record& record) {
  return each_resource(record, [](const AuthHeard& request) -> std::string {
    const std::string resource = field(request, "resource");
    if (resource.find("://") == std::string::npos) {
      return "resource is " + clipped(resource) + ", expected an address with its scheme";
    }
    if (resource.find('#') == std::string::npos) return "";
    return "resource is " + clipped(resource) + ", expected it without fragment";
  });
}

Finding names_it_specifically(const Record& record) {
  return each_resource(record, [&](const AuthHeard& request) -> std::string {
    const std::string resource = field(request, "resource");
    const bool above =
        covers(resource, record.auth.server) && !covers(record.auth.server, resource);
    return above ? "resource is " + clipped(resource) + ", expected " + record.auth.server : "";
  });
}

Finding names_it_without_slash(const Record& record) {
  return each_resource(record, [&](const AuthHeard& request) -> std::string {
    const std::string resource = field(request, "resource");
    return resource == record.auth.server + "/"
               ? "resource is " + clipped(resource) + ", expected it without the slash"
               : "";
  });
}

bool is_url(const std::string& client_id) { return client_id.find("://") != std::string::npos; }

// each_document holds the rule to every client id that is an address.
Finding each_document(const Record& record, const StepComplaint& complaint) {
  bool seen = false;
  const ByGiven by_client = record.auth.by_given(AuthStep::kRegistration);
  const Finding finding = each_step(
      record, AuthStep::kAuthorization,
      [&](const AuthHeard& request) -> std::string {
        const bool given = !request.client_id.empty() && by_client.contains(request.client_id);
        if (given || !is_url(request.client_id)) return "";
        seen = true;
        return complaint(request);
      },
      kNoAuthorization);
  if (seen || finding.verdict == Verdict::kSkip) return finding;
  return not_for_it("its client id is no address of a document");
}

Finding hosts_document_by_https(const Record& record) {
  return each_document(record, [](const AuthHeard& request) -> std::string {
    if (request.client_id.starts_with("https://")) return "";
    return "client_id is " + clipped(request.client_id) + ", expected https";
  });
}

Finding has_a_path_to_document(const Record& record) {
  return each_document(record, [](const AuthHeard& request) -> std::string {
    const std::size_t host = request.client_id.find("://") + 3;
    const std::size_t path = request.client_id.find('/', host);
    if (path != std::string::npos && path + 1 < request.client_id.size()) return "";
    return "client_id is " + clipped(request.client_id) + ", expected an address with a path";
  });
}

Finding looks_for_support_of_documents(const Record& record) {
  return each_document(record, [&](const AuthHeard& request) -> std::string {
    if (record.auth.takes_documents) return "";
    return "client_id is " + clipped(request.client_id) +
           " at a server that does not say that it takes such documents";
  });
}

Finding has_a_client_id(const Record& record) {
  return each_step(
      record, AuthStep::kAuthorization,
      [](const AuthHeard& request) -> std::string {
        const bool none = request.client_id.empty() || request.client_id == "undefined" ||
                          request.client_id == "null";
        return none ? "the authorization request has no client_id" : "";
      },
      kNoAuthorization);
}

Finding each_registration(const Record& record, const StepComplaint& complaint) {
  return each_step(record, AuthStep::kRegistration, complaint, kNoRegistration);
}

Finding names_its_type(const Record& record) {
  return each_registration(record, [](const AuthHeard& request) -> std::string {
    const Json* const type = find(request.body, "application_type");
    return type == nullptr || !type->is_string() ? "the registration names no application_type"
                                                 : "";
  });
}

Finding names_the_fitting_type(const Record& record) {
  return each_registration(record, [](const AuthHeard& request) -> std::string {
    const std::string type = string_or(request.body, "application_type", "");
    const Json* const uris = find(request.body, "redirect_uris");
    if (type.empty() || uris == nullptr || !uris->is_array() || uris->empty()) return "";
    const bool local = std::ranges::all_of(*uris, [](const Json& uri) {
      const Result<wire::Url> url =
          wire::parse_url(uri.is_string() ? uri.get<std::string>() : std::string());
      return !url.ok() || is_loopback_name(url.value().host);
    });
    if (!local || type == "native") return "";
    return "application_type is \"" + clipped(type) +
           "\" for redirect URIs of this machine, expected \"native\"";
  });
}

// Who never uses a refresh token need not ask for one.
Finding registers_for_refresh(const Record& record) {
  const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kToken);
  const bool refreshes = std::ranges::any_of(
      asked, [](const AuthHeard* one) { return field(*one, "grant_type") == "refresh_token"; });
  if (!refreshes) return not_for_it("it used no refresh token");
  return each_registration(record, [](const AuthHeard& request) -> std::string {
    const Json* const grants = find(request.body, "grant_types");
    const bool listed = grants != nullptr && grants->is_array() &&
                        std::ranges::find(*grants, Json("refresh_token")) != grants->end();
    return listed ? "" : "the registration does not list refresh_token among its grant_types";
  });
}

Finding names_its_version(const Record& record) {
  return each_step(
      record, AuthStep::kServerMetadata,
      [](const AuthHeard& request) -> std::string {
        return request.request.headers.count(kVersionHeader) > 0
                   ? ""
                   : "a request for metadata has no MCP-Protocol-Version";
      },
      "it asked for no metadata");
}

constexpr ClientRule kRequestRules[] = {
    {"auth.pkce-used", uses_pkce, true},
    {"auth.pkce-s256", uses_s256, true},
    {"auth.redirect-uri-localhost-or-https", redirects_to_itself, true},
    {"auth.redirect-uris-registered", uses_registered_uris, true},
    {"auth.resource-in-authorization-and-token", sends_resource, true},
    {"auth.resource-always-sent", sends_resource, true},
    {"auth.resource-identifies-server", names_the_server, true},
    {"auth.resource-canonical-uri", names_it_canonically, true},
    {"auth.resource-most-specific", names_it_specifically, true},
    {"auth.resource-no-trailing-slash", names_it_without_slash, true},
    {"auth.cimd-hosted-https", hosts_document_by_https, true},
    {"auth.cimd-client-id-url-shape", has_a_path_to_document, true},
    {"auth.client-checks-cimd-support", looks_for_support_of_documents, true},
    {"auth.client-obtains-client-id", has_a_client_id, true},
    {"auth.dcr-application-type", names_its_type, true},
    {"auth.dcr-application-type-fits", names_the_fitting_type, true},
    {"auth.refresh-grant-metadata", registers_for_refresh, true},
    {"auth.discovery-version-header", names_its_version, true},
};

}  // namespace

ClientRules auth_request_rules() { return kRequestRules; }

}  // namespace plumbline::conformance
