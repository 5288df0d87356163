#include <string>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest, wire::HttpResponse;
constexpr std::string_view kAsksNobody = "auth.as-auto-redirect-only-trusted";

bool is_for(const HttpRequest& request, std::string_view path) {
  return std::string_view(request.target).substr(0, request.target.find('?')) == path;
}

void put_member(HttpResponse& response, std::string_view member, Json value) {
  Json document = edit::read(response.body);
  document[member] = std::move(value);
  response.body = dump_json(document);
}

// in_metadata changes a member of both documents.
void in_metadata(const HttpRequest& request, HttpResponse& response, std::string_view member,
                 Json value) {
  if (request.target.starts_with("/.well-known/") && response.status == 200) {
    put_member(response, member, std::move(value));
  }
}

// in_redirect replaces a part of where a browser is sent.
void in_redirect(HttpResponse& response, std::string_view part, std::string_view with) {
  std::string location(response.headers.get("Location").value_or(""));
  const std::size_t at = location.find(part);
  if (at == std::string::npos) return;
  location.replace(at, location.find('&', at) - at, with);
  response.headers.set("Location", std::move(location));
}

const AuthorityDeviation kAuthorityDeviations[] = {
    {.id = "auth.as-metadata-published",
     .what = "has the metadata of another issuer",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           in_metadata(request, response, "issuer", "https://other.example");
         },
     .also = {"auth.as-sends-iss"}},
    {.id = "auth.as-metadata-published",
     .what = "has no metadata",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!request.target.starts_with("/.well-known/")) return std::nullopt;
       return HttpResponse{404, {}, ""};
     }},
    {.id = "auth.as-oidc-lists-pkce",
     .what = "does not list S256",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/.well-known/openid-configuration")) {
             put_member(response, "code_challenge_methods_supported", Json::array({"plain"}));
           }
         }},
    {.id = "auth.as-endpoints-https",
     .what = "has its keys at an address without TLS",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           in_metadata(request, response, "jwks_uri", "http://as.example/jwks");
         },
     .also = {"auth.as-endpoints-exist"}},
    {.id = "auth.cimd-as-support",
     .what = "takes no client by its metadata document",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           in_metadata(request, response, "client_id_metadata_document_supported", false);
         }},
    {.id = "auth.as-untrusted-redirect-guard",
     .what = "sends people wherever a link says",
     .asks_nobody = true,
     .takes_any_redirect = true,
     .also = {"auth.as-exact-redirect-match", "auth.as-unknown-documents",
              "auth.as-doubled-parameters", kAsksNobody}},
    {.id = "auth.as-exact-redirect-match",
     .what = "goes by how a redirect URI begins",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const std::string uri = wire::query_of(request.target).get("redirect_uri").value_or("");
       const bool longer = uri.starts_with("http://127.0.0.1:33418/callback/");
       if (!is_for(request, "/authorize") || !longer) return std::nullopt;
       return HttpResponse{302, {{"Location", "/login"}}, ""};
     }},
    {.id = kAsksNobody, .what = "asks nobody", .asks_nobody = true},
    {.id = "auth.as-advertises-iss",
     .what = "does not tell that it sends iss",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           in_metadata(request, response, "authorization_response_iss_parameter_supported", false);
         }},
    {.id = "auth.as-sends-iss",
     .what = "sends the iss of another one",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           in_redirect(response, "iss=", "iss=https%3A%2F%2Fother.example");
         }},
    {.id = "auth.as-oauth21",
     .what = "answers a bad grant with a page",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/token") && response.status != 200)
             response.body = "<p>Something went wrong</p>";
         },
     .also = {"auth.as-unknown-grants", "auth.as-unsupported-grant", "auth.as-unknown-client",
              "auth.refresh-rotation"}},
    {.id = "auth.as-oauth21",
     .what = "gives tokens for passwords",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.body.find("grant_type=password") == std::string::npos) return std::nullopt;
       return HttpResponse{200, {}, R"({"access_token":"a","token_type":"Bearer"})"};
     }},
    {.id = "auth.as-oauth21",
     .what = "sends tokens to browsers",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const wire::Form form = wire::query_of(request.target);
       if (form.get("response_type") != "token") return std::nullopt;
       const std::string uri = form.get("redirect_uri").value_or("");
       return HttpResponse{302, {{"Location", uri + "#access_token=a"}}, ""};
     }},
    {.id = "auth.as-oauth21", .what = "takes a code twice", .takes_codes_again = true},
    {.id = "auth.as-pkce-enforced", .what = "takes any verifier", .takes_any_verifier = true},
    {.id = "auth.short-lived-tokens",
     .what = "gives tokens that live for a year",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/token") && response.status == 200) {
             put_member(response, "expires_in", 31'536'000);
           }
         }},
    {.id = "auth.refresh-rotation",
     .what = "takes a refresh token twice",
     .takes_refreshes_again = true},
    {.id = "auth.as-token-answer",
     .what = "says how long a token lives in a text",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/token") && response.status == 200) {
             put_member(response, "expires_in", "3600");
           }
         }},
    {.id = "auth.as-code-bound-to-client",
     .what = "gives a token to whoever has the code of another",
     .takes_codes_of_others = true},
    {.id = "auth.as-refresh-bound-to-client",
     .what = "renews the token of another client",
     .takes_refreshes_of_others = true},
    {.id = "auth.as-revoked-is-refused",
     .what = "takes refresh tokens that were revoked",
     .keeps_revoked = true},
    {.id = "auth.as-several-resources",
     .what = "fails at two resources",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (wire::query_of(request.target).count("resource") < 2) return std::nullopt;
       return HttpResponse{500, {}, ""};
     }},
    {.id = "auth.as-metadata-no-page",
     .what = "serves a page where it has no metadata",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!is_for(request, "/.well-known/openid-configuration")) return std::nullopt;
       return HttpResponse{200, {{"Content-Type", "text/html"}}, "<title>App</title>"};
     }},
    {.id = "auth.as-pkce-method-known",
     .what = "takes plain challenges, which it does not list",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool plain = wire::query_of(request.target).get("code_challenge_method") == "plain";
       if (!plain) return std::nullopt;
       return HttpResponse{302, {{"Location", "/login"}}, ""};
     }},
    {.id = "auth.as-registration-errors",
     .what = "refuses registrations with status 200",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/register") && response.status == 400) response.status = 200;
         }},
    {.id = "auth.as-metadata-members",
     .what = "does not list its response types",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           in_metadata(request, response, "response_types_supported", nullptr);
         }},
    {.id = "auth.as-metadata-lists-pkce",
     .what = "lists plain alone in the metadata of OAuth",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/.well-known/oauth-authorization-server")) {
             put_member(response, "code_challenge_methods_supported", Json::array({"plain"}));
           }
         }},
    {.id = "auth.as-endpoints-exist",
     .what = "has no keys where it says",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!is_for(request, "/jwks")) return std::nullopt;
       return HttpResponse{404, {}, ""};
     }},
    {.id = "auth.as-cors-throughout",
     .what = "lets pages read its metadata alone",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "OPTIONS") return std::nullopt;
       return HttpResponse{405, {}, ""};
     }},
    {.id = "auth.as-state-returned",
     .what = "returns another state",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           in_redirect(response, "state=plumbline", "state=other");
         }},
    {.id = "auth.as-state-returned",
     .what = "returns states without what is no letter",
     .response = [](const HttpRequest&,
                    HttpResponse& response) { in_redirect(response, "state=%7B", "state=abcd"); }},
    {.id = "auth.as-redirect-query-kept",
     .what = "puts its answer in place of a query",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           std::string location(response.headers.get("Location").value_or(""));
           const std::size_t query = location.find("from=plumbline&");
           if (query == std::string::npos) return;
           response.headers.set("Location", location.erase(query, 15));
         }},
    {.id = "auth.as-registration-code-alone",
     .what = "registers nobody who does not refresh",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool refreshes = request.body.find("refresh_token") != std::string::npos;
       if (request.method != "POST" || !is_for(request, "/register") || refreshes) {
         return std::nullopt;
       }
       return HttpResponse{400, {}, R"({"error":"invalid_client_metadata"})"};
     }},
    {.id = "auth.as-registration-advertised",
     .what = "does not say that it registers clients",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           if (response.body.find("registration_endpoint") == std::string::npos) return;
           Json document = edit::read(response.body);
           document.erase("registration_endpoint");
           response.body = dump_json(document);
         }},
    {.id = "auth.as-registered-is-served",
     .what = "refuses clients of the web that it has registered",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const wire::Form form = wire::query_of(request.target);
       const bool web = form.get("redirect_uri") == "https://plumbline.example/callback";
       const bool known = form.get("client_id").value_or("").starts_with("client-");
       if (!is_for(request, "/authorize") || !web || !known) return std::nullopt;
       return HttpResponse{400, {}, "<p>Not you.</p>"};
     }},
    {.id = "auth.as-registered-is-served",
     .what = "knows the first redirect of a client alone",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.target.find("second-callback") == std::string::npos) return std::nullopt;
       return HttpResponse{400, {}, "<p>Not there.</p>"};
     }},
    {.id = "auth.as-loopback-ports",
     .what = "wants the port that was registered",
     .wants_one_port = true},
    {.id = "auth.as-response-type-checked",
     .what = "takes any response type for code",
     .takes_any_response_type = true},
    {.id = "auth.as-pkce-required",
     .what = "takes requests without a challenge",
     .wants_no_challenge = true},
    {.id = "auth.as-pkce-method-known",
     .what = "takes challenges by methods that nobody knows",
     .takes_any_method = true},
    {.id = "auth.as-doubled-parameters",
     .what = "takes the first of two redirect URIs",
     .takes_doubled = true},
    {.id = "auth.as-unknown-resource", .what = "takes any resource", .takes_any_resource = true},
    {.id = "auth.as-unknown-documents",
     .what = "fails when a document cannot be had",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const wire::Form form = wire::query_of(request.target);
       if (!form.get("client_id").value_or("").starts_with("https://")) return std::nullopt;
       return HttpResponse{500, {}, ""};
     }},
    {.id = "auth.as-unknown-grants",
     .what = "calls an unknown refresh token an invalid request",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const bool refresh = request.body.find("grant_type=refresh_token") != std::string::npos;
           const bool unknown = response.body.find("invalid_grant") != std::string::npos;
           if (refresh && unknown) put_member(response, "error", "invalid_request");
         },
     .also = {"auth.refresh-rotation"}},
    {.id = "auth.as-unknown-grants",
     .what = "says nothing of an unknown code but that it was not found",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const bool code = request.body.find("=authorization_code") != std::string::npos;
           if (code && response.status == 400) response.body = "not found";
         },
     .also = {"auth.as-oauth21"}},
    {.id = "auth.as-unsupported-grant",
     .what = "calls an unknown grant an invalid request",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           if (response.body.find("unsupported_grant_type") == std::string::npos) return;
           put_member(response, "error", "invalid_request");
         }},
    {.id = "auth.as-form-encoding",
     .what = "reads no form that has a charset",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const auto type = request.headers.get("Content-Type").value_or("");
       if (type.find("charset") == std::string::npos) return std::nullopt;
       return HttpResponse{415, {}, ""};
     }},
    {.id = "auth.as-unknown-client",
     .what = "has no words for an unknown client",
     .response =
         [](const HttpRequest&, HttpResponse& response) {
           if (response.body.find("invalid_client") == std::string::npos) return;
           put_member(response, "error", "invalid_request");
         }},
    {.id = "auth.as-errors-as-json",
     .what = "refuses in text/html",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/token") && response.status == 400)
             response.headers.set("Content-Type", "text/html");
         }},
    {.id = "auth.as-token-no-store",
     .what = "lets caches keep its tokens",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/token")) response.headers.set("Cache-Control", "max-age=60");
         }},
    {.id = "auth.as-revocation-unknown",
     .what = "refuses to revoke an unknown token",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool unknown = request.body.find("token=plumbline") != std::string::npos;
       if (!is_for(request, "/revoke") || !unknown) return std::nullopt;
       return HttpResponse{400, {}, R"({"error":"invalid_grant"})"};
     }},
    {.id = "auth.as-grants-as-listed",
     .what = "lists a grant that it does not know",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           const bool refresh = request.body.find("grant_type=refresh_token") != std::string::npos;
           const bool unknown = response.body.find("invalid_grant") != std::string::npos;
           if (refresh && unknown) put_member(response, "error", "unsupported_grant_type");
         },
     .also = {"auth.refresh-rotation"}},
    {.id = "auth.as-registration-answer",
     .what = "answers a registration with the client_id alone",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/register") && response.status == 201) {
             put_member(response, "redirect_uris", Json::array());
           }
         }},
    {.id = "auth.as-registration-answer",
     .what = "registers a way to authenticate that it does not list",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/register") && response.status == 201) {
             put_member(response, "token_endpoint_auth_method", "client_secret_post");
           }
         }},
    {.id = "auth.as-registration-answer",
     .what = "tells the time in milliseconds",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/register") && response.status == 201) {
             put_member(response, "client_id_issued_at", 1'795'000'000'000);
           }
         }},
    {.id = "auth.as-registration-redirects",
     .what = "registers any redirect URI",
     .takes_any_registration = true},
    {.id = "auth.as-registration-errors",
     .what = "refuses a registration with a page",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/register") && response.status == 400) response.body = "<p>No.</p>";
         }},
    {.id = "auth.as-registration-ignores-unknown",
     .what = "refuses members that it does not know",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.body.find("plumbline_unknown") == std::string::npos) return std::nullopt;
       return HttpResponse{400, {}, R"({"error":"invalid_client_metadata"})"};
     }},
    {.id = "auth.as-registration-usual-redirects",
     .what = "registers nobody at localhost",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.body.find("//localhost") == std::string::npos) return std::nullopt;
       return HttpResponse{400, {}, R"({"error":"invalid_redirect_uri"})"};
     }},
};

}  // namespace

std::span<const AuthorityDeviation> authority_deviations() { return kAuthorityDeviations; }

}  // namespace plumbline::conformance
