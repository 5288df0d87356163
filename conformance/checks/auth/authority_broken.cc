#include <string>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

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
         }},
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
     .also = {"auth.as-exact-redirect-match", kAsksNobody}},
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
           if (is_for(request, "/token")) response.body = "<p>Something went wrong</p>";
         }},
    {.id = "auth.as-oauth21",
     .what = "gives tokens for passwords",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool asks = request.body.find("grant_type=password") != std::string::npos;
       if (!asks) return std::nullopt;
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
    {.id = "auth.as-oauth21",
     .what = "takes a code twice",
     .asks_nobody = true,
     .takes_codes_again = true,
     .also = {kAsksNobody}},
    {.id = "auth.as-pkce-enforced",
     .what = "takes any verifier",
     .asks_nobody = true,
     .takes_any_verifier = true,
     .also = {kAsksNobody}},
    {.id = "auth.short-lived-tokens",
     .what = "gives tokens that live for a year",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (is_for(request, "/token") && response.status == 200) {
             put_member(response, "expires_in", 31'536'000);
           }
         },
     .asks_nobody = true,
     .also = {kAsksNobody}},
    {.id = "auth.refresh-rotation",
     .what = "takes a refresh token twice",
     .asks_nobody = true,
     .takes_refreshes_again = true,
     .also = {kAsksNobody}},
};

}  // namespace

std::span<const AuthorityDeviation> all_authority_deviations() { return kAuthorityDeviations; }

}  // namespace plumbline::conformance
