// Clients that look for their authorization server in a wrong way, or ask for wrong scopes.

#include <string>

#include "conformance/broken/client/wire_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kOld = "2025-03-26";
constexpr const char* kStatefulAuth = "2025-11-25";
constexpr const char* kStatelessAuth = "2026-07-28";
constexpr const char* kServerDocument = "/.well-known/oauth-authorization-server";
constexpr const char* kOpenIdDocument = "/.well-known/openid-configuration";
constexpr const char* kSomeRegistration =
    R"({"redirect_uris": ["http://127.0.0.1:3000/callback"]})";
constexpr const char* kResourceDocument = "/.well-known/oauth-protected-resource";

void replace_in(std::string& text, std::string_view part, std::string_view with) {
  const std::size_t at = text.find(part);
  if (at != std::string::npos) text.replace(at, part.size(), with);
}

void asks_no_resource(WireNotes&, wire::HttpRequest& request) {
  if (request.target.starts_with(kResourceDocument)) request.target = kServerDocument;
}

std::string challenge_in(const wire::HttpResponse& response) {
  return std::string(response.headers.get("WWW-Authenticate").value_or(""));
}

MoreRequests reads_capitals_alone(WireNotes&, const wire::HttpRequest&,
                                  wire::HttpResponse& response) {
  if (!challenge_in(response).starts_with("Bearer")) response.headers.erase("WWW-Authenticate");
  return std::nullopt;
}

// Of the document that a challenge names it looks for one of its own.
void nests_places(WireNotes& notes, wire::HttpRequest& request) {
  const bool named = notes.memory.is_boolean();
  if (!named || !request.target.starts_with("/.well-known/") || notes.count++ > 0) return;
  request.target = kResourceDocument + request.target;
}

MoreRequests notes_named_places(WireNotes& notes, const wire::HttpRequest&,
                                wire::HttpResponse& response) {
  if (challenge_in(response).find("resource_metadata") != std::string::npos) notes.memory = true;
  return std::nullopt;
}

MoreRequests takes_no_secret(WireNotes&, const wire::HttpRequest& request,
                             wire::HttpResponse& response) {
  const Result<Json> asked = parse_json(request.body);
  Result<Json> answer = parse_json(response.body);
  const bool registers = asked.ok() && find(asked.value(), "redirect_uris") != nullptr;
  if (!registers || !answer.ok() || !answer.value().is_object()) return std::nullopt;
  Json about = std::move(answer).value();
  about["token_endpoint_auth_method"] = "none";
  about.erase("client_secret");
  response.body = dump_json(about);
  return std::nullopt;
}

MoreRequests shows_it_in_the_form(WireNotes&, const wire::HttpRequest& request,
                                  wire::HttpResponse& response) {
  const Result<Json> asked = parse_json(request.body);
  Result<Json> answer = parse_json(response.body);
  const bool registers = asked.ok() && find(asked.value(), "redirect_uris") != nullptr;
  if (!registers || !answer.ok() || !answer.value().is_object()) return std::nullopt;
  Json about = std::move(answer).value();
  about["token_endpoint_auth_method"] = "client_secret_post";
  response.body = dump_json(about);
  return std::nullopt;
}

void registers_by_its_resource(WireNotes&, wire::HttpRequest& request) {
  Result<Json> body = parse_json(request.body);
  if (!body.ok() || find(body.value(), "redirect_uris") == nullptr) return;
  Json about = std::move(body).value();
  about["resource"] = "https://server.example/mcp";
  request.body = dump_json(about);
}

void registers_without_a_method(WireNotes&, wire::HttpRequest& request) {
  Result<Json> body = parse_json(request.body);
  if (!body.ok() || find(body.value(), "redirect_uris") == nullptr) return;
  Json about = std::move(body).value();
  about.erase("token_endpoint_auth_method");
  request.body = dump_json(about);
}

MoreRequests ignores_named_metadata(WireNotes&, const wire::HttpRequest&,
                                    wire::HttpResponse& response) {
  std::string challenge = challenge_in(response);
  if (!challenge.starts_with("Bearer resource_metadata")) return std::nullopt;
  replace_in(challenge, "resource_metadata", "some_metadata");
  response.headers.set("WWW-Authenticate", challenge);
  return std::nullopt;
}

void asks_the_root(WireNotes&, wire::HttpRequest& request) {
  if (request.target.starts_with(kResourceDocument)) request.target = kResourceDocument;
}

