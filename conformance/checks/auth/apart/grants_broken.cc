// Wrong authorization servers: what they say to who shows a code, a refresh token or no secret, and
// what they tell of a client that they have registered.

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

bool registers(const HttpRequest& request) {
  return request.method == "POST" && request.target == "/register";
}

bool asks_with(const HttpRequest& request, std::string_view text) {
  return request.body.find(text) != std::string::npos;
}

// in_registration changes a member of the answer to a registration.
void in_registration(HttpResponse& response, std::string_view member, Json value) {
  if (response.status != 201) return;
  Json document = edit::read(response.body);
  document[member] = std::move(value);
  response.body = dump_json(document);
}

const AuthorityDeviation kGrantDeviations[] = {
    {.id = "auth.as-registration-answer",
     .what = "answers null where grant_types were left out",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (!registers(request) || asks_with(request, "\"grant_types\"")) return;
           in_registration(response, "grant_types", nullptr);
         }},
    {.id = "auth.as-registration-answer",
     .what = "does not say how long a secret lives",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (!registers(request) || !asks_with(request, "client_secret_basic")) return;
           Json document = edit::read(response.body);
           document.erase("client_secret_expires_at");
           response.body = dump_json(document);
         }},
    {.id = "auth.as-registration-answer",
     .what = "answers null for contacts that there are not",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (registers(request)) in_registration(response, "contacts", nullptr);
         }},
    {.id = "auth.as-registration-answer",
     .what = "gives a secret to who needs none",
     .response =
         [](const HttpRequest& request, HttpResponse& response) {
           if (!registers(request) || !asks_with(request, "\"none\"")) return;
           in_registration(response, "client_secret", "secret");
           in_registration(response, "client_secret_expires_at", 0);
         }},
    {.id = "auth.as-registration-optional-members",
     .what = "registers no client that names no way to authenticate",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       const bool named = asks_with(request, "token_endpoint_auth_method");
       if (!registers(request) || named) return std::nullopt;
       return HttpResponse{400, {}, R"({"error":"invalid_client_metadata"})"};
     }},
    {.id = "auth.as-methods-as-listed",
     .what = "wants a secret of clients that are registered for none",
     .request = [](const HttpRequest& request) -> std::optional<HttpResponse> {
       if (!asks_with(request, "=authorization_code")) return std::nullopt;
       return HttpResponse{401, {}, R"({"error":"invalid_client"})"};
     },
     .also = {"auth.as-code-redeemed"}},
    {.id = "auth.refresh-rotation",
     .what = "calls a used refresh token an invalid request",
     .used_refresh_error = "invalid_request"},
    {.id = "auth.refresh-rotation",
     .what = "lets the successor of a refresh token live that came twice",
     .spares_successors = true},
    {.id = "auth.as-oauth21",
     .what = "calls a used code an invalid request",
     .used_code_error = "invalid_request"},
    {.id = "auth.as-oauth21",
     .what = "lets the tokens of a code live that came twice",
     .spares_replayed_codes = true},
    {.id = "auth.as-unknown-resource",
     .what = "uses up a refresh token that it refuses for its resource",
     .eats_refused_refreshes = true},
    {.id = "auth.as-pkce-enforced",
     .what = "looks at no verifier where the challenge has no method",
     .trusts_bare_challenges = true},
    {.id = "auth.as-refresh-bound-to-client",
     .what = "takes a refresh token from its owner when another client shows it",
     .eats_foreign_refreshes = true},
    {.id = "auth.as-exact-redirect-match",
     .what = "sends those who come from 127.0.0.1 to localhost",
     .prefers_localhost = true},
};

}  // namespace

std::span<const AuthorityDeviation> grant_authority_deviations() { return kGrantDeviations; }

}  // namespace plumbline::conformance
