// Wrong authorization servers: those that refuse by another status, know redirect URIs by some of
// their letters, and give members of metadata another type.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/right_authority.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

// refuses_by has the token endpoint refuse by another status where it names `error`.
void refuses_by(const HttpRequest& request, HttpResponse& response, std::string_view error,
                int status) {
  const bool named = response.body.find(error) != std::string::npos;
  if (request.target == "/token" && response.status != 200 && named) response.status = status;
}

// registers_with registers whoever has `text` in what it registers.
std::optional<HttpResponse> registers_with(const HttpRequest& request, std::string_view text) {
  const bool asked = request.method == "POST" && request.target == "/register";
  if (!asked || request.body.find(text) == std::string::npos) return std::nullopt;
  Json about = edit::read(request.body);
  about["client_id"] = "taken";
  return HttpResponse{201, {{"Content-Type", "application/json"}}, dump_json(about)};
}

// shows_page_for shows its page to a request that has `text` in its redirect URI.
std::optional<HttpResponse> shows_page_for(const HttpRequest& request, std::string_view text) {
  const bool asked = request.target.starts_with("/authorize?");
  const std::string uri = wire::query_of(request.target).get("redirect_uri").value_or("");
  if (!asked || uri.find(text) == std::string::npos) return std::nullopt;
  return HttpResponse{302, {{"Location", "/login"}}, ""};
}

// publishes_instead gives a member of what `place` holds another value.
void publishes_instead(const HttpRequest& request, HttpResponse& response, std::string_view place,
                       std::string_view member, Json value) {
  if (!request.target.starts_with(place) || response.status / 100 != 2) return;
  Json document = edit::read(response.body);
  document[member] = std::move(value);
  response.body = dump_json(document);
}

constexpr std::string_view kOauthPlace = "/.well-known/oauth-authorization-server";
constexpr std::string_view kOidcPlace = "/.well-known/openid-configuration";

const AuthorityDeviation kStatusDeviations[] = {
    {.id = "auth.as-error-status",
     .what = "answers wrong grants with 401",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           refuses_by(request, response, "invalid_grant", 401);
         }},
    {.id = "auth.as-error-status",
     .what = "answers unknown grant types with 401",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           refuses_by(request, response, "unsupported_grant_type", 401);
         }},
    {.id = "auth.as-error-status",
     .what = "answers wrong grants with 403",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           refuses_by(request, response, "invalid_grant", 403);
         }},
    {.id = "auth.as-wrong-secret-challenged",
     .what = "refuses wrong secrets with 400",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           refuses_by(request, response, "invalid_client", 400);
         }},
    {.id = "auth.as-wrong-secret-challenged",
     .what = "refuses wrong secrets without a challenge",
     .response = [](const HttpRequest&,
                    HttpResponse& response) { response.headers.erase("WWW-Authenticate"); }},
    {.id = "auth.as-registration-redirects",
     .what = "knows schemes by small letters",
     .request = [](const HttpRequest& request) { return registers_with(request, "JavaScript:"); }},
    {.id = "auth.as-registration-redirects",
     .what = "knows schemes without a tab",
     .request =
         [](const HttpRequest& request) { return registers_with(request, "java\\tscript"); }},
    {.id = "auth.as-registration-redirects",
     .what = "knows this machine by how an address begins",
     .request = [](const HttpRequest& request) { return registers_with(request, "localhost."); }},
    {.id = "auth.as-registration-redirects",
     .what = "takes a user for a host",
     .request = [](const HttpRequest& request) { return registers_with(request, "127.0.0.1@"); }},
    {.id = "auth.as-exact-redirect-match",
     .what = "compares redirect URIs without their case",
     .request = [](const HttpRequest& request) { return shows_page_for(request, "callbacK"); }},
    {.id = "auth.as-exact-redirect-match",
     .what = "decodes redirect URIs before it compares them",
     .request = [](const HttpRequest& request) { return shows_page_for(request, "callbac%6B"); }},
    {.id = "auth.as-no-server-errors",
     .what = "fails over a request without its code",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const wire::Form form = wire::Form::parse(request.body);
       const bool redeems = form.get("grant_type") == "authorization_code";
       if (request.target != "/token" || !redeems || form.count("code") > 0) return std::nullopt;
       return HttpResponse{500, {}, "undefined is not a string"};
     }},
    {.id = "auth.as-metadata-members",
     .what = "lists its scopes in a text",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           publishes_instead(request, response, kOauthPlace, "scopes_supported", "notes more");
         }},
    {.id = "auth.as-metadata-members",
     .what = "has null for its documentation",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           publishes_instead(request, response, kOidcPlace, "service_documentation", nullptr);
         }},
    {.id = "auth.as-metadata-lists-pkce",
     .what = "lists S256 in a text",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           publishes_instead(request, response, kOauthPlace, "code_challenge_methods_supported",
                             "S256");
         }},
    {.id = "auth.as-advertises-iss",
     .what = "says in a text that it sends iss",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           constexpr const char* kFlag = "authorization_response_iss_parameter_supported";
           publishes_instead(request, response, "/.well-known/", kFlag, "true");
         }},
    {.id = "auth.as-registration-answer",
     .what = "answers a registration with its scopes in a list",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           publishes_instead(request, response, "/register", "scope", Json::array({"notes"}));
         }},
    {.id = "auth.as-registration-errors",
     .what = "names errors in an object",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (request.target != "/register" || response.status != 400) return;
           const Json error = Json::object({{"code", "invalid_redirect_uri"}});
           response.body = dump_json(Json::object({{"error", error}}));
         }},
};

}  // namespace

std::span<const AuthorityDeviation> status_deviations() { return kStatusDeviations; }

}  // namespace plumbline::conformance