MoreRequests wants_its_own_issuer(WireNotes&, const wire::HttpRequest& request,
                                  wire::HttpResponse& response) {
  const std::string issuer = string_or(json_of_body(response.body), "issuer", "");
  if (asks_metadata(request) && !issuer.empty() && !issuer.ends_with("/mcp")) {
    response.body = "{}";
  }
  return std::nullopt;
}

MoreRequests notes_challenge(WireNotes& notes, const wire::HttpRequest&,
                             wire::HttpResponse& response) {
  if (response.status == 401) notes.memory = challenge_in(response);
  return std::nullopt;
}

void asks_root_alone(WireNotes& notes, wire::HttpRequest& request) {
  if (notes.memory.is_string() && notes.memory.get<std::string>() == "Bearer") {
    replace_in(request.target, std::string(kResourceDocument) + "/mcp", kResourceDocument);
  }
}

MoreRequests notes_refusals(WireNotes& notes, const wire::HttpRequest& request,
                            wire::HttpResponse& response) {
  const bool place = request.target.find(kResourceDocument) != std::string::npos;
  if (place && response.status == 403) notes.memory = request.target;
  return std::nullopt;
}

void stops_at_refusals(WireNotes& notes, wire::HttpRequest& request) {
  if (notes.memory.is_string() && request.target == kResourceDocument) {
    request.target = notes.memory.get<std::string>();
  }
}

MoreRequests guesses_endpoints(WireNotes&, const wire::HttpRequest&, wire::HttpResponse& response) {
  replace_in(response.body, "/grant/ask", "/authorize");
  replace_in(response.body, "/grant/redeem", "/token");
  replace_in(response.body, "/grant/enrol", "/register");
  return std::nullopt;
}

void knows_no_openid(WireNotes&, wire::HttpRequest& request) {
  replace_in(request.target, "openid-configuration", "oauth-authorization-server");
}

void asks_openid_first(WireNotes&, wire::HttpRequest& request) {
  if (request.target == kServerDocument) {
    request.target = kOpenIdDocument;
  } else if (request.target == kOpenIdDocument) {
    request.target = kServerDocument;
  }
}

void asks_appended_first(WireNotes&, wire::HttpRequest& request) {
  const std::string inserted = std::string(kOpenIdDocument) + "/tenant1";
  const std::string appended = "/tenant1" + std::string(kOpenIdDocument);
  if (request.target == inserted) {
    request.target = appended;
  } else if (request.target == appended) {
    request.target = inserted;
  }
}

MoreRequests trusts_any_issuer(WireNotes&, const wire::HttpRequest& request,
                               wire::HttpResponse& response) {
  if (!asks_metadata(request)) return std::nullopt;
  replace_in(response.body, "https://somebody-else.example", host_of(request));
  return std::nullopt;
}

// takes_plain_authorization and takes_plain_token take the unspecified address for this machine.
MoreRequests takes_plain_authorization(WireNotes&, const wire::HttpRequest&,
                                       wire::HttpResponse& response) {
  replace_in(response.body, "\"authorization_endpoint\":\"http://0.0.0.0:",
             "\"authorization_endpoint\":\"http://127.0.0.1:");
  return std::nullopt;
}

MoreRequests takes_plain_token(WireNotes&, const wire::HttpRequest&, wire::HttpResponse& response) {
  replace_in(response.body,
             "\"token_endpoint\":\"http://0.0.0.0:", "\"token_endpoint\":\"http://127.0.0.1:");
  return std::nullopt;
}

MoreRequests tries_usual_endpoint(WireNotes& notes, const wire::HttpRequest& request,
                                  wire::HttpResponse& response) {
  if (request.target != kOpenIdDocument || response.status != 404 || notes.count++ > 0) {
    return std::nullopt;
  }
  wire::HttpRequest more = request;
  more.method = "POST";
  more.target = "/register";
  more.body = kSomeRegistration;
  return more;
}

void keeps_path(WireNotes&, wire::HttpRequest& request) {
  if (request.target == kServerDocument) request.target += "/mcp";
}

void knows_no_defaults(WireNotes&, wire::HttpRequest& request) {
  if (request.target == "/register" || request.target.starts_with("/authorize")) {
    request.target = "/nowhere";
  }
}

// An extra request comes in between; the client hears what it was told before.
MoreRequests registers_at_once(WireNotes& notes, const wire::HttpRequest& request,
                               wire::HttpResponse& response) {
  if (notes.count == 1 && request.target == "/register") {
    ++notes.count;
    response = *notes.response;
    return std::nullopt;
  }
  if (response.status != 401 || notes.count > 0) return std::nullopt;
  ++notes.count;
  notes.response = response;
  wire::HttpRequest more = request;
  more.target = "/register";
  more.body = kSomeRegistration;
  return more;
}

void names_no_version(WireNotes&, wire::HttpRequest& request) {
  if (asks_metadata(request)) request.headers.erase("MCP-Protocol-Version");
}

// change_scope has the client ask for other scopes than it would.
void change_scope(wire::HttpRequest& request, std::string_view asked, std::string scope) {
  if (!asks_authorization(request) || parameter(request, "scope") != asked) return;
  set_parameter(request, "scope", std::move(scope));
}

constexpr const char* kChallenged = "files:read files:secret";

void asks_no_scope(WireNotes&, wire::HttpRequest& request) {
  change_scope(request, kChallenged, "");
}
void asks_known_scopes(WireNotes&, wire::HttpRequest& request) {
  change_scope(request, kChallenged, "files:read");
}
void asks_more_scopes(WireNotes&, wire::HttpRequest& request) {
  change_scope(request, kChallenged, std::string(kChallenged) + " files:admin");
}
void overlooks_supported_scopes(WireNotes&, wire::HttpRequest& request) {
  change_scope(request, "files:read files:write", "");
}

// asks_scopes_of_the_other asks for what the authorization server has for others, too, where the
// challenge names nothing.
void asks_scopes_of_the_other(WireNotes&, wire::HttpRequest& request) {
  change_scope(request, "files:read files:write",
               "files:read files:write files:secret files:admin accounts:delete");
}

MoreRequests knows_no_step_up(WireNotes&, const wire::HttpRequest&, wire::HttpResponse& response) {
  if (response.status == 403) response.headers.erase("WWW-Authenticate");
  return std::nullopt;
}

void forgets_scopes(WireNotes& notes, wire::HttpRequest& request) {
  if (!asks_authorization(request)) return;
  if (notes.count++ == 0) return;  // The first time there is nothing to forget.
  if (parameter(request, "scope").find("files:write") == std::string::npos) return;
  set_parameter(request, "scope", "files:write");
}

void keeps_authorization(WireNotes& notes, wire::HttpRequest& request) {
  if (asks_authorization(request)) notes.request = request;
}

constexpr int kTriesInVain = 10;

MoreRequests steps_up_again(WireNotes& notes, const wire::HttpRequest& request,
                            wire::HttpResponse& response) {
  const bool repeats = asks_authorization(request) && notes.count > 1;
  if (response.status == 403) ++notes.count;
  if (notes.count < 2 || (!repeats && response.status != 403)) return std::nullopt;
  if (notes.count++ > kTriesInVain || !notes.request) return std::nullopt;
  return notes.request;
}

const ClientDeviation kAuthDiscoveryDeviations[] = {
    wrong_way("auth.well-known-not-nested", kStatefulAuth, "looks for the metadata of metadata",
              {nests_places, notes_named_places}),
    wrong_way("auth.dcr-auth-method", kStatefulAuth,
              "registers without saying that it has no secret",
              {registers_without_a_method, takes_no_secret}),
    wrong_way("auth.dcr-auth-method", kStatefulAuth,
              "registers without a method, and shows its secret in the form",
              {registers_without_a_method, shows_it_in_the_form}),
    wrong_way("auth.dcr-known-members", kStatefulAuth, "registers with its resource",
              {registers_by_its_resource, nullptr}),
    wrong_way("auth.client-uses-prm", kStatefulAuth,
              "takes the server for its authorization server", {asks_no_resource, nullptr}),
    wrong_way("auth.client-parses-www-authenticate", kStatefulAuth,
              "reads no challenge that does not begin with Bearer",
              {nullptr, reads_capitals_alone}),
    wrong_way("auth.client-prm-header-first", kStatefulAuth,
              "looks where it is usual for the metadata that a challenge names",
              {nullptr, ignores_named_metadata}),
    wrong_way("auth.client-prm-well-known-fallback", kStatefulAuth,
              "looks for the resource's metadata at the root alone",
              {asks_root_alone, notes_challenge}),
    wrong_way("auth.well-known-past-refusals", kStatefulAuth,
              "looks no further than a place that is refused", {stops_at_refusals, notes_refusals}),
    wrong_way("auth.client-reads-as-metadata", kStatefulAuth, "uses the endpoints that are usual",
              {nullptr, guesses_endpoints}),
    wrong_way("auth.client-reads-as-metadata", kStatefulAuth,
              "looks for the metadata of the issuer behind the path of the server",
              {keeps_path, nullptr}),
    wrong_way("auth.as-metadata-order-without-path", "2026-07-28",
              "looks for the metadata of the issuer behind the path of the server",
              {keeps_path, nullptr}),
    wrong_way("auth.client-supports-both-as-discovery", kStatefulAuth, "knows no OpenID Connect",
              {knows_no_openid, nullptr},
              {"auth.as-metadata-order-with-path", "auth.as-metadata-order-without-path"}),
    wrong_way("auth.as-metadata-order-without-path", kStatefulAuth, "asks OpenID Connect first",
              {asks_openid_first, nullptr}),
    wrong_way("auth.as-metadata-order-with-path", kStatefulAuth,
              "asks behind the path before the root", {asks_appended_first, nullptr}),
    wrong_way("auth.as-metadata-issuer-validated", kStatefulAuth, "takes metadata of any issuer",
              {nullptr, trusts_any_issuer}),
    wrong_way("auth.as-metadata-issuer-validated", kOld, "takes metadata of any issuer",
              {nullptr, trusts_any_issuer}),
    wrong_way("security.authorization-url-scheme", kStatefulAuth,
              "opens an address that is neither https nor loopback",
              {nullptr, takes_plain_authorization}),
    wrong_way("auth.communication-security", kStatefulAuth,
              "brings its code to an address that is neither https nor loopback",
              {nullptr, takes_plain_token}),
    wrong_way("auth.no-metadata-aborts", kStatefulAuth, "guesses endpoints without metadata",
              {nullptr, tries_usual_endpoint}),
    wrong_way("auth.base-url-drops-path", kOld, "keeps the path of the server",
              {keeps_path, nullptr}, {"auth.client-reads-as-metadata"}),
    wrong_way("auth.default-endpoints-used", kOld, "gives up without metadata",
              {knows_no_defaults, nullptr}),
    wrong_way("auth.discovery-before-defaults", kOld, "registers before it looks for metadata",
              {nullptr, registers_at_once}, {"auth.client-reads-as-metadata"}),
    wrong_way("auth.discovery-version-header", kOld, "names no version when it asks for metadata",
              {names_no_version, nullptr}),
    wrong_way("auth.challenge-scopes-authoritative", kStatefulAuth,
              "asks for none of the scopes of the challenge", {asks_no_scope, nullptr},
              {"auth.scope-selection-order"}),
    wrong_way("auth.no-scope-relation-assumed", kStatefulAuth,
              "leaves out scopes that the metadata does not list", {asks_known_scopes, nullptr},
              {"auth.challenge-scopes-authoritative", "auth.scope-selection-order"}),
    wrong_way("auth.least-privilege-scopes", kStatefulAuth, "asks for a scope that nobody wants",
              {asks_more_scopes, nullptr}),
    wrong_way("auth.scope-selection-order", kStatefulAuth, "asks for no scope of the metadata",
              {overlooks_supported_scopes, nullptr}),
    wrong_way("auth.scope-selection-order", kStatefulAuth,
              "asks for all scopes of the authorization server",
              {asks_scopes_of_the_other, nullptr}),
    wrong_way("auth.client-prm-header-first", kStatefulAuth,
              "looks for the metadata of the resource at the root, whatever a challenge names",
              {asks_the_root, ignores_named_metadata}),
    wrong_way("auth.as-metadata-issuer-validated", kStatefulAuth,
              "wants the address of the server for the issuer", {nullptr, wants_its_own_issuer}),
    wrong_way("auth.step-up-attempted", kStatefulAuth, "takes 403 for the end",
              {nullptr, knows_no_step_up}),
    wrong_way("auth.reauth-scope-union", kStatelessAuth, "forgets the scopes that it had",
              {forgets_scopes, nullptr}),
    wrong_way("auth.step-up-retry-limit", kStatefulAuth, "asks again and again for a scope",
              {keeps_authorization, steps_up_again}),
};

}  // namespace

ClientDeviations client_auth_discovery_deviations() { return kAuthDiscoveryDeviations; }

}  // namespace plumbline::conformance
